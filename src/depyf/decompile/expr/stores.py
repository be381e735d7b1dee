"""Rules for assignment in all its forms, and deletion.

A value that is stored twice (`a = b = v`, `(a := v)`) was copied first; unpacking and loops push
values that wait for their target (a `Pattern` collects them, a `Receiver` is a statement's own).
"""

from __future__ import annotations

from typing import Any, List, Optional

from depyf.decompile.decode.names import is_name
from depyf.decompile.decode.ops import Op, stack_effect
from depyf.decompile.expr import annotated, functions, nodes
from depyf.decompile.expr.evaluator import Evaluator, rule
from depyf.decompile.expr.imports import bind_import, finish_import
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import ANNOTATION, TYPE_PARAMETERS
from depyf.decompile.expr.statements import Annotation, Element, FunctionDef, Match

SIMPLE_STORES = frozenset(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))
# What may stand between a value and the store that takes it.
PLAIN_OPERATIONS = frozenset(
    (
        "LOAD_CONST LOAD_FAST LOAD_NAME LOAD_GLOBAL LOAD_DEREF LOAD_CLASSDEREF LOAD_ATTR"
        " LOAD_METHOD SUBSCR SLICE BINARY UNARY COMPARE CALL CALL_KW CALL_EX BUILD_TUPLE"
        " BUILD_LIST BUILD_SLICE BUILD_MAP BUILD_SET PUSH_NULL STORE_ATTR STORE_SUBSCR"
        " STORE_SLICE AWAIT YIELD FORMAT BUILD_STRING LIST_EXTEND LIST_TO_TUPLE DICT_MERGE"
        " DICT_UPDATE BUILD_CONST_KEY_MAP FOLD_AND FOLD_OR FOLD_TERNARY FOLD_NOT FOLD_CHAIN"
        " FOLD_GROUP MAKE_FUNCTION GET_ITER INLINED_COMPREHENSION YIELD_FROM TEST_NONE"
        " COPY STORE_FAST STORE_NAME STORE_GLOBAL STORE_DEREF"
    ).split()
)


class Pattern:
    """Targets that are being collected for values which came from one place.

    `finish` is called with the complete target; `starred` is the index of `*rest`, or -1.
    """

    __slots__ = ("targets", "starred", "left", "parent", "place", "value", "display")

    def __init__(self, count: int, starred: int, value: Optional[Expr]) -> None:
        self.targets: List[Optional[Expr]] = [None] * count
        self.starred = starred
        self.left = count
        self.parent: Optional[Pattern] = None
        self.place = 0
        self.value = value
        # Several values assigned at once, `a, b = c, d`, rather than one unpacked.
        self.display = False


def slot(pattern: Any, place: int) -> Expr:
    return Expr("<slot>", nodes.ATOM, "slot", (pattern, place), True)


class Receiver:
    """A statement's own target: of a loop, a `with` item, an `except` clause."""

    __slots__ = ("target",)

    def __init__(self) -> None:
        self.target: Optional[Expr] = None


# What the function that makes type parameters stores; the printed definition says it.
_HIDDEN_VALUES = frozenset(("type param", "type params", "generic base"))


def _store(ev: Evaluator, op: Op, target: Expr, value: Expr) -> None:
    """`target = value`, whatever `value` is."""
    kind = value.kind
    if kind == "slot":
        _fill(ev, op, value, target)
    elif kind == "exception":
        ev.emit("bind", target.text, op)
    elif kind in _HIDDEN_VALUES:
        if kind == "type params":
            ev.scope.type_params = value.text
    elif ev.stack and ev.stack[-1] is value and value.kind != "cell":
        # The value was copied: more targets follow, or it is used as an expression.
        ev.stack[-1] = _chain(value, target)
    elif kind == "chain":
        targets, original = value.parts
        _assign(ev, op, targets + [target], original)
    elif kind == "inplace":
        _augmented(ev, op, target, value)
    else:
        _assign(ev, op, [target], value)


def _chain(value: Expr, target: Expr) -> Expr:
    targets: List[Expr] = []
    if value.kind == "chain":
        targets, value = value.parts
    targets = targets + [target]
    text = nodes.at(value, nodes.LAMBDA)
    for each in targets:
        text = f"({each.text} := {text})"
    return Expr(text, nodes.ATOM, "chain", (targets, value))


def _assign(ev: Evaluator, op: Op, targets: List[Expr], value: Expr) -> None:
    left = " = ".join([target.text for target in targets])
    ev.emit("assign", f"{left} = {value.text}", op)


def _augmented(ev: Evaluator, op: Op, target: Expr, value: Expr) -> None:
    symbol, left, right = value.parts
    if left.text != target.text:
        ev.fail(op, "an augmented assignment whose target differs")
    ev.emit("assign", f"{target.text} {symbol}= {nodes.no_bare_stars(right, right.text)}", op)


