"""What a text says about the function in it: its parameters, and its free variables."""

from __future__ import annotations

import ast
import functools
import re
import textwrap
from dataclasses import dataclass
from typing import List, Optional, Sequence, Union

# The decompiler's name for the function around one that has free variables.
ENCLOSING = "__enclosing__"
FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef]


@dataclass
class Signature:
    """`declared` goes into a `def`, `passed` into a call of a function with the same parameters.

    Defaults are not kept: a transformed code has none, its caller has filled them in.
    """

    declared: str
    passed: str
    names: List[str]
    is_async: bool


def function_in(source: str) -> Optional[FunctionNode]:
    """The function that a text defines: its last statement, as decompiled text has it.

    One with free variables stands inside a function that has them; the inner one is meant.
    """
    found = _last_function(statements(source))
    return _last_function(found.body) if found and found.name == ENCLOSING else found


@functools.lru_cache(maxsize=16)
def statements(source: str) -> Sequence[ast.stmt]:
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _last_function(body: Sequence[ast.stmt]) -> Optional[FunctionNode]:
    functions = [one for one in body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return functions[-1] if functions else None


def alone(source: str) -> str:
    """The text of the function without the one around it."""
    outer = _last_function(statements(source))
    if outer is None or outer.name != ENCLOSING:
        return source
    inner = _last_function(outer.body)
    if inner is None or inner.end_lineno is None:
        return source
    lines = source.split("\n")[inner.lineno - 1 : inner.end_lineno]
    return textwrap.dedent("\n".join(lines))


def with_globals(source: str) -> str:
    """The text of a function where its free variables are names of the module.

    `nonlocal` is no Python outside a function. The line stays a line: others count on the numbers.
    """
    if "nonlocal" not in source:
        return source
    function = _last_function(statements(source))
    lines = source.split("\n")
    for statement in function.body if function else ():
        if isinstance(statement, ast.Nonlocal):
            row = statement.lineno - 1
            lines[row] = re.sub(r"\bnonlocal\b", "global", lines[row], count=1)
            lines[row] += "  # nonlocal, where the function is inside another one"
    return "\n".join(lines)


def signature_of(source: str) -> Optional[Signature]:
    function = function_in(source)
    return None if function is None else _signature(function)


def _signature(function: FunctionNode) -> Signature:
    arguments = function.args
    first = [one.arg for one in arguments.posonlyargs]
    plain = [one.arg for one in arguments.args]
    keyword = [one.arg for one in arguments.kwonlyargs]
    star = [arguments.vararg.arg] if arguments.vararg else []
    double = [arguments.kwarg.arg] if arguments.kwarg else []
    stars = ["*" + name for name in star]
    doubles = ["**" + name for name in double]
    between = stars or (["*"] if keyword else [])
    declared = [*first, *(["/"] if first else []), *plain, *between, *keyword, *doubles]
    passed = [*first, *plain, *stars, *(f"{name}={name}" for name in keyword), *doubles]
    return Signature(
        ", ".join(declared),
        ", ".join(passed),
        [*first, *plain, *star, *keyword, *double],
        isinstance(function, ast.AsyncFunctionDef),
    )
