"""The evaluator of a dispatch loop: every value on the stack is a real value.

The pretty rungs keep iterators, exit functions and exceptions on the stack as markers that belong
to a statement. Here no statement is left that they could belong to, so the operations on them
are written out: `iter`, `next`, look-up and call of `__exit__`, a `match` for each test.
"""

from __future__ import annotations

from typing import Callable, Dict, FrozenSet, List, Sequence

from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import nodes
from depyf.decompile.expr.evaluator import RULES, CannotEvaluate, Evaluator, NotAnExpression, Rule
from depyf.decompile.expr.functions import FunctionInfo
from depyf.decompile.expr.literals import constant
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import FUNCTION, Scope
from depyf.decompile.expr.statements import ClassDef, FunctionDef, Stmt
from depyf.decompile.structure.copies import Irregular
from depyf.decompile.structure.dispatch_names import Names
from depyf.decompile.structure.tree_nodes import Unstructured

# Exceptions being handled, as values; `parts` is the level of the `except` clause they belong to.
RAISED = frozenset(("raised", "raised type", "raised traceback"))
DEFINITIONS = frozenset(("func", "class", "decorated"))

# What is raised where operations do not make the expression that they should.
NO_EXPRESSION = (CannotEvaluate, NotAnExpression, Irregular, Unstructured)

OWN_RULES: Dict[str, Rule] = {}
Own = Callable[["DispatchEvaluator", Op], None]


def own(*names: str) -> Callable[[Own], Own]:
    """Register a rule that replaces the usual one."""

    def register(function: Own) -> Own:
        for name in names:
            OWN_RULES[name] = function  # type: ignore[assignment]
        return function

    return register


class DispatchEvaluator(Evaluator):
    """`level` counts the `except` clauses around the block that is evaluated."""

    __slots__ = ("names", "level", "left_level", "slots", "bound", "enters")

    def __init__(
        self,
        names: Names,
        stack: List[Expr],
        level: int,
        exception_slots: int,
        bound: FrozenSet[str],
    ) -> None:
        super().__init__(names.scope, stack)
        self.enters = False
        # Locals that always have a value.
        self.bound = bound
        self.names = names
        self.level = level
        # The level behind the last POP_EXCEPT.
        self.left_level = level
        self.slots = exception_slots

    def run(self, ops: Sequence[Op]) -> None:
        self.ops = ops
        self.at = 0
        count = len(ops)
        try:
            while self.at < count:
                op = ops[self.at]
                self.at += 1
                (OWN_RULES.get(op.name) or RULES[op.name])(self, op)
        except IndexError:
            self.fail(ops[self.at - 1], "the stack is empty")
        except KeyError:
            self.fail(ops[self.at - 1], f"{ops[self.at - 1].name} cannot stand here")

    def spill(self, op: Op) -> None:
        """Locals that may be unbound are read now: later the error would come too late."""
        for place, value in enumerate(self.stack):
            if not self.is_settled(value):
                self.stack[place] = self.to_temporary(value, op)

    def is_settled(self, value: Expr) -> bool:
        return value.stable and (value.kind != "local" or value.parts in self.bound)

    def usual(self, op: Op) -> None:
        RULES[op.name](self, op)

    def succeeds(self, op: Op) -> bool:
        """Try the usual rule; when it fails nothing has happened."""
        stack, written = list(self.stack), len(self.out)
        try:
            self.usual(op)
            return True
        except NO_EXPRESSION:
            self.stack[:] = stack
            del self.out[written:]
            return False

    def to_temporary(self, value: Expr, op: Op) -> Expr:
        if value.kind in DEFINITIONS:
            return value if self.is_carried(value) else self.define(value, op)
        if _is_closure(value):
            return value
        return self.save(value_text(self.names, value), op)

    def is_carried(self, value: Expr) -> bool:
        """Bodies of classes and comprehensions wait for their call, wherever that is."""
        if value.kind != "func":
            return False
        if value.parts.is_comprehension or value.parts.code.name.startswith("<generic"):
            return True
        return any(other.kind == "build class" for other in self.stack)

    def save(self, text: str, op: Op) -> Expr:
        """A temporary with the value of `text`."""
        temporary = self.scope.temporary()
        self.out.append(Stmt("temporary", f"{temporary.text} = {text}", op.offset, op.line))
        return temporary

    def define(self, value: Expr, op: Op) -> Expr:
        """A function or class that is not stored at once is defined under a temporary's name."""
        decorators: List[Expr] = []
        while value.kind == "decorated":
            decorator, value = value.parts
            decorators.append(decorator)
        temporary = self.scope.temporary()
        code = value.parts.code if value.kind == "func" else value.parts.info.code
        if value.kind == "func":
            _build_as_function(self, value.parts)
            stmt: Stmt = FunctionDef(value.parts, temporary.text, decorators)
        else:
            assert isinstance(value.parts, ClassDef)
            value.parts.name, value.parts.decorators = temporary.text, decorators
            stmt = value.parts
        stmt.offset, stmt.line = op.offset, op.line
        self.out.append(stmt)
        if not decorators:
            for attribute, text in (("__name__", code.name), ("__qualname__", code.qualname)):
                self.out.append(Stmt("assign", f"{temporary.text}.{attribute} = {text!r}"))
        return temporary


def _build_as_function(ev: DispatchEvaluator, info: FunctionInfo) -> None:
    """The body of a definition; lambdas and comprehensions that hold statements become one too."""
    if info.body is not None and not info.code.name.startswith("<"):
        return
    info.scope = Scope(info.code, ev.scope, FUNCTION, ev.scope.options)
    decompile_nested = ev.scope.options.decompile_nested
    assert decompile_nested is not None
    info.body = decompile_nested(info.code, info.scope)


def _is_closure(value: Expr) -> bool:
    return (
        value.kind == "tuple"
        and bool(value.parts)
        and all(item.kind == "cell" for item in value.parts)
    )


def value_text(names: Names, value: Expr) -> str:
    """`value` on the right of an assignment."""
    if value.kind == "slice":
        parts = [nodes.at(part, nodes.LAMBDA) for part in value.parts]
        return f"{names.builtin('slice')}({', '.join(parts)})"
    if value.kind == "const" and type(value.parts) is tuple and slice in map(type, value.parts):
        # 3.14 has constants for what only an index can say: `a[1, 2:]`.
        value = nodes.tuple_of([part for part in map(constant, value.parts) if part is not None])
    is_tuple = value.kind == "tuple" or value.kind in nodes.STARRED_TUPLES
    if is_tuple and any(part.kind == "slice" for part in value.parts):
        texts = [
            part.text if part.kind == "star" else item_text(names, part) for part in value.parts
        ]
        return f"({', '.join(texts)},)"
    if "<function>" in value.text or "<code>" in value.text:
        raise CannotEvaluate("a definition is part of a value")
    return value.text


def item_text(names: Names, value: Expr) -> str:
    """`value` between commas."""
    text = value_text(names, value)
    return text if value.level >= nodes.LAMBDA or value.kind == "slice" else f"({text})"
