"""The symbolic machine: runs operations on a stack of expressions and writes down statements.

Order is sacred. Values on the stack that are not `stable` stand there in the order in which they
were evaluated, each once; a statement, or a shuffle that would break this, first gives them
temporaries. So an operand may be written in place exactly when that keeps the order.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Sequence

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import nodes
from depyf.decompile.expr.fstrings import unoptimised_template
from depyf.decompile.expr.literals import constant
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import Scope
from depyf.decompile.expr.statements import Body, Stmt
from depyf.errors import DepyfError


class NotAnExpression(DepyfError):
    """Operations that were thought to compute one value do more, or less."""


class CannotEvaluate(DepyfError):
    """Operations that make no sense in this place; another way to structure them is tried."""


Rule = Callable[["Evaluator", Op], None]


class Evaluator:
    """One run over operations. With `pure` set, anything but an expression is refused."""

    __slots__ = ("scope", "stack", "out", "pure", "ops", "at", "accumulator", "version")

    def __init__(self, scope: Scope, stack: List[Expr], pure: bool = False) -> None:
        self.scope = scope
        self.version = scope.code.version
        self.stack = stack
        self.out: Body = []
        self.pure = pure
        self.ops: Sequence[Op] = ()
        self.at = 0
        # The collection that a comprehension fills.
        self.accumulator: Optional[Expr] = None

    def run(self, ops: Sequence[Op]) -> None:
        """Evaluate `ops`; rules may look ahead in `self.ops` and move `self.at`."""
        rules = RULES
        self.ops = ops
        at, count = 0, len(ops)
        try:
            while at < count:
                op = ops[at]
                self.at = at + 1
                rules[op.name](self, op)
                at = self.at
        except IndexError:
            self.fail(ops[self.at - 1], "the stack is empty")
        except KeyError:
            self.fail(ops[self.at - 1], f"{ops[self.at - 1].name} cannot stand here")

    def fail(self, op: Op, why: str) -> None:
        if self.pure:
            raise NotAnExpression(why)
        raise CannotEvaluate(f"{op.name} at offset {op.offset}: {why}")

    def subscript(self, owner: Expr, index: Expr) -> Expr:
        return nodes.subscript(owner, index, bare_stars=self.version >= (3, 11))

    def slice_of(self, bounds: List[Expr]) -> Expr:
        """3.14 makes one constant of a slice of literals, but not of `x[: 1 << 9]`.

        There the bound is computed too late for that. A sign in the text does the same.
        """
        if self.version >= (3, 14) and all(bound.kind == "const" for bound in bounds):
            for place, bound in enumerate(bounds):
                if type(bound.parts) is int and bound.parts >= 0:
                    signed = Expr(f"+{bound.text}", nodes.UNARY, "const", bound.parts, True)
                    return nodes.slice_of([*bounds[:place], signed, *bounds[place + 1 :]])
        return nodes.slice_of(bounds)

    def push(self, expr: Expr) -> None:
        self.stack.append(expr)

    def pop(self) -> Expr:
        return self.stack.pop()

    def pop_many(self, count: int) -> List[Expr]:
        if not count:
            return []
        stack = self.stack
        if len(stack) < count:
            raise IndexError
        values = stack[-count:]
        del stack[-count:]
        return values

    def emit(self, kind: str, text: str, op: Op) -> None:
        self.add(Stmt(kind, text), op)

    def add(self, stmt: Stmt, op: Op) -> None:
        """Append a statement, behind everything that was evaluated before it."""
        if self.pure:
            raise NotAnExpression(stmt.kind)
        if self.stack:
            self.spill(op)
        stmt.offset = op.offset
        stmt.line = op.line
        self.out.append(stmt)

    def spill(self, op: Op) -> None:
        """Give every unstable value on the stack a temporary, in order of evaluation."""
        for place, value in enumerate(self.stack):
            if not value.stable:
                self.stack[place] = self.to_temporary(value, op)

    def to_temporary(self, value: Expr, op: Op) -> Expr:
        if self.pure:
            raise NotAnExpression("a temporary is needed")
        if value.kind in _NO_VALUE:
            raise CannotEvaluate(f"{op.name} at offset {op.offset}: {value.kind} is no value")
        temporary = self.scope.temporary()
        stmt = Stmt("temporary", f"{temporary.text} = {value.text}", op.offset, op.line)
        self.out.append(stmt)
        for place, other in enumerate(self.stack):
            if other is value:
                self.stack[place] = temporary
        return temporary

    def protect_local(self, name: str, op: Op) -> None:
        """Before a local changes: values on the stack that read it are saved."""
        for place, value in enumerate(self.stack):
            if value.kind == "local" and value.parts == name:
                temporary = self.scope.temporary()
                if self.pure:
                    raise NotAnExpression("a temporary is needed")
                self.out.append(
                    Stmt("temporary", f"{temporary.text} = {value.text}", op.offset, op.line)
                )
                self.stack[place] = temporary

    def loosen_local(self, name: str) -> None:
        """Before an expression changes a local: values that read it keep their place before it."""
        loose: Dict[int, Expr] = {}
        for place, value in enumerate(self.stack):
            if value.kind == "local" and value.parts == name and value.stable:
                # One object twice, as COPY leaves it, stays one object.
                made = loose.setdefault(id(value), Expr(value.text, nodes.ATOM, "local", name))
                self.stack[place] = made

    def next_op(self, ahead: int = 0) -> Optional[Op]:
        place = self.at + ahead
        return self.ops[place] if place < len(self.ops) else None


# Things on the stack that are half of a statement and cannot be given a name.
_NO_VALUE = frozenset(
    ("slot", "func", "class", "decorated", "import", "chain", "code", "class cell")
)

RULES: Dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a function for operations."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[name] = function
        return function

    return register


@rule("LOAD_CONST")
def _load_const(ev: Evaluator, op: Op) -> None:
    value = op.arg
    expr = constant(value)
    if expr is not None and expr.kind == "frozenset" and not _is_read_at_once(ev.next_op()):
        expr = None
    if expr is None:
        if isinstance(value, Code):
            expr = Expr("<code>", nodes.ATOM, "code", value, True)
        else:
            expr = ev.scope.placeholder(value)
    ev.stack.append(expr)


_READS_SETS = ("GET_ITER", "GET_AITER", "SET_UPDATE")
_IN = ("in", "not in")


def _is_read_at_once(following: Optional[Op]) -> bool:
    """The compiler makes a frozenset of `{1, 2}` only where nobody can keep it."""
    if following is None:
        return False
    return following.name in _READS_SETS or (following.name == "COMPARE" and following.arg in _IN)


@rule("LOAD_OBJECT")
def _load_object(ev: Evaluator, op: Op) -> None:
    value = op.arg
    if isinstance(value, Code) and value.live is not None:
        value = value.live
    ev.stack.append(ev.scope.placeholder(value))


@rule("LOAD_FAST")
def _load_fast(ev: Evaluator, op: Op) -> None:
    ev.stack.append(Expr(ev.scope.name(op.arg), nodes.ATOM, "local", op.arg, True))


@rule("LOAD_DEREF", "LOAD_CLASSDEREF")
def _load_deref(ev: Evaluator, op: Op) -> None:
    ev.scope.loaded.add(op.arg)
    ev.stack.append(Expr(ev.scope.name(op.arg), nodes.ATOM, "name", op.arg))


@rule("LOAD_NAME")
def _load_name(ev: Evaluator, op: Op) -> None:
    ev.stack.append(Expr(ev.scope.name(op.arg), nodes.ATOM, "name", op.arg))


@rule("LOAD_GLOBAL")
def _load_global(ev: Evaluator, op: Op) -> None:
    scope = ev.scope
    if scope.kind == "class" or scope.kind == "module" or scope.encloses(op.arg):
        # `assert` in 3.8 looks the exception up as a global, whatever is declared.
        if op.arg != "AssertionError" or ev.version != (3, 8):
            scope.globals.add(op.arg)
    if op.arg == "super":
        scope.loaded.add("super")
    ev.stack.append(Expr(scope.name(op.arg), nodes.ATOM, "name", op.arg))


@rule("LOAD_CLOSURE")
def _load_closure(ev: Evaluator, op: Op) -> None:
    ev.scope.loaded.add(op.arg)
    ev.scope.captured.add(op.arg)
    ev.stack.append(Expr(ev.scope.name(op.arg), nodes.ATOM, "cell", op.arg, True))


@rule("LOAD_FROM_DICT_OR_DEREF", "LOAD_FROM_DICT_OR_GLOBALS")
def _load_from_dict(ev: Evaluator, op: Op) -> None:
    ev.scope.loaded.add(op.arg)
    ev.stack.pop()
    ev.stack.append(Expr(ev.scope.name(op.arg), nodes.ATOM, "name", op.arg))


@rule("LOAD_LOCALS")
def _load_locals(ev: Evaluator, op: Op) -> None:
    ev.stack.append(nodes.marker("locals"))


@rule("LOAD_ASSERTION_ERROR")
def _load_assertion_error(ev: Evaluator, op: Op) -> None:
    ev.stack.append(Expr("AssertionError", nodes.ATOM, "assertion error", None))


@rule("LOAD_COMMON")
def _load_common(ev: Evaluator, op: Op) -> None:
    ev.stack.append(Expr(op.arg, nodes.ATOM, "name", op.arg))


@rule("LOAD_ATTR")
def _load_attr(ev: Evaluator, op: Op) -> None:
    stack = ev.stack
    stack[-1] = nodes.attribute(stack[-1], ev.scope.name(op.arg))


@rule("LOAD_METHOD")
def _load_method(ev: Evaluator, op: Op) -> None:
    stack = ev.stack
    stack[-1] = nodes.attribute(stack[-1], ev.scope.name(op.arg))
    stack.append(_NULL)


_NULL = nodes.marker("null")


@rule("PUSH_NULL")
def _push_null(ev: Evaluator, op: Op) -> None:
    ev.stack.append(_NULL)


@rule("UNARY")
def _unary(ev: Evaluator, op: Op) -> None:
    operand = ev.stack[-1]
    if _would_be_negated(op.arg, operand) and ev.scope.options.facts is None:
        # `-(2 or a)`, as below. Of the choice between arms 3.14 computes even that.
        operand = nodes.kept(operand) if ev.version >= (3, 14) else nodes.chosen(operand)
    ev.stack[-1] = nodes.unary(op.arg, operand)


@rule("BINARY")
def _binary(ev: Evaluator, op: Op) -> None:
    right = ev.stack.pop()
    left = ev.stack[-1]
    if op.arg == "%" and right.kind == "tuple" and left.kind == "const" and type(left.parts) is str:
        if ev.version >= (3, 11):
            left = unoptimised_template(left)
    if _would_be_folded(op.arg, left, right) and ev.scope.options.facts is None:
        # `1 / (a if 0 else 2)`: one of them was chosen before the compiler computes anything.
        right = nodes.chosen(right)
    ev.stack[-1] = nodes.binary(op.arg, left, right)


_INTEGERS = frozenset((int, bool))
_NUMBERS = _INTEGERS | {float, complex}
_DISPLAYS = frozenset((str, bytes, tuple))
_OF_NUMBERS, _OF_INTEGERS = frozenset("+ - * / // %".split()), frozenset("& | ^".split())
_DIVISIONS = frozenset(("/", "//", "%"))
_SMALL, _SHORT = 1 << 32, 256


def _would_be_negated(symbol: str, operand: Expr) -> bool:
    numbers = _INTEGERS if symbol == "~" else _NUMBERS
    return operand.kind == "const" and type(operand.parts) in numbers


def _would_be_folded(symbol: str, left: Expr, right: Expr) -> bool:
    """Whether every compiler computes this itself. What may fail or become large is left alone."""
    if left.kind != "const" or right.kind != "const":
        return False
    one, other = left.parts, right.parts
    kinds = {type(one), type(other)}
    if kinds <= _NUMBERS:
        known = _OF_NUMBERS if not kinds <= _INTEGERS else _OF_NUMBERS | _OF_INTEGERS
        is_small = abs(one) < _SMALL and abs(other) < _SMALL
        return symbol in known and is_small and not (symbol in _DIVISIONS and not other)
    if symbol == "*" and type(other) is int and type(one) in _DISPLAYS:
        return len(one) * other <= _SHORT
    return symbol == "+" and len(kinds) == 1 and kinds <= _DISPLAYS


@rule("INPLACE")
def _inplace(ev: Evaluator, op: Op) -> None:
    right = ev.stack.pop()
    left = ev.stack[-1]
    expr = Expr(
        f"{left.text} {op.arg}= {right.text}", nodes.YIELD, "inplace", (op.arg, left, right)
    )
    ev.stack[-1] = expr


@rule("COMPARE")
def _compare(ev: Evaluator, op: Op) -> None:
    right = ev.stack.pop()
    ev.stack[-1] = nodes.compare(ev.stack[-1], [(op.arg, right)], ev.version >= (3, 14))


@rule("SUBSCR")
def _subscr(ev: Evaluator, op: Op) -> None:
    index = ev.stack.pop()
    ev.stack[-1] = ev.subscript(ev.stack[-1], index)


@rule("SLICE")
def _slice(ev: Evaluator, op: Op) -> None:
    owner, *bounds = ev.pop_many(3)
    ev.stack.append(ev.subscript(owner, ev.slice_of(bounds)))


@rule("BUILD_SLICE")
def _build_slice(ev: Evaluator, op: Op) -> None:
    ev.stack.append(ev.slice_of(ev.pop_many(op.arg)))


@rule("TEST_NONE")
def _test_none(ev: Evaluator, op: Op) -> None:
    ev.stack[-1] = nodes.is_none(ev.stack[-1])


# The next are made when conditions are folded; their arguments are finished expressions.


# Compilers that let a test jump past the test around it, but only within one line.
_SHORTCUTS_ON_ONE_LINE = frozenset(((3, 10), (3, 11)))


@rule("FOLD_GROUP")
def _fold_group(ev: Evaluator, op: Op) -> None:
    ev.stack[-1] = nodes.grouped(ev.stack[-1], ev.version in _SHORTCUTS_ON_ONE_LINE)


@rule("FOLD_AND")
def _fold_and(ev: Evaluator, op: Op) -> None:
    ev.stack[-1] = nodes.boolean("and", _tested(ev, ev.stack[-1]), op.arg)


@rule("FOLD_OR")
def _fold_or(ev: Evaluator, op: Op) -> None:
    ev.stack[-1] = nodes.boolean("or", _tested(ev, ev.stack[-1]), op.arg)


def _tested(ev: Evaluator, value: Expr) -> Expr:
    """Since 3.10 no compiler tests a constant, but for one that is left of `(1 or a) or b`."""
    return nodes.kept(value) if value.kind == "const" and ev.version >= (3, 10) else value


@rule("FOLD_NOT")
def _fold_not(ev: Evaluator, op: Op) -> None:
    ev.stack[-1] = nodes.negate(ev.stack[-1])


@rule("FOLD_TERNARY")
def _fold_ternary(ev: Evaluator, op: Op) -> None:
    ev.stack[-1] = nodes.ternary(ev.stack[-1], *op.arg)


@rule("FOLD_CHAIN")
def _fold_chain(ev: Evaluator, op: Op) -> None:
    right = ev.stack.pop()
    symbol, rest = op.arg
    ev.stack[-1] = nodes.compare(ev.stack[-1], [(symbol, right), *rest])


@rule("AWAIT")
def _await(ev: Evaluator, op: Op) -> None:
    value = ev.stack[-1]
    if value.kind in ("enter", "comprehension"):
        # An asynchronous comprehension is awaited by itself.
        return
    ev.stack[-1] = Expr(f"await {nodes.at(value, nodes.ATOM)}", nodes.AWAIT, "await")


@rule("YIELD")
def _yield(ev: Evaluator, op: Op) -> None:
    ev.scope.loaded.add("yield")
    value = ev.stack.pop()
    nothing = value.kind == "const" and value.parts is None
    text = "yield" if nothing else f"yield {nodes.at(value, nodes.TUPLE)}"
    ev.stack.append(Expr(text, nodes.YIELD, "yield", value))


@rule("YIELD_FROM")
def _yield_from(ev: Evaluator, op: Op) -> None:
    ev.scope.loaded.add("yield")
    value = ev.stack.pop()
    ev.stack.append(
        Expr(f"yield from {nodes.at(value, nodes.LAMBDA)}", nodes.YIELD, "yield", value)
    )


@rule("GET_ITER", "GET_AITER")
def _get_iter(ev: Evaluator, op: Op) -> None:
    value = ev.stack.pop()
    maker = "iter" if op.name == "GET_ITER" else "aiter"
    ev.stack.append(Expr(f"{maker}({nodes.at(value, nodes.LAMBDA)})", nodes.ATOM, "iter", value))


@rule("SETUP_ANNOTATIONS")
def _setup_annotations(ev: Evaluator, op: Op) -> None:
    ev.scope.annotates = True


@rule("PASS")
def _pass(ev: Evaluator, op: Op) -> None:
    ev.emit("pass", "pass", op)


@rule("ENTER", "LEAVE_LOOP")
def _nothing(ev: Evaluator, op: Op) -> None:
    pass