def _fill(ev: Evaluator, op: Op, waiting: Expr, target: Expr) -> None:
    pattern, place = waiting.parts
    if isinstance(pattern, Receiver):
        pattern.target = target
        return
    pattern.targets[place] = nodes.star(target) if place == pattern.starred else target
    pattern.left -= 1
    if pattern.left:
        return
    complete = _pattern_target(ev, pattern)
    if pattern.value.kind == "slot":
        _fill(ev, op, pattern.value, complete)
    elif ev.stack and ev.stack[-1] is pattern.value:
        ev.stack[-1] = _chain(pattern.value, complete)
    else:
        _store(ev, op, complete, pattern.value)


def _pattern_target(ev: Evaluator, pattern: Pattern) -> Expr:
    targets = [target for target in pattern.targets if target is not None]
    if not targets:
        return Expr("()", nodes.ATOM, "target tuple")
    text = _nested(targets[0])
    on_lines = False
    for target, following in zip(targets, targets[1:]):
        breaks = ev.version >= (3, 13) and _is_stored_twice(target, following)
        text += f",{_NEW_LINE if breaks else ' '}{_nested(following)}"
        on_lines = on_lines or breaks
    if on_lines:
        return Expr(f"({text})", nodes.ATOM, "target lines")
    return Expr(text + ("," if len(targets) == 1 else ""), nodes.TUPLE, "target tuple")


_NEW_LINE = "\n    "


def _is_stored_twice(target: Expr, following: Expr) -> bool:
    """Of two stores to one variable in a row 3.13 drops the first, unless lines are between."""
    return target.kind == "local target" == following.kind and target.text == following.text


def _nested(target: Expr) -> str:
    return (
        f"({target.text})" if target.kind == "target tuple" and target.text != "()" else target.text
    )


@rule("UNPACK")
def _unpack(ev: Evaluator, op: Op) -> None:
    _push_slots(ev, op, op.arg, -1)


@rule("UNPACK_EX")
def _unpack_ex(ev: Evaluator, op: Op) -> None:
    before, after = op.arg
    _push_slots(ev, op, before + 1 + after, before)


def _push_slots(ev: Evaluator, op: Op, count: int, starred: int) -> None:
    value = ev.stack.pop()
    if count == 1 and (ev.scope.kind in (ANNOTATION, TYPE_PARAMETERS) or _becomes_item(ev)):
        # `*args: *Ts` and `*Ts = *tuple[int]`.
        ev.stack.append(nodes.star(value))
        return
    pattern = Pattern(count, starred, value)
    if not count:
        complete = _pattern_target(ev, pattern)
        _store(
            ev,
            op,
            Expr("[]", nodes.ATOM, "target tuple") if complete.text == "()" else complete,
            value,
        )
        return
    ev.stack.extend(slot(pattern, place) for place in range(count - 1, -1, -1))


def _becomes_item(ev: Evaluator) -> bool:
    """Whether the value on top ends in a tuple, as annotations do, rather than in a target."""
    depth = ahead = 0
    while True:
        op = ev.next_op(ahead)
        if op is None or op.name not in PLAIN_OPERATIONS or op.name in SIMPLE_STORES:
            return False
        pops, pushes = stack_effect(op)
        if pops > depth:
            return op.name == "BUILD_TUPLE"
        depth += pushes - pops
        ahead += 1


@rule("STORE_FAST")
def _store_fast(ev: Evaluator, op: Op) -> None:
    ev.scope.bound.add(op.arg)
    value = ev.stack.pop()
    if not ev.stack and value.kind not in _STORED_OTHERWISE:
        # Most often: nothing but the value is there.
        ev.emit("assign", f"{ev.scope.name(op.arg)} = {value.text}", op)
        return
    if _several_stores(ev, op, value):
        return
    if _define(ev, op, value):
        return
    if ev.stack and not (value.kind == "local" and value.parts == op.arg):
        if ev.stack[-1] is value:
            ev.loosen_local(op.arg)
        else:
            ev.protect_local(op.arg, op)
    _store(ev, op, Expr(ev.scope.name(op.arg), nodes.ATOM, "local target"), value)


