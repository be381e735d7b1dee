"""Rules of a dispatch loop for stack shuffles, stores, calls, definitions, displays and strings.

No statement is recognised in them: a value that is needed twice, or later, gets a temporary.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import (  # noqa: F401  (calls, collections, shuffles and stores register rules)
    calls,
    collections,
    fstrings,
    functions,
    nodes,
    shuffles,
    stores,
)
from depyf.decompile.expr.evaluator import CannotEvaluate
from depyf.decompile.expr.functions import FunctionInfo
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.statements import Handler, If, Stmt, Try
from depyf.decompile.structure.dispatch_evaluator import (
    DEFINITIONS,
    NO_EXPRESSION,
    DispatchEvaluator,
    item_text,
    own,
    value_text,
)

_SIMPLE_STORES = frozenset(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))
# Written by the compiler into every class body.
_CLASS_EPILOGUE = frozenset(("__classcell__", "__classdictcell__", "__static_attributes__"))


def _copy_of(value: Expr) -> Expr:
    return Expr(value.text, value.level, value.kind, value.parts, value.stable)


@own("COPY")
def _copy(ev: DispatchEvaluator, op: Op) -> None:
    if not ev.is_settled(ev.stack[-op.arg]):
        ev.spill(op)
    # Another object: the usual rules take one object twice for `a = b = value`.
    ev.stack.append(_copy_of(ev.stack[-op.arg]))


@own("SWAP")
def _swap(ev: DispatchEvaluator, op: Op) -> None:
    _reach(ev, op)
    stack, count = ev.stack, op.arg
    stack[-1], stack[-count] = stack[-count], stack[-1]


@own("ROT")
def _rot(ev: DispatchEvaluator, op: Op) -> None:
    _reach(ev, op)
    ev.stack.insert(len(ev.stack) - op.arg, ev.stack.pop())


def _reach(ev: DispatchEvaluator, op: Op) -> None:
    if not 1 <= op.arg <= len(ev.stack):
        raise IndexError
    if not all(ev.is_settled(value) for value in ev.stack[-op.arg :]):
        ev.spill(op)


@own("POP_TOP", "POP_ITER")
def _pop_top(ev: DispatchEvaluator, op: Op) -> None:
    value = ev.stack[-1]
    if value.kind in ("import", "import from"):
        ev.usual(op)
        return
    ev.pop()
    if value.kind in DEFINITIONS:
        ev.to_temporary(value, op)
    elif value.kind == "local" or not value.stable:
        ev.emit("expression", value_text(ev.names, value), op)
    elif value.kind == "temp" and all(other.text != value.text for other in ev.stack):
        # What was popped may be the last reference.
        ev.emit("temporary", f"{value.text} = None", op)


@own("INPLACE")
def _inplace(ev: DispatchEvaluator, op: Op) -> None:
    left, following = ev.stack[-2], ev.next_op()
    if following is not None and following.name in _SIMPLE_STORES:
        if left.kind in ("local", "name") and left.parts == following.arg:
            ev.usual(op)
            return
    right = ev.pop()
    ev.pop()
    ev.spill(op)
    result = ev.save(value_text(ev.names, left), op)
    ev.emit("assign", f"{result.text} {op.arg}= {value_text(ev.names, right)}", op)
    ev.push(result)


@own("UNPACK", "UNPACK_EX")
def _unpack(ev: DispatchEvaluator, op: Op) -> None:
    count, starred = (op.arg, -1) if op.name == "UNPACK" else (sum(op.arg) + 1, op.arg[0])
    following = [ev.next_op(ahead) for ahead in range(count)]
    if all(each is not None and each.name in _SIMPLE_STORES for each in following):
        ev.usual(op)
        return
    value = ev.pop()
    targets = [ev.scope.temporary() for _ in range(count)]
    stars = ["*" if place == starred else "" for place in range(count)]
    texts = [star + target.text for star, target in zip(stars, targets)]
    comma = "," if count == 1 else ""
    ev.emit("assign", f"{', '.join(texts)}{comma} = {value_text(ev.names, value)}", op)
    ev.stack.extend(reversed(targets))


@own("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")
def _store(ev: DispatchEvaluator, op: Op) -> None:
    value = ev.stack[-1]
    if op.arg in _CLASS_EPILOGUE and ev.scope.kind == "class":
        ev.pop()
        return
    if value.kind == "saved local":
        _restore_local(ev, op)
        return
    inner = value
    while inner.kind == "decorated":
        inner = inner.parts[1]
    if value.kind in DEFINITIONS and inner.kind == "func":
        names = (op.arg, ev.scope.name(op.arg))
        if inner.parts.code.name not in names and not op.arg.startswith("__annotate"):
            ev.spill(op)
    elif value.kind in ("slice", "tuple") or value.kind in nodes.STARRED_TUPLES:
        level = nodes.ATOM if value.kind == "slice" else value.level
        ev.stack[-1] = Expr(value_text(ev.names, value), level, "call", value, value.stable)
    ev.usual(op)


@own("LOAD_AND_CLEAR")
def _load_and_clear(ev: DispatchEvaluator, op: Op) -> None:
    """The local's value in a list, or an empty list when it has none."""
    name = ev.scope.name(op.arg)
    # Read in another block, so it is no temporary.
    saved = nodes.name(ev.names.fresh(f"__saved_{len(ev.stack)}_{name}"), "name")
    ev.protect_local(op.arg, op)
    empty = [Stmt("temporary", f"{saved.text} = []")]
    kept = [Stmt("temporary", f"{saved.text} = [{name}]"), Stmt("delete", f"del {name}")]
    error = nodes.name(ev.names.builtin("NameError"), "name")
    ev.add(Try(list(kept), [Handler(error, None, list(empty))], [], []), op)
    ev.push(Expr(saved.text, nodes.ATOM, "saved local", op.arg, True))


