"""Puts what follows an `if` or `try` that always leaves back under its `else`, if it stood there.

`if a: return b` needs no `else`, and the instructions are the same with and without. From 3.11 on
they know their columns: what stood under `else` is indented as far as what stands under `if`, and
the test of an `elif` stands two columns to the right of one behind `if`.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Iterator, List, Optional

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.locations import Position, positions
from depyf.decompile.expr.statements import Body, If, Return, Stmt, Try, is_none, suites
from depyf.errors import DecompilationError

_LEAVES = frozenset(("return", "raise", "break", "continue"))
# What stands before the first operand of a test.
_OPENING = re.compile(r"(?:not |\()*")
# Statements of which nothing tells where they begin: their instructions may or may not.
_UNKNOWN = frozenset(("for", "while", "with", "try", "match"))
_COMPOUND = _UNKNOWN | {"if"}
# Of several targets, only the last may have a place.
_SEVERAL = re.compile(r"[\w.]+,[^=]* = ")
_IF, _ELIF = len("if "), len("elif ")
# A constant that is returned has its own place, not that of the statement.
_RETURN = len("return ")
# What is deleted has, too.
_DEL = len("del ")
# How far most people indent a suite.
_USUAL = 4


def _may_take(stmt: If) -> bool:
    """Whether what follows an `if` may as well stand under its `else`."""
    return not stmt.orelse and all(_leaves(suite) for _test, suite in stmt.clauses)


def _leaves(suite: Body) -> bool:
    last = suite[-1] if suite else None
    if isinstance(last, If):
        return _leaves(last.orelse) and all(_leaves(body) for _test, body in last.clauses)
    return last is not None and last.kind in _LEAVES


def take_clauses(stmt: If, suite: Body, place: int, columns: Columns) -> None:
    """Move what stands in `suite` from `place` on into clauses of the `if` before it."""
    if place == len(suite) or not _may_take(stmt):
        return
    if columns.is_left_of(suite[place], stmt.clauses[0][1][0]):
        # Most often: it stands behind the `if`.
        return
    own = columns.of(stmt)
    inside = None if own is None else _inside(stmt, own, columns)
    if own is None or inside is None:
        return
    end, last = place, stmt
    while end < len(suite) and _may_take(last):
        following = suite[end]
        if not isinstance(following, If) or columns.of(following) != own + _ELIF - _IF:
            break
        # Not one inside the other: a chain may be longer than anything nests.
        stmt.clauses += following.clauses
        stmt.orelse, last = following.orelse, following
        end += 1
    if _may_take(last):
        count = _count_indented(suite[end:], inside, columns)
        stmt.orelse = suite[end : end + count]
        end += count
    del suite[place:end]


def take_else(stmt: Try, suite: Body, place: int, columns: Columns) -> None:
    """Move what stands in `suite` from `place` on under the `else` of the `try` before it."""
    if place == len(suite) or stmt.orelse or stmt.final or not stmt.handlers:
        return
    clauses = [handler.body for handler in stmt.handlers]
    first = suite[place]
    if not all(map(_leaves, clauses)) or (isinstance(first, Return) and is_none(first.value)):
        # The end of a function may have the place of anything before it.
        return
    # A `return` may have the place of its value.
    firsts = [each[0] for each in [stmt.body, *clauses] if each and each[0].kind != "return"]
    known = [column for column in map(columns.of, firsts) if column is not None]
    count = _count_indented(suite[place:], known[0], columns) if known else 0
    stmt.orelse = suite[place : place + count]
    del suite[place : place + count]


def _count_indented(behind: Body, inside: int, columns: Columns) -> int:
    """How many statements there are up to the last that begins in the column `inside`.

    One of which nothing tells goes with those around it.
    """
    count = 0
    for place, stmt in enumerate(behind, 1):
        indented = _is_indented(stmt, inside, columns)
        if indented is False:
            break
        if indented:
            count = place
    return count


class Columns:
    """Where the statements of a code object begin."""

    __slots__ = ("code", "positions", "others")

    def __init__(self, code: Code) -> None:
        self.code = code
        # Of all code units up to the last that was asked for, and those behind it.
        self.positions: List[Position] = []
        self.others: Optional[Iterator[Position]] = None

    def at(self, index: int) -> List[Position]:
        """The positions of all code units up to this one, none where they are not known."""
        if index >= len(self.positions):
            if self.others is None:
                self.others = _positions(self.code)
            self.positions.extend(islice(self.others, index + 1 - len(self.positions)))
        return self.positions if 0 <= index < len(self.positions) else []

    def of(self, stmt: Stmt) -> Optional[int]:
        """None where nothing tells."""
        if isinstance(stmt, If) and not _is_assert(stmt):
            return self.of_if(stmt)
        if stmt.kind in _UNKNOWN or _SEVERAL.match(stmt.text):
            return None
        column = self.leftmost(stmt.offset // 2)
        return column - _DEL if column is not None and stmt.kind == "delete" else column

    def is_left_of(self, stmt: Stmt, other: Stmt) -> bool:
        """Whether the last instruction of one alone shows that it is indented less."""
        positions = self.at(max(stmt.offset, other.offset) // 2)
        if not positions or min(stmt.offset, other.offset) < 0 or other.kind in _COMPOUND:
            return False
        column, limit = positions[stmt.offset // 2][2], positions[other.offset // 2][2]
        if column is None or limit is None:
            return False
        if isinstance(other, Return) and other.value.kind == "const":
            limit -= _RETURN
        return column < limit

    def leftmost(self, index: int) -> Optional[int]:
        """Where the first instruction stands of those up to this one that share its line."""
        positions = self.at(index)
        if not positions:
            return None
        line, _end, found, _end_column = positions[index]
        while index > 0 and positions[index - 1][0] == line:
            index -= 1
            column = positions[index][2]
            if found is None or (column is not None and column < found):
                found = column
        return found

    def of_if(self, stmt: If) -> Optional[int]:
        """The last instruction of a test knows where the test begins."""
        index = stmt.offset // 2
        positions = self.at(index)
        if not positions:
            return None
        line, end, column, _end_column = positions[index]
        if line != end:
            # In 3.11 some tests have the place of the whole statement; the operand has its own.
            _line, _end, column, _end_column = positions[index - 1]
        opening = _OPENING.match(stmt.clauses[0][0].text)
        if column is None or opening is None:
            return None
        return column - len(opening.group()) - _IF


def _is_assert(stmt: If) -> bool:
    starts = [suite[0] for suite in suites(stmt) if suite]
    return any(first.kind == "assert" and first.line == stmt.line for first in starts)


def _positions(code: Code) -> Iterator[Position]:
    try:
        return positions(code)
    except DecompilationError:
        # Damaged, and nothing depends on it.
        return iter(())


def _inside(stmt: If, own: int, columns: Columns) -> Optional[int]:
    """Where the statements under an `if` begin, if they stand below it."""
    first = stmt.clauses[0][1][0]
    if first.line is not None and first.line <= (stmt.line or 0):
        return None
    column = columns.of(first)
    if column is None:
        return own + _USUAL
    return column - _RETURN if first.kind == "return" and column - _RETURN > own else column


def _is_indented(stmt: Stmt, inside: int, columns: Columns) -> Optional[bool]:
    """Whether a statement begins in the column `inside`; if need be its first suite tells."""
    column = columns.of(stmt)
    if column is not None:
        return column == inside or (stmt.kind == "return" and column - _RETURN == inside)
    inner = [suite[0] for suite in suites(stmt)[:1] if suite]
    column = columns.of(inner[0]) if inner else None
    return None if column is None else column == inside + _USUAL
