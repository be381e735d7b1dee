"""Rules for tuples, lists, sets, dicts and formatted strings."""

from __future__ import annotations

from typing import Any, List, Optional, Type

from depyf.decompile.decode.names import is_name
from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import annotated, fstrings, generics, nodes
from depyf.decompile.expr.evaluator import Evaluator, rule
from depyf.decompile.expr.literals import constant
from depyf.decompile.expr.nodes import Display, Expr
from depyf.decompile.expr.scope import ANNOTATION
from depyf.decompile.expr.statements import Element

# With fewer items a display is built from single constants.
_FEWEST_FOLDED = 3


@rule("BUILD_TUPLE")
def _build_tuple(ev: Evaluator, op: Op) -> None:
    items = ev.pop_many(op.arg)
    if items and items[0].kind == "type param":
        ev.stack.append(generics.parameter_list(items))
    elif items and all(map(nodes.is_constant, items)) and ev.scope.options.facts is None:
        ev.stack.append(nodes.loose_tuple_of(items))
    else:
        ev.stack.append(nodes.tuple_of(items))


@rule("BUILD_LIST")
def _build_list(ev: Evaluator, op: Op) -> None:
    items = ev.pop_many(op.arg)
    ev.stack.append(nodes.loose_list_of(items) if _is_loose(ev, items) else nodes.list_of(items))


@rule("BUILD_SET")
def _build_set(ev: Evaluator, op: Op) -> None:
    items = ev.pop_many(op.arg)
    ev.stack.append(nodes.loose_set_of(items) if _is_loose(ev, items) else nodes.set_of(items))


def _is_loose(ev: Evaluator, items: List[Expr]) -> bool:
    """Whether a display starts with single constants of which a compiler would make one."""
    is_long = len(items) >= _FEWEST_FOLDED and ev.version >= (3, 9)
    return is_long and all(map(nodes.is_constant, items))


@rule("BUILD_MAP")
def _build_map(ev: Evaluator, op: Op) -> None:
    if not ev.stack and ev.scope.kind == ANNOTATION and ev.scope.code.name == "__annotate__":
        ev.stack.append(nodes.marker("annotations"))
        return
    flat = ev.pop_many(2 * op.arg)
    ev.stack.append(nodes.dict_of(list(zip(flat[::2], flat[1::2]))))


@rule("BUILD_CONST_KEY_MAP")
def _build_const_key_map(ev: Evaluator, op: Op) -> None:
    keys = ev.pop()
    values = ev.pop_many(op.arg)
    names = [_literal(key) for key in _constant_items(ev, op, keys)]
    ev.stack.append(nodes.dict_of(list(zip(names, values))))


def _constant_items(ev: Evaluator, op: Op, keys: Expr) -> Any:
    if keys.kind != "const" or type(keys.parts) is not tuple:
        ev.fail(op, "its names are no constant tuple")
    return keys.parts


def _literal(value: Any) -> Expr:
    expr = constant(value)
    if expr is None:
        raise KeyError(value)
    return expr


def _growing(ev: Evaluator, op: Op, kind: str) -> Display:
    """The display that an operation adds to; it must not be anybody else's yet."""
    collection = ev.stack[-op.arg]
    if not isinstance(collection, Display) or collection.kind not in (kind, "updated " + kind):
        ev.fail(op, f"there is no {kind} display to add to")
    assert isinstance(collection, Display)
    return collection


@rule("LIST_EXTEND")
def _list_extend(ev: Evaluator, op: Op) -> None:
    value = ev.pop()
    if _mutates_named(ev, op, "list", f".extend({value.text})"):
        return
    _extend(ev, op, "list", value, tuple)


@rule("SET_UPDATE")
def _set_update(ev: Evaluator, op: Op) -> None:
    value = ev.pop()
    if _mutates_named(ev, op, "set", f".update({value.text})"):
        return
    _extend(ev, op, "set", value, frozenset)


