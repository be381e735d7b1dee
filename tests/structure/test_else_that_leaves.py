"""What follows an `if` whose `else` leaves stands behind it, as it was written, not inside it."""

from __future__ import annotations

import ast

import pytest

import depyf

SOURCES = {
    "return": """
def f(a, b):
    if a and b:
        a = 1
    else:
        return False
    g(a)
    return b
""",
    "raise, inside another": """
def f(a, b):
    if a:
        if b:
            g(1)
        else:
            raise ValueError
        g(2)
    else:
        raise TypeError
    g(3)
    return 1
""",
    "in a loop": """
def f(a, b):
    for x in a:
        if b:
            g(x)
        else:
            return 2
        g(3)
    g(4)
""",
    "behind elif": """
def f(a, b):
    if a:
        x = 1
    elif b:
        x = 2
    else:
        raise ValueError
    return x
""",
    "behind another if": """
def f(a, b):
    if a:
        if b:
            return 1
    else:
        return 2
    g(3)
""",
    "behind a loop": """
def f(a, b):
    if a:
        while b:
            b()
    else:
        return 2
    g(3)
""",
}


@pytest.mark.parametrize("case", SOURCES)
def test_it_comes_back_as_written(case: str) -> None:
    known: dict[str, object] = {}
    exec(SOURCES[case], known)
    assert ast.dump(ast.parse(depyf.decompile(known["f"]))) == ast.dump(ast.parse(SOURCES[case]))