def _restore_local(ev: DispatchEvaluator, op: Op) -> None:
    value = ev.pop()
    name = ev.scope.name(op.arg)
    ev.protect_local(op.arg, op)
    error = nodes.name(ev.names.builtin("NameError"), "name")
    forget: Stmt = Try(
        [Stmt("delete", f"del {name}")], [Handler(error, None, [Stmt("pass", "pass")])], [], []
    )
    restore = Stmt("assign", f"{name}, = {value.text}")
    ev.add(If([(value, [restore])], [forget]), op)


# Calls and collections.


@own("CALL", "CALL_KW")
def _call(ev: DispatchEvaluator, op: Op) -> None:
    extra = op.name == "CALL_KW"
    count = op.arg[0] + extra
    taken = ev.stack[-(count + op.arg[1]) :]
    is_class = any(value.kind == "build class" for value in taken)
    keywords = extra or bool(len(op.arg) > 2 and op.arg[2])
    decorates = count == 1 and not keywords
    if not is_class and not decorates and any(value.kind in DEFINITIONS for value in taken[1:]):
        ev.spill(op)
    loops = [value for value in taken if value.kind == "func" and value.parts.is_comprehension]
    if not loops:
        ev.usual(op)
    elif not ev.succeeds(op):
        _call_comprehension(ev, op, loops[0])


def _call_comprehension(ev: DispatchEvaluator, op: Op, function: Expr) -> None:
    taken = ev.pop_many(op.arg[0] + op.arg[1])
    iterator = next(value for value in taken if value is not function and value.kind != "null")
    ev.spill(op)
    ev.push(nodes.call(ev.define(function, op), [item_text(ev.names, iterator)]))


def _annotation_pairs(value: Expr) -> Optional[Expr]:
    """The annotations as a dict, when the names of some come from another block."""
    if value.kind != "tuple" or all(key.kind == "const" for key in value.parts[::2]):
        return None
    return nodes.dict_of(list(zip(value.parts[::2], value.parts[1::2])))


_ATTRIBUTES = {
    1: "__defaults__",
    2: "__kwdefaults__",
    4: "__annotations__",
    8: "__closure__",
    16: "__annotate__",
}


@own("MAKE_FUNCTION")
def _make_function(ev: DispatchEvaluator, op: Op) -> None:
    flags, has_qualname = op.arg
    above = 1 + has_qualname + bool(flags & 8) + bool(flags & 16)
    lost = flags & 4 and _annotation_pairs(ev.stack[-above - 1])
    if not lost and ev.succeeds(op):
        return
    code = ev.pop_many(1 + has_qualname)[0]
    if code.kind != "code":
        ev.fail(op, "a function without code")
    info = FunctionInfo(code.parts)
    later: List[Tuple[str, Expr]] = []
    for flag in (8, 16, 4, 2, 1):
        if flags & flag:
            value = ev.pop()
            if flag == 4 and lost:
                later.append((_ATTRIBUTES[flag], lost))
                continue
            try:
                functions.set_attribute(ev, op, info, flag, value)
            except NO_EXPRESSION:
                # It was computed in another block, so its parts are not known.
                later.append((_ATTRIBUTES[flag], value))
    ev.spill(op)
    made = ev.define(Expr("<function>", nodes.ATOM, "func", info), op)
    ev.push(made)
    for attribute, value in later:
        ev.emit("assign", f"{made.text}.{attribute} = {value_text(ev.names, value)}", op)