def _extend(ev: Evaluator, op: Op, kind: str, value: Expr, literal_type: Type[Any]) -> None:
    display = _growing(ev, op, kind)
    # Only a display of constants alone is made from one constant: `[1, 2, 3]`.
    items = None if display.count else _constant_display(value, literal_type)
    ev.stack[-op.arg] = display.grown(items or [nodes.star(value)])


def _constant_display(value: Expr, literal_type: Type[Any]) -> Optional[List[Expr]]:
    """The items of the constant that a display is made from, if `value` is one."""
    if value.kind not in ("const", "frozenset") or type(value.parts) is not literal_type:
        return None
    items = [item for item in map(constant, value.parts) if item is not None]
    if items and literal_type is frozenset:
        items.sort(key=lambda item: item.text)
        # Some were written more than once.
        items += items[-1:] * (_FEWEST_FOLDED - len(items))
    return items if len(items) >= _FEWEST_FOLDED else None


def _mutates_named(ev: Evaluator, op: Op, kind: str, text: str) -> bool:
    """A collection that already has a name is changed by a statement."""
    collection = ev.stack[-op.arg]
    if collection.kind not in ("temp", "local"):
        return False
    ev.emit("expression", collection.text + text, op)
    return True


@rule("LIST_APPEND")
def _list_append(ev: Evaluator, op: Op) -> None:
    _append(ev, op, "list", ".append")


@rule("SET_ADD")
def _set_add(ev: Evaluator, op: Op) -> None:
    _append(ev, op, "set", ".add")


def _append(ev: Evaluator, op: Op, kind: str, method: str) -> None:
    value = ev.pop()
    collection = ev.stack[-op.arg]
    if collection is ev.accumulator:
        ev.add(Element([value]), op)
    elif collection.kind == "name" and collection.parts == annotated.CONDITIONAL:
        annotated.reach(ev, op, value)
    elif not _mutates_named(ev, op, kind, f"{method}({value.text})"):
        ev.stack[-op.arg] = _growing(ev, op, kind).grown([value])


@rule("MAP_ADD")
def _map_add(ev: Evaluator, op: Op) -> None:
    key, value = ev.pop_many(2)
    collection = ev.stack[-op.arg]
    if collection is ev.accumulator:
        ev.add(Element([key, value]), op)
    elif collection.kind in ("temp", "local"):
        ev.emit("expression", f"{collection.text}[{key.text}] = {value.text}", op)
    else:
        ev.stack[-op.arg] = _growing(ev, op, "dict").grown([(key, value)])


@rule("DICT_UPDATE", "DICT_MERGE")
def _dict_update(ev: Evaluator, op: Op) -> None:
    value = ev.pop()
    if _mutates_named(ev, op, "dict", f".update({value.text})"):
        return
    display = _growing(ev, op, "dict")
    if value.kind == "dict" and value.parts and not _written_out(op, display, value.parts):
        grown = display.grown(value.parts)
    else:
        grown = display.grown([(None, value)])
    # A display of its own is told apart from the keyword arguments of a call.
    grown.kind = "updated dict" if op.name == "DICT_UPDATE" else "dict"
    ev.stack[-op.arg] = grown


# From so many items on the compiler builds a display in pieces.
_PIECE = 15


def _written_out(op: Op, display: Display, items: List[Any]) -> bool:
    """Whether a display that is merged next was written as `**{…}`.

    Plain items in a row are built as one display, unless they are many, and the first of them
    are not merged into anything.
    """
    if not display.count or (op.name == "DICT_MERGE" and not _are_keywords(items)):
        return True
    follows_plain_items = display.items[display.count - 1][0] is not None
    return follows_plain_items and (op.name == "DICT_MERGE" or display.count < _PIECE)


def _are_keywords(items: List[Any]) -> bool:
    """Whether a call can have these items as keyword arguments."""
    return all(
        key is not None and key.kind == "const" and type(key.parts) is str and is_name(key.parts)
        for key, _value in items
    )


