"""Statements -> source text. Remembers for every line the bytecode offset it came from."""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.expr import scope as scopes
from depyf.decompile.expr.functions import (
    FunctionInfo,
    comprehension_text,
    function_text,
    signature,
    value_text,
)
from depyf.decompile.expr.nodes import LAMBDA, TUPLE, Expr, at, no_bare_stars
from depyf.decompile.expr.scope import Scope
from depyf.decompile.expr.statements import (
    Body,
    ClassDef,
    For,
    FunctionDef,
    If,
    Match,
    Stmt,
    Suite,
    Try,
    While,
    With,
)

# (line, code object, offset): lines count from 1.
LineMap = List[Tuple[int, Code, int]]


class Printer:
    """Collects lines. `line_map` pairs line numbers (from 1) with (code object, offset)."""

    def __init__(self, indentation: int, code: Code) -> None:
        self.step = " " * indentation
        self.lines: List[str] = []
        self.line_map: LineMap = []
        self.code = code

    def line(self, depth: int, text: str, offset: int = -1) -> None:
        indentation = self.step * depth
        if offset >= 0:
            self.line_map.append((len(self.lines) + 1, self.code, offset))
        if "\n" in text:
            self.lines.extend([indentation + part for part in text.split("\n")])
        else:
            self.lines.append(indentation + text if text else "")

    def body(self, body: Body, depth: int) -> None:
        if not body:
            self.line(depth, "pass")
        indentation, lines = self.step * depth, self.lines
        for stmt in body:
            special = _PRINTERS.get(stmt.kind)
            if special is not None:
                special(self, stmt, depth)
            elif "\n" in stmt.text:
                self.line(depth, stmt.text, stmt.offset)
            else:
                # Most are one line: what `line` does, without a call.
                lines.append(indentation + stmt.text)
                if stmt.offset >= 0:
                    self.line_map.append((len(lines), self.code, stmt.offset))

    def if_(self, stmt: If, depth: int) -> None:
        word = "if"
        for test, body in stmt.clauses:
            self.line(depth, f"{word} {at(test, LAMBDA)}:", stmt.offset)
            self.body(body, depth + 1)
            word = "elif"
        if stmt.orelse:
            self.line(depth, "else:")
            self.body(stmt.orelse, depth + 1)

    def while_(self, stmt: While, depth: int) -> None:
        test = "True" if stmt.test is None else at(stmt.test, LAMBDA)
        self.line(depth, f"while {test}:", stmt.offset)
        self.body(stmt.body, depth + 1)
        self.orelse(stmt.orelse, depth)

    def for_(self, stmt: For, depth: int) -> None:
        word = "async for" if stmt.is_async else "for"
        iterable = no_bare_stars(stmt.iterable, at(stmt.iterable, TUPLE))
        self.line(depth, f"{word} {stmt.target.text} in {iterable}:", stmt.offset)
        self.body(stmt.body, depth + 1)
        self.orelse(stmt.orelse, depth)

    def orelse(self, body: Body, depth: int) -> None:
        if body:
            self.line(depth, "else:")
            self.body(body, depth + 1)

    def try_(self, stmt: Try, depth: int) -> None:
        self.line(depth, "try:")
        self.body(stmt.body, depth + 1)
        for handler in stmt.handlers:
            text = "except*" if stmt.star else "except"
            if handler.test is not None:
                text += " " + at(handler.test, LAMBDA)
            if handler.name is not None:
                text += f" as {handler.name}"
            self.line(depth, text + ":", handler.offset)
            self.body(handler.body, depth + 1)
        self.orelse(stmt.orelse, depth)
        if stmt.final or not stmt.handlers:
            self.line(depth, "finally:")
            self.body(stmt.final, depth + 1)

    def with_(self, stmt: With, depth: int) -> None:
        word = "async with" if stmt.is_async else "with"
        items = ", ".join([_with_item(manager, target) for manager, target in stmt.items])
        self.line(depth, f"{word} {items}:", stmt.offset)
        self.body(stmt.body, depth + 1)

    def match(self, stmt: Match, depth: int) -> None:
        self.line(depth, f"match {stmt.subject.text}:", stmt.offset)
        for pattern, guard, body in stmt.cases:
            condition = "" if guard is None else f" if {at(guard, LAMBDA)}"
            first, *more = f"case {pattern}{condition}:".split("\n")
            self.line(depth + 1, first)
            for text in more:
                self.line(depth + 3, text)
            self.body(body, depth + 2)

    def function(self, stmt: FunctionDef, depth: int) -> None:
        self.space(depth)
        for decorator in stmt.decorators:
            self.line(depth, f"@{at(decorator, LAMBDA)}")
        self.define(stmt.info, stmt.name, depth)
        self.space_after(depth)

    def define(self, info: FunctionInfo, name: str, depth: int) -> None:
        word = "async def" if info.is_async else "def"
        arrow = ""
        for annotated, annotation in info.annotations:
            if annotated == "return":
                arrow = f" -> {at(annotation, LAMBDA)}"
        self.line(depth, f"{word} {name}{info.type_params}({signature(info)}){arrow}:")
        assert info.body is not None and info.scope is not None
        self.inner(info, info.body, depth + 1)

    def inner(self, info: FunctionInfo, body: Body, depth: int) -> None:
        """A nested code object's statements: their offsets are offsets in that code object."""
        outer, self.code = self.code, info.code
        self.body(body, depth)
        self.code = outer

    def class_(self, stmt: ClassDef, depth: int) -> None:
        self.space(depth)
        for decorator in stmt.decorators:
            self.line(depth, f"@{at(decorator, LAMBDA)}")
        arguments = f"({', '.join(stmt.arguments)})" if stmt.arguments else ""
        self.line(depth, f"class {stmt.name}{stmt.type_params}{arguments}:", stmt.offset)
        self.inner(stmt.info, stmt.info.body, depth + 1)
        self.space_after(depth)

    def suite(self, stmt: Suite, depth: int) -> None:
        self.line(depth, stmt.text + ":", stmt.offset)
        self.body(stmt.body, depth + 1)

    def docstring(self, stmt: Stmt, depth: int) -> None:
        for place, text in enumerate(stmt.text.split("\n")):
            if place:
                self.lines.append(text)
            else:
                self.line(depth, text)

    def indented_docstring(self, stmt: Stmt, depth: int) -> None:
        for text in stmt.text.split("\n"):
            self.line(depth, text)

    def enclose(self, free: Tuple[str, ...]) -> int:
        """Open a function that has these variables; returns the depth to go on at."""
        if not free:
            return 0
        self.line(0, f"def __enclosing__({', '.join(free)}):")
        return 1

    def space(self, depth: int) -> None:
        """Blank lines around definitions, as people leave them."""
        if self.lines and self.lines[-1] and not self.lines[-1].endswith(":"):
            self.lines.extend([""] * (1 if depth else 2))

    def space_after(self, depth: int) -> None:
        """The last definition in a body has left blank lines of its own."""
        wanted = [""] * (1 if depth else 2)
        while self.lines[-len(wanted) :] != wanted:
            self.lines.append("")