@own("LIST_EXTEND", "SET_UPDATE")
def _extend(ev: DispatchEvaluator, op: Op) -> None:
    if not ev.stack[-op.arg - 1].stable:
        ev.usual(op)
        return
    value = ev.pop()
    method = "extend" if op.name == "LIST_EXTEND" else "update"
    ev.emit("expression", f"{ev.stack[-op.arg].text}.{method}({item_text(ev.names, value)})", op)


@own("LIST_APPEND", "SET_ADD")
def _append(ev: DispatchEvaluator, op: Op) -> None:
    if not ev.stack[-op.arg - 1].stable:
        ev.usual(op)
        return
    value = ev.pop()
    method = "append" if op.name == "LIST_APPEND" else "add"
    ev.emit("expression", f"{ev.stack[-op.arg].text}.{method}({item_text(ev.names, value)})", op)


@own("MAP_ADD")
def _map_add(ev: DispatchEvaluator, op: Op) -> None:
    if not ev.stack[-op.arg - 2].stable:
        ev.usual(op)
        return
    value, key = ev.pop(), ev.pop()
    # Not `d[key] = value`, which evaluates the value first.
    pair = f"{{{item_text(ev.names, key)}: {item_text(ev.names, value)}}}"
    ev.emit("expression", f"{ev.stack[-op.arg].text}.update({pair})", op)


@own("DICT_UPDATE", "DICT_MERGE")
def _dict_update(ev: DispatchEvaluator, op: Op) -> None:
    collection = ev.stack[-op.arg - 1]
    if not collection.stable:
        ev.usual(op)
        return
    value = nodes.at(ev.pop(), nodes.BIT_OR)
    if op.name == "DICT_UPDATE":
        text = f"{{**{collection.text}, **{value}}}"
    else:
        # A call objects to a key that comes twice.
        text = f"{ev.names.builtin('dict')}(**{collection.text}, **{value})"
    ev.spill(op)
    ev.stack[-op.arg] = ev.save(text, op)


@own("CONVERT")
def _convert(ev: DispatchEvaluator, op: Op) -> None:
    following = ev.next_op()
    if following is not None and following.name == "FORMAT" and not following.arg[1]:
        ev.usual(op)
        return
    value = ev.pop()
    ev.push(_field(ev, op, value, op.arg, None))


@own("FORMAT")
def _format(ev: DispatchEvaluator, op: Op) -> None:
    conversion, has_spec = op.arg
    spec: Optional[Expr] = ev.pop() if has_spec else None
    value = ev.pop()
    if value.kind == "converted":
        value, conversion = value.parts
    if spec is not None and spec.kind not in ("const", "field", "fstring"):
        spec = _field(ev, op, spec, 0, None)
    ev.push(_field(ev, op, value, conversion, spec))


def _field(
    ev: DispatchEvaluator, op: Op, value: Expr, conversion: int, spec: Optional[Expr]
) -> Expr:
    nesting = ev.version >= (3, 12)
    made = fstrings.field(value, conversion, spec, nesting)
    if made is None:
        ev.spill(op)
        value = ev.save(value_text(ev.names, value), op)
        made = fstrings.field(value, conversion, spec, nesting)
    if made is None and spec is not None:
        spec = fstrings.field(ev.save(spec.text, op), 0, None, nesting)
        made = fstrings.field(value, conversion, spec, nesting)
    if made is None:
        raise CannotEvaluate(f"{op.name} at offset {op.offset}: no quotes are left for a string")
    return made


@own("BUILD_STRING")
def _build_string(ev: DispatchEvaluator, op: Op) -> None:
    parts = ev.pop_many(op.arg)
    made = fstrings.joined(parts, ev.version)
    if made is None:
        texts = ", ".join([item_text(ev.names, part) for part in parts])
        made = nodes.call(nodes.name("''.join", "attr"), [f"[{texts}]"])
    ev.push(made)


# Templates: parts that are kept on the stack have no literal.

_CONVERSION_LETTERS = ("None", "'s'", "'r'", "'a'")


@own("BUILD_INTERPOLATION")
def _build_interpolation(ev: DispatchEvaluator, op: Op) -> None:
    spec = item_text(ev.names, ev.pop()) if op.arg & 1 else "''"
    texts = [item_text(ev.names, value) for value in ev.pop_many(2)]
    maker = nodes.name(ev.names.imported("string.templatelib", "Interpolation"), "name")
    ev.push(nodes.call(maker, [*texts, _CONVERSION_LETTERS[op.arg >> 2 & 3], spec]))


@own("BUILD_TEMPLATE")
def _build_template(ev: DispatchEvaluator, op: Op) -> None:
    texts = [item_text(ev.names, value) for value in ev.pop_many(2)]
    ev.push(nodes.call(nodes.name(ev.names.helper("join_template"), "name"), texts))