@rule("LIST_TO_TUPLE")
def _list_to_tuple(ev: Evaluator, op: Op) -> None:
    value = ev.pop()
    if value.kind == "list" and not value.stable:
        expr = nodes.tuple_of(value.parts)
        # Told apart from BUILD_TUPLE: in a call its items are the arguments.
        expr.kind = "tuple" if not value.parts else "spread tuple"
        ev.stack.append(expr)
    else:
        ev.stack.append(nodes.call(nodes.name("tuple", "name"), [value.text]))


@rule("BUILD_UNPACK")
def _build_unpack(ev: Evaluator, op: Op) -> None:
    kind, count, with_call = op.arg
    values = ev.pop_many(count)
    if kind == "dict":
        items: List[Any] = []
        for value in values:
            # Plain items alone need no unpacking, and those in a row are one display.
            follows_plain_items = bool(items) and items[-1][0] is not None
            plain = value.kind == "dict" and value.parts and count > 1 and not follows_plain_items
            plain = plain and (not with_call or _are_keywords(value.parts))
            items.extend(value.parts if plain else [(None, value)])
        display = nodes.dict_of(items)
        if not with_call:
            display.kind = "updated dict"
        ev.stack.append(display)
        return
    spread = _unpacked(values, "set" if kind == "set" else "tuple")
    if kind == "tuple":
        expr = nodes.tuple_of(spread)
        # A tuple of its own is no argument list: `f(*(a, *b))`.
        expr.kind = "spread tuple" if with_call else "starred tuple"
        ev.stack.append(expr)
    else:
        ev.stack.append(nodes.list_of(spread) if kind == "list" else nodes.set_of(spread))


def _unpacked(values: List[Expr], plain: str) -> List[Expr]:
    """The items of all values. Plain ones in a row are one value, of the kind `plain`."""
    spread: List[Expr] = []
    follows_plain_items = len(values) == 1
    for value in values:
        items = [] if follows_plain_items else _plain_items(value, plain)
        follows_plain_items = bool(items)
        spread.extend(items or [nodes.star(value)])
    return spread


def _plain_items(value: Expr, plain: str) -> List[Expr]:
    if value.kind == plain:
        items: List[Expr] = value.parts
        return items
    if value.kind == "const" and type(value.parts) is tuple and plain == "tuple":
        return [item for item in map(constant, value.parts) if item is not None]
    return []


@rule("CONVERT")
def _convert(ev: Evaluator, op: Op) -> None:
    value = ev.pop()
    ev.stack.append(Expr(value.text, value.level, "converted", (value, op.arg)))


@rule("FORMAT")
def _format(ev: Evaluator, op: Op) -> None:
    conversion, has_spec = op.arg
    spec: Optional[Expr] = ev.pop() if has_spec else None
    value = ev.pop()
    if value.kind == "converted":
        value, conversion = value.parts
    expr = fstrings.field(value, conversion, spec, ev.version >= (3, 12))
    if expr is None:
        ev.fail(op, "the format specification is no text")
        return
    ev.stack.append(expr)


@rule("BUILD_STRING")
def _build_string(ev: Evaluator, op: Op) -> None:
    expr = fstrings.joined(ev.pop_many(op.arg), ev.version)
    if expr is None:
        ev.fail(op, "a part of the string is neither text nor a replacement field")
        return
    ev.stack.append(expr)


@rule("BUILD_INTERPOLATION")
def _build_interpolation(ev: Evaluator, op: Op) -> None:
    spec = ev.pop() if op.arg & 1 else None
    _value, written = ev.pop_many(2)
    expr = fstrings.interpolation(written.parts, op.arg >> 2, spec)
    if expr is None:
        ev.fail(op, "the format specification is no text")
        return
    ev.stack.append(expr)


@rule("BUILD_TEMPLATE")
def _build_template(ev: Evaluator, op: Op) -> None:
    strings, fields = ev.pop_many(2)
    expr = fstrings.template(strings.parts, fields.parts)
    if expr is None:
        ev.fail(op, "a template without its parts")
        return
    ev.stack.append(expr)