def _several_stores(ev: Evaluator, op: Op, value: Expr) -> bool:
    """LOAD a; LOAD b; STORE x; STORE y is `y, x = a, b`: newer compilers drop the swap.

    Of several stores to one variable they leave the one that counts, and drop the other values.
    """
    stack = ev.stack
    if not stack or value.kind == "slot" or stack[-1].kind in STATEMENT_MARKERS:
        return False
    if stack[-1] is value:
        return False
    targets, repeated = [op.arg], 0
    while True:
        following = ev.next_op(len(targets) - 1)
        if following is None or following.name not in _ENDS_OF_VALUES:
            break
        if len(targets) > len(stack) or stack[-len(targets)].kind in STATEMENT_MARKERS:
            break
        dropped = following.name == "POP_TOP"
        if dropped and ev.version < (3, 12):
            # Older compilers keep both stores: this is a value that somebody else drops.
            break
        repeated += dropped
        targets.append(targets[-1] if dropped else following.arg)
    count = len(targets)
    if count < 2 or len(set(targets)) != count - repeated:
        return False
    values = ev.pop_many(count - 1) + [value]
    if any(each.kind in NOT_PLAIN for each in values):
        ev.stack.extend(values[:-1])
        return False
    ev.at += count - 1
    names = [ev.scope.name(target) for target in reversed(targets)]
    for target in targets:
        ev.protect_local(target, op)
    ev.emit("assign", f"{', '.join(names)} = {nodes.tuple_of(values).text}", op)
    return True


_ENDS_OF_VALUES = frozenset(("STORE_FAST", "POP_TOP"))
STATEMENT_MARKERS = frozenset(
    ("loop", "exit", "exception", "null", "slot", "previous", "accumulator", "locals", "lasti")
    + ("type params",)
)
NOT_PLAIN = STATEMENT_MARKERS | frozenset(
    ("func", "class", "decorated", "import", "import from", "inplace")
)


@rule("STORE_NAME", "STORE_DEREF")
def _store_name(ev: Evaluator, op: Op) -> None:
    value = ev.stack.pop()
    if op.name == "STORE_DEREF" and op.arg in ev.scope.code.freevars:
        ev.scope.nonlocals.add(op.arg)
    if not _define(ev, op, value):
        _store(ev, op, Expr(ev.scope.name(op.arg), nodes.ATOM, "target"), value)


@rule("STORE_GLOBAL")
def _store_global(ev: Evaluator, op: Op) -> None:
    value = ev.stack.pop()
    ev.scope.globals.add(op.arg)
    if not _define(ev, op, value):
        _store(ev, op, Expr(ev.scope.name(op.arg), nodes.ATOM, "target"), value)


_DEFINITIONS = frozenset(("func", "class", "decorated", "import", "import from", "type alias"))
# Whose text is not what stands behind `=`.
_STORED_OTHERWISE = _DEFINITIONS | _HIDDEN_VALUES | {"slot", "exception", "chain", "inplace"}


def _define(ev: Evaluator, op: Op, value: Expr) -> bool:
    """Names that are bound by `def`, `class` and `import`."""
    kind = value.kind
    if kind not in _DEFINITIONS:
        return False
    if kind == "type alias":
        if value.parts not in (op.arg, _written_name(ev, op, value.parts)):
            ev.fail(op, "a type alias is stored under another name")
        ev.emit(kind, value.text, op)
        return True
    if kind in ("import", "import from"):
        bind_import(ev, op, value)
        return True
    decorators: List[Expr] = []
    while value.kind == "decorated":
        decorator, value = value.parts
        decorators.append(decorator)
    if value.kind == "func":
        if not decorators and annotated.define(ev, op, value):
            return True
        name = _written_name(ev, op, value.parts.code.name)
        if value.parts.code.name not in (op.arg, name):
            ev.fail(op, "a function is stored under another name")
        if value.parts.body is None:
            functions.build_body(ev, value.parts)
        ev.add(FunctionDef(value.parts, name, decorators), op)
    else:
        stmt = value.parts
        stmt.name = _written_name(ev, op, stmt.info.code.name)
        stmt.decorators = decorators
        ev.add(stmt, op)
    return True


def _written_name(ev: Evaluator, op: Op, own: str) -> str:
    """What a definition is called in the text; `own` is what it calls itself.

    3.12 takes private names behind a generic class for some of that class.
    """
    is_private = own.startswith("__") and not own.endswith("__")
    if is_private and op.arg != own and op.arg.startswith("_") and op.arg.endswith(own):
        return own
    return ev.scope.name(op.arg)


@rule("STORE_ATTR")
def _store_attr(ev: Evaluator, op: Op) -> None:
    value, owner = ev.pop_many(2)
    target = nodes.attribute(owner, ev.scope.name(op.arg))
    if value.kind == "inplace" and value.parts[1].kind == "attr":
        same = value.parts[1].parts[0] is owner and value.parts[1].parts[1] == target.parts[1]
        plain = owner.stable or owner.kind == "local"
        if not same and not (plain and value.parts[1].text == target.text):
            ev.fail(op, "an augmented assignment whose target differs")
    _store(ev, op, target, value)