def _with_item(manager: Expr, target: Optional[Expr]) -> str:
    text = at(manager, LAMBDA)
    if target is None:
        return text
    needs_parentheses = target.kind == "target tuple" and target.text != "()"
    return f"{text} as {f'({target.text})' if needs_parentheses else target.text}"


_PRINTERS: Dict[str, Callable[..., None]] = {
    "if": Printer.if_,
    "while": Printer.while_,
    "for": Printer.for_,
    "try": Printer.try_,
    "with": Printer.with_,
    "match": Printer.match,
    "def": Printer.function,
    "class": Printer.class_,
    "suite": Printer.suite,
    "docstring": Printer.docstring,
    "indented docstring": Printer.indented_docstring,
}


def source_of_module(body: Body, scope: Scope) -> Tuple[str, LineMap]:
    """The text of a module, and its lines with the offsets they came from."""
    printer = Printer(scope.options.indentation, scope.code)
    printer.body(body, 0)
    return _finish(printer)


def source_of_function(info: FunctionInfo, name: str, free: Tuple[str, ...]) -> Tuple[str, LineMap]:
    """The text of one function, inside a function that has its free variables if there are any."""
    assert info.scope is not None
    printer = Printer(info.scope.options.indentation, info.code)
    depth = printer.enclose(free)
    if info.scope.kind == scopes.LAMBDA:
        printer.line(depth, function_text(info))
    elif info.scope.kind == scopes.COMPREHENSION:
        printer.line(depth, comprehension_text(info))
    else:
        printer.define(info, name, depth)
    return _finish(printer)


def source_of_expression(info: FunctionInfo) -> Tuple[str, LineMap]:
    """The text of an expression, by the body that returns its value."""
    assert info.scope is not None
    printer = Printer(info.scope.options.indentation, info.code)
    printer.line(0, value_text(info))
    return _finish(printer)


def source_of_statement(stmt: Stmt, scope: Scope, free: Tuple[str, ...]) -> Tuple[str, LineMap]:
    """The text of one definition."""
    printer = Printer(scope.options.indentation, scope.code)
    printer.body([stmt], printer.enclose(free))
    return _finish(printer)


def source_of_class(info: FunctionInfo, name: str, free: Tuple[str, ...]) -> Tuple[str, LineMap]:
    """The text of a class body."""
    assert info.scope is not None and info.body is not None
    printer = Printer(info.scope.options.indentation, info.code)
    depth = printer.enclose(free)
    printer.line(depth, f"class {name}:")
    printer.inner(info, info.body, depth + 1)
    return _finish(printer)


def _finish(printer: Printer) -> Tuple[str, LineMap]:
    while printer.lines and not printer.lines[-1]:
        printer.lines.pop()
    return "\n".join(printer.lines) + "\n", printer.line_map
