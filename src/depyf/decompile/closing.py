"""Gives a function, as a syntax tree, the free variables, cells and imports it is compiled with.

The text on disk stays what a person reads: what it does not say about its surroundings is added
to the tree, where no line number moves.
"""

from __future__ import annotations

import ast
from typing import Tuple

FACTORY = "__depyf_factory"
# What a function that assigns to its free variables stands in, so that it is valid text.
ENCLOSING = "__enclosing__"
Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def close_over(tree: ast.Module, free: Tuple[str, ...], cells: Tuple[str, ...]) -> None:
    """Wrap the function so that it has these free variables and cells.

    An unused `nonlocal` keeps a free variable, a lambda that never runs makes a cell. Dynamo keeps
    cells that nothing binds any more: an assignment that never runs makes them the function's own.
    """
    function = tree.body[-1]
    if isinstance(function, Function) and function.name == ENCLOSING:
        function = function.body[-1]
    if not isinstance(function, Function):
        return
    start = 1 if ast.get_docstring(function, clean=False) is not None else 0
    function.body[start:start] = _declarations(free, cells, function.body[0])
    if free:
        tree.body[-1] = _factory(function, free)


def _declarations(free: Tuple[str, ...], cells: Tuple[str, ...], place: ast.stmt) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    declared = [name for name in free if name != "__class__"]
    if declared:
        made.append(ast.Nonlocal(declared))
    # No statement may declare this one, but a use will do.
    used = [*cells, *[name for name in free if name == "__class__"]]
    if used:
        names: list[ast.expr] = [ast.Name(name, ast.Load()) for name in used]
        never = ast.parse("if 0: lambda: 0").body[0]
        assert isinstance(never, ast.If) and isinstance(never.body[0], ast.Expr)
        captured = never.body[0].value
        assert isinstance(captured, ast.Lambda)
        captured.body = ast.Tuple(names, ast.Load())
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in cells]
        if targets:
            never.body.insert(0, ast.Assign(targets, ast.Constant(None), lineno=0))
        made.append(never)
    for statement in made:
        for node in ast.walk(statement):
            ast.copy_location(node, place)
    return made


def import_names(tree: ast.Module, names: list[str]) -> None:
    """Say what the module around the function imports; the compiler goes by it."""
    if names:
        tree.body += ast.parse(f"import {', '.join(names)}").body


def _factory(function: ast.stmt, free: tuple[str, ...]) -> ast.stmt:
    parsed = ast.parse(f"def {FACTORY}({', '.join(free)}): pass").body[0]
    assert isinstance(parsed, ast.FunctionDef)
    parsed.body = [function]
    return ast.copy_location(parsed, function)
