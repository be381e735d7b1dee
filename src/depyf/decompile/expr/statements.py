"""Statements: what the evaluator makes and the emitter prints. Bodies are lists of statements."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from depyf.decompile.expr.nodes import TUPLE, Expr, at

Body = List["Stmt"]


# How statements call themselves that say what a function or class is for.
DOCSTRINGS = frozenset(("docstring", "indented docstring"))


class Stmt:
    """A simple statement is its text. `offset` is the bytecode offset where it ends."""

    __slots__ = ("kind", "text", "offset", "line")

    def __init__(self, kind: str, text: str, offset: int = -1, line: Optional[int] = None) -> None:
        self.kind = kind
        self.text = text
        self.offset = offset
        self.line = line

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text}>"


class Return(Stmt):
    __slots__ = ("value",)

    def __init__(self, value: Expr) -> None:
        text = "return" if is_none(value) else f"return {at(value, TUPLE)}"
        Stmt.__init__(self, "return", text)
        self.value = value


def is_none(value: Expr) -> bool:
    return value.kind == "const" and value.parts is None


class If(Stmt):
    """`clauses` are (test, body): the first is `if`, the others are `elif`."""

    __slots__ = ("clauses", "orelse")

    def __init__(self, clauses: List[Tuple[Expr, Body]], orelse: Body) -> None:
        super().__init__("if", "")
        self.clauses = clauses
        self.orelse = orelse


class While(Stmt):
    __slots__ = ("test", "body", "orelse")

    def __init__(self, test: Optional[Expr], body: Body, orelse: Body) -> None:
        super().__init__("while", "")
        self.test = test
        self.body = body
        self.orelse = orelse


class For(Stmt):
    __slots__ = ("target", "iterable", "body", "orelse", "is_async")

    def __init__(
        self, target: Expr, iterable: Expr, body: Body, orelse: Body, is_async: bool
    ) -> None:
        super().__init__("for", "")
        self.target = target
        self.iterable = iterable
        self.body = body
        self.orelse = orelse
        self.is_async = is_async


class Handler:
    """One `except` clause; `test` is None for a bare one."""

    __slots__ = ("test", "name", "body", "offset")

    def __init__(
        self, test: Optional[Expr], name: Optional[str], body: Body, offset: int = -1
    ) -> None:
        self.test = test
        self.name = name
        self.body = body
        self.offset = offset


class Try(Stmt):
    __slots__ = ("body", "handlers", "orelse", "final", "star")

    def __init__(
        self, body: Body, handlers: List[Handler], orelse: Body, final: Body, star: bool = False
    ) -> None:
        super().__init__("try", "")
        self.body = body
        self.handlers = handlers
        self.orelse = orelse
        self.final = final
        self.star = star


class With(Stmt):
    """`items` are (manager, target or None)."""

    __slots__ = ("items", "body", "is_async")

    def __init__(
        self, items: List[Tuple[Expr, Optional[Expr]]], body: Body, is_async: bool
    ) -> None:
        super().__init__("with", "")
        self.items = items
        self.body = body
        self.is_async = is_async


class Match(Stmt):
    """`cases` are (pattern text, guard or None, body)."""

    __slots__ = ("subject", "cases")

    def __init__(self, subject: Expr, cases: List[Tuple[str, Optional[Expr], Body]]) -> None:
        super().__init__("match", "")
        self.subject = subject
        self.cases = cases


class FunctionDef(Stmt):
    """`info` is a `functions.FunctionInfo`; decorators are outermost first."""

    __slots__ = ("info", "name", "decorators")

    def __init__(self, info: Any, name: str, decorators: List[Expr]) -> None:
        super().__init__("def", "")
        self.info = info
        self.name = name
        self.decorators = decorators


class ClassDef(Stmt):
    """`arguments` are the texts between the parentheses."""

    __slots__ = ("info", "name", "arguments", "decorators", "type_params")

    def __init__(
        self, info: Any, name: str, arguments: List[str], decorators: List[Expr], type_params: str
    ) -> None:
        super().__init__("class", "")
        self.info = info
        self.name = name
        self.arguments = arguments
        self.decorators = decorators
        self.type_params = type_params


class Annotation(Stmt):
    """`name: value` that is evaluated on demand; `number` tells conditional ones apart."""

    __slots__ = ("name", "value", "number")

    def __init__(self, name: str, value: Optional[Expr]) -> None:
        super().__init__("annotation", "")
        self.name = name
        self.value = value
        self.number: Optional[int] = None


class Element(Stmt):
    """What a comprehension adds to its collection: one value, or key and value."""

    __slots__ = ("values",)

    def __init__(self, values: List[Expr]) -> None:
        super().__init__("element", "")
        self.values = values


class Suite(Stmt):
    """Any other statement with one body: `text` is its header without the colon."""

    __slots__ = ("body",)

    def __init__(self, header: str, body: Body) -> None:
        super().__init__("suite", header)
        self.body = body


def suites(stmt: Stmt) -> List[Body]:
    """The bodies directly inside a statement."""
    if type(stmt) is Stmt or type(stmt) is Return:
        return []
    if isinstance(stmt, If):
        return [body for _test, body in stmt.clauses] + [stmt.orelse]
    if isinstance(stmt, (While, For)):
        return [stmt.body, stmt.orelse]
    if isinstance(stmt, Try):
        return [stmt.body, *(handler.body for handler in stmt.handlers), stmt.orelse, stmt.final]
    if isinstance(stmt, With):
        return [stmt.body]
    cases = getattr(stmt, "cases", ())
    return [body for _pattern, _guard, body in cases]