@rule("STORE_SUBSCR")
def _store_subscr(ev: Evaluator, op: Op) -> None:
    value, owner, index = ev.pop_many(3)
    if _annotation(ev, op, value, owner, index):
        return
    _store(ev, op, ev.subscript(owner, index), value)


def _annotation(ev: Evaluator, op: Op, value: Expr, owner: Expr, index: Expr) -> bool:
    """`x: T` stores T into __annotations__."""
    if owner.kind == "annotations":
        stmt = Annotation(index.parts, value)
        ev.add(stmt, op)
        # The store counts as a part of the class statement, the name stands where it was written.
        stmt.line = ev.ops[ev.at - 2].line
        return True
    if owner.text != "__annotations__" or owner.kind != "name" or index.kind != "const":
        return False
    if not ev.scope.annotates or type(index.parts) is not str or not is_name(index.parts):
        return False
    name = ev.scope.name(index.parts)
    previous = ev.out[-1] if ev.out else None
    annotation = annotated.text(annotated.as_written(ev.scope.code, value))
    if (
        previous is not None
        and previous.kind == "assign"
        and previous.text.startswith(name + " = ")
    ):
        previous.text = f"{name}: {annotation} = {previous.text[len(name) + 3 :]}"
        previous.kind = "annotated"
        return True
    ev.emit("annotated", f"{name}: {annotation}", op)
    return True


@rule("STORE_SLICE")
def _store_slice(ev: Evaluator, op: Op) -> None:
    value, owner, start, stop = ev.pop_many(4)
    _store(ev, op, ev.subscript(owner, ev.slice_of([start, stop])), value)


@rule("DELETE_FAST", "DELETE_NAME", "DELETE_DEREF", "DELETE_GLOBAL")
def _delete_name(ev: Evaluator, op: Op) -> None:
    if op.name == "DELETE_GLOBAL":
        ev.scope.globals.add(op.arg)
    if op.name == "DELETE_DEREF" and op.arg in ev.scope.code.freevars:
        ev.scope.nonlocals.add(op.arg)
    ev.protect_local(op.arg, op)
    ev.emit("delete", f"del {ev.scope.name(op.arg)}", op)


@rule("DELETE_ATTR")
def _delete_attr(ev: Evaluator, op: Op) -> None:
    ev.emit("delete", f"del {nodes.attribute(ev.stack.pop(), ev.scope.name(op.arg)).text}", op)


@rule("DELETE_SUBSCR")
def _delete_subscr(ev: Evaluator, op: Op) -> None:
    owner, index = ev.pop_many(2)
    ev.emit("delete", f"del {ev.subscript(owner, index).text}", op)


def _dropped_target(ev: Evaluator) -> str:
    """Of two stores to one name in a row the compiler drops the first."""
    ahead = 0
    op = ev.next_op()
    while op is not None and op.name == "POP_TOP":
        ahead += 1
        op = ev.next_op(ahead)
    return ev.scope.name(op.arg) if op is not None and op.name == "STORE_FAST" else "_"


@rule("POP_TOP")
def _pop_top(ev: Evaluator, op: Op) -> None:
    value = ev.stack.pop()
    kind = value.kind
    if kind == "import":
        finish_import(ev, op, value)
    elif kind == "import from":
        # `import a.b.c as d` fetches b and then c, and drops what it came through.
        pass
    elif kind == "slot" and isinstance(value.parts[0], Receiver):
        pass
    elif kind == "slot":
        _fill(ev, op, value, Expr(_dropped_target(ev), nodes.ATOM, "target"))
    elif kind in STATEMENT_MARKERS:
        pass
    elif kind == "chain":
        targets, _original = value.parts
        if all(target.kind in ("target", "local target") for target in targets):
            ev.emit("expression", value.text, op)
        else:
            ev.fail(op, "an assigned value is dropped")
    elif kind in ("class", "func", "decorated", "code"):
        ev.fail(op, "a definition is dropped")
    elif ev.stack and value.stable and any(other is value for other in ev.stack):
        pass
    elif kind == "yield" and ev.scope.kind == "comprehension":
        ev.add(Element([value.parts]), op)
    elif kind == "const" and ev.version in _KEEPS_CONSTANT_SUBJECTS:
        # A constant alone compiles to nothing; only `match` loads one to drop it.
        ev.add(Match(value, [("_", None, [])]), op)
    elif kind == "const" and ev.version >= (3, 12) and ev.scope.options.facts is None:
        # What is left of `1 or f()`.
        ev.emit("expression", nodes.kept(value).text, op)
    else:
        text = value.text
        if kind == "const" and type(value.parts) is str:
            text = f"({text})"
        ev.emit("expression", text, op)


_KEEPS_CONSTANT_SUBJECTS = ((3, 10), (3, 11))
