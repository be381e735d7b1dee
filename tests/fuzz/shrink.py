"""Makes a failing program small: drop statements, hoist bodies, replace expressions by their parts.

Works on the text, guided by the positions that `ast` gives, because the oldest supported Python
cannot turn a tree back into text. The programs are ASCII, so columns are characters.
"""

from __future__ import annotations

import ast
from typing import Any, Callable, Iterator

BLOCKS = ("body", "orelse", "finalbody")


def shrink(source: str, still_fails: Callable[[str], bool], tries: int = 1500) -> str:
    """The smallest program found, within that many attempts, that still fails."""
    progress = True
    while progress and tries > 0:
        progress = False
        for propose in (
            _dropped_statements,
            _hoisted_bodies,
            _dropped_clauses,
            _smaller_expressions,
        ):
            source, used, changed = _apply(source, propose, still_fails, tries)
            tries -= used
            progress = progress or changed
    return source


def _apply(source: str, propose: Any, still_fails: Any, tries: int) -> tuple:
    """Takes every proposal that keeps the failure; positions are made anew after each."""
    used, changed, skip = 0, False, 0
    while used < tries:
        candidates = list(_valid(source, propose))
        for position in range(skip, len(candidates)):
            used += 1
            if still_fails(candidates[position]):
                source, changed, skip = candidates[position], True, position
                break
            if used >= tries:
                return source, used, changed
        else:
            break
    return source, used, changed


def _valid(source: str, propose: Any) -> Iterator[str]:
    seen = {source}
    for candidate in propose(source, ast.parse(source)):
        if candidate not in seen and _terminates(candidate):
            seen.add(candidate)
            yield candidate


def _terminates(source: str) -> bool:
    """Whether it is Python and every `while` still asks for fuel, first thing."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return False
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    return all(_asks(loop.test) or _asks(loop.body[0], direct=True) for loop in loops)


def _asks(node: ast.AST, direct: bool = False) -> bool:
    if direct:
        return isinstance(node, ast.If) and _asks(node.test) and not _falls_through(node)
    calls = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(isinstance(called, ast.Name) and called.id == "go" for called in calls)


def _falls_through(guard: ast.If) -> bool:
    return not isinstance(guard.body[-1], (ast.Break, ast.Return, ast.Raise))


# Proposals -------------------------------------------------------------------------------------


def _first_line(node: Any) -> int:
    decorators = getattr(node, "decorator_list", ())
    return min([node.lineno] + [decorator.lineno for decorator in decorators]) - 1


def _replace_lines(lines: list, start: int, end: int, new: list) -> str:
    return "\n".join(lines[:start] + new + lines[end:]) + "\n"


def _blocks(tree: ast.AST) -> Iterator[list]:
    for node in ast.walk(tree):
        for field in BLOCKS:
            statements = getattr(node, field, None)
            if isinstance(statements, list) and statements:
                yield statements


def _size(node: Any) -> int:
    return node.end_lineno - node.lineno


def _dropped_statements(source: str, tree: ast.AST) -> Iterator[str]:
    lines = source.splitlines()
    found = [(len(block), node) for block in _blocks(tree) for node in block]
    for siblings, node in sorted(found, key=lambda pair: -_size(pair[1])):
        start = _first_line(node)
        if siblings > 1:
            yield _replace_lines(lines, start, node.end_lineno, [])
        elif not isinstance(node, ast.Pass):
            yield _replace_lines(lines, start, node.end_lineno, [" " * node.col_offset + "pass"])


def _hoisted_bodies(source: str, tree: ast.AST) -> Iterator[str]:
    lines = source.splitlines()
    for block in _blocks(tree):
        for node in block:
            for inner in _bodies(node):
                start, end = _first_line(inner[0]), inner[-1].end_lineno
                shift = inner[0].col_offset - node.col_offset
                if shift <= 0 or inner[0].lineno == node.lineno:
                    continue
                hoisted = [line[shift:] for line in lines[start:end]]
                yield _replace_lines(lines, _first_line(node), node.end_lineno, hoisted)


def _bodies(node: Any) -> Iterator[list]:
    parts = [node] + getattr(node, "handlers", []) + getattr(node, "cases", [])
    for part in parts:
        for field in BLOCKS:
            statements = getattr(part, field, None)
            if isinstance(statements, list) and statements:
                yield statements


def _dropped_clauses(source: str, tree: ast.AST) -> Iterator[str]:
    lines = source.splitlines()
    for node in ast.walk(tree):
        for part in getattr(node, "handlers", []):
            yield _replace_lines(lines, part.lineno - 1, part.end_lineno, [])
        for case in getattr(node, "cases", []):
            yield _replace_lines(lines, case.pattern.lineno - 1, case.body[-1].end_lineno, [])
        for field in ("orelse", "finalbody"):
            clause = getattr(node, field, None)
            if isinstance(clause, list) and clause:
                start = _header_line(lines, clause[0])
                yield _replace_lines(lines, start, clause[-1].end_lineno, [])


def _header_line(lines: list, first: Any) -> int:
    """The line with `else:` or `finally:`; an `elif` is its own header."""
    start = _first_line(first)
    return start if lines[start].lstrip().startswith("elif") else start - 1


def _smaller_expressions(source: str, tree: ast.AST) -> Iterator[str]:
    lines = source.splitlines()
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.expr)]
    spans = [node for node in nodes if node.lineno == node.end_lineno and _width(node) > 1]
    for node in sorted(spans, key=_width, reverse=True):
        line = lines[node.lineno - 1]
        for text in _replacements(line, node):
            changed = line[: node.col_offset] + text + line[node.end_col_offset :]
            yield _replace_lines(lines, node.lineno - 1, node.lineno, [changed])


def _width(node: Any) -> int:
    return node.end_col_offset - node.col_offset


def _replacements(line: str, node: Any) -> Iterator[str]:
    if _width(node) > 1:
        yield "1"
    if _width(node) > 4:
        yield "t(1)"
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and child.lineno == node.lineno:
            yield "(%s)" % line[child.col_offset : child.end_col_offset]
            yield line[child.col_offset : child.end_col_offset]
    if isinstance(node, ast.BoolOp) and len(node.values) > 2:
        for kept in (node.values[1:], node.values[:-1]):
            yield "(%s)" % line[kept[0].col_offset : kept[-1].end_col_offset]
