"""Two texts of one graph: the one that torch runs, and the one that it prints for people.

The printed one has types and comments, and the arguments by name where the running one unpacks a
list of them first. The statements are the same, so the lines of one can be given to the other.
"""

from __future__ import annotations

import ast
from typing import Dict, List, Optional, Tuple

Function = ast.FunctionDef
_POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")
Pair = Tuple[ast.stmt, ast.stmt]


def place_like(running: Function, printed: Function) -> bool:
    """Give each statement of `running` the place of its twin; False if the two are not twins.

    What `running` does before (it unpacks its arguments) gets the place of the signature.
    """
    pairs = _twins(running, printed)
    for node in ast.walk(running) if pairs else ():
        _copy_position(node, printed, at_start=True)
    for one, other in pairs:
        _place_statement(one, other)
    return bool(pairs)


def line_map(running: Function, printed: Function) -> Dict[int, int]:
    """Line of `running` -> line of its twin; empty if the two are not twins."""
    pairs = _twins(running, printed)
    if not pairs:
        return {}
    first = pairs[0][0].lineno
    before = dict.fromkeys(range(running.lineno, first), printed.lineno)
    return {**before, **{one.lineno: other.lineno for one, other in reversed(pairs)}}


def _twins(running: Function, printed: Function) -> List[Pair]:
    first = len(running.body) - len(printed.body)
    if printed.name != running.name or first < 0:
        return []
    pairs = list(zip(running.body[first:], printed.body))
    return pairs if all(_are_twins(one, other) for one, other in pairs) else []


def _are_twins(one: ast.stmt, other: ast.stmt) -> bool:
    return ast.dump(_plain(one)) == ast.dump(_plain(other))


def _plain(statement: ast.stmt) -> ast.stmt:
    """Without the type that stands beside a name: it does nothing in a function."""
    if isinstance(statement, ast.AnnAssign) and statement.value is not None and statement.simple:
        return ast.Assign(targets=[statement.target], value=statement.value, type_comment=None)
    return statement


def _place_statement(one: ast.stmt, other: ast.stmt) -> None:
    plain = _plain(other)
    _copy_position(one, other)
    for mine, twin in zip(_inside(one), _inside(plain)):
        _copy_position(mine, twin)


def _inside(statement: ast.stmt) -> List[ast.AST]:
    return list(ast.walk(statement))[1:]


def _copy_position(node: ast.AST, source: ast.AST, at_start: bool = False) -> None:
    if "lineno" not in node._attributes or getattr(source, "lineno", None) is None:
        return
    for name in _POSITION:
        setattr(node, name, getattr(source, name, None))
    if at_start:
        end: Optional[int] = getattr(source, "lineno", None)
        setattr(node, "end_lineno", end)  # noqa: B010
        setattr(node, "end_col_offset", getattr(source, "col_offset", 0) + 1)  # noqa: B010
