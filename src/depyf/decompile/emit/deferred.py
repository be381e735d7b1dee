"""Puts the annotations of a module or class back between its statements.

Newer compilers evaluate them on demand, in a function of their own. Some leave a number behind
where they stood, the others nothing: of those only the line tells where they were.
"""

from __future__ import annotations

from typing import Dict, Optional, Set

from depyf.decompile.decode.names import is_name
from depyf.decompile.expr import nodes
from depyf.decompile.expr.annotated import as_written, text
from depyf.decompile.expr.scope import Scope
from depyf.decompile.expr.statements import Annotation, Body, If, Stmt, suites


def restore(body: Body, scope: Scope) -> None:
    """Put the annotations of a module or class back between its statements."""
    if not scope.deferred and not scope.annotates:
        return
    numbered = {each.number: each for each in scope.deferred if each.number is not None}
    reached: Set[int] = set()
    _restore_numbered(body, scope, numbered, reached)
    place = 0
    for each in scope.deferred:
        if each.number is None:
            place = _insert(body, each, place, scope)
        elif each.number not in reached:
            _insert_dead(body, each, scope)


def _restore_numbered(
    body: Body, scope: Scope, numbered: Dict[int, Annotation], reached: Set[int]
) -> None:
    for place in range(len(body) - 1, -1, -1):
        stmt = body[place]
        for suite in suites(stmt):
            _restore_numbered(suite, scope, numbered, reached)
        if isinstance(stmt, Annotation) and stmt.number is not None:
            found = numbered.get(stmt.number) or _lost(body, place)
            reached.add(stmt.number)
            name = scope.name(found.name)
            if place and _assigns(body[place - 1], name, stmt.line):
                _annotate(body[place - 1], name, found, scope)
                del body[place]
            else:
                body[place] = _statement(found, scope)


def _lost(body: Body, place: int) -> Annotation:
    """One of those whose function is out of reach: nobody can ask what it was."""
    line, before = body[place].line, body[place - 1 : place]
    names = [each.text.partition(" = ")[0] for each in before if each.line == line]
    name = names[0] if names and is_name(names[0]) else "_"
    found = Annotation(name, nodes.name("...", "const"))
    found.line = line
    return found


def _assigns(stmt: Stmt, name: str, line: Optional[int]) -> bool:
    return stmt.kind == "assign" and stmt.line == line and stmt.text.startswith(name + " = ")


def _annotate(stmt: Stmt, name: str, found: Annotation, scope: Scope) -> None:
    assert found.value is not None
    annotation = text(as_written(scope.code, found.value))
    stmt.text = f"{name}: {annotation} = {stmt.text[len(name) + 3 :]}"
    stmt.kind = "annotated"


def _statement(found: Annotation, scope: Scope) -> Stmt:
    assert found.value is not None
    annotation = text(as_written(scope.code, found.value))
    return Stmt("annotated", f"{scope.name(found.name)}: {annotation}", -1, found.line)


def _insert(body: Body, found: Annotation, start: int, scope: Scope) -> int:
    """An annotation leaves no trace in its class body: its line tells where it stood."""
    name = scope.name(found.name)
    for place in range(start, len(body)):
        line = body[place].line
        if found.line is not None and line is not None:
            if _assigns(body[place], name, found.line):
                _annotate(body[place], name, found, scope)
                return place + 1
            if line > found.line:
                body.insert(place, _statement(found, scope))
                return place + 1
    body.append(_statement(found, scope))
    return len(body)


def _insert_dead(body: Body, found: Annotation, scope: Scope) -> None:
    """An annotation that control never reaches is known to the compiler all the same."""
    stmt = If([(nodes.name("False", "const"), [_statement(found, scope)])], [])
    for place, other in enumerate(body):
        if found.line is not None and other.line is not None and other.line > found.line:
            body.insert(place, stmt)
            return
    body.append(stmt)
