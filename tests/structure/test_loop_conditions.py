"""`while` with every mix of and, or and not comes back as one `while`, with nothing around it."""

from __future__ import annotations

import ast
import itertools
from collections import Counter

import pytest

import depyf

OPERANDS = [
    (name, f"not {name}", f"{name}()", f"not {name}()", f"{name} is None") for name in "abc"
]
SHAPES = {
    "plain": "def f():\n    while {}:\n        g()\n    h()\n",
    "else": "def f(d):\n    while {}:\n        if d:\n            break\n        g()\n"
    "    else:\n        e()\n    h()\n",
    "in try": "def f(d):\n    try:\n        while {}:\n            g()\n            if d:\n"
    "                continue\n            e()\n    finally:\n        h()\n",
    "in for": "def f(d):\n    for i in d:\n        while {}:\n            if g():\n"
    "                break\n        else:\n            h()\n",
}
STATEMENTS = (ast.While, ast.If, ast.Break, ast.Return)


def conditions() -> list[str]:
    pairs = itertools.product(OPERANDS[0], ("and", "or"), OPERANDS[1])
    found = [" ".join(pair) for pair in pairs]
    few = [operands[:2] for operands in OPERANDS]
    for (a, b, c), (one, two) in itertools.product(
        itertools.product(*few), itertools.product(("and", "or"), repeat=2)
    ):
        found += [f"{a} {one} {b} {two} {c}", f"{a} {one} ({b} {two} {c})"]
        found += [f"({a} {one} {b}) {two} {c}", f"{a} {one} not ({b} {two} {c})"]
    return found


def statements(source: str) -> Counter[str]:
    nodes = ast.walk(ast.parse(source))
    return Counter(type(node).__name__ for node in nodes if isinstance(node, STATEMENTS))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_while_is_a_while(shape: str) -> None:
    for condition in conditions():
        source = SHAPES[shape].format(condition)
        text = depyf.decompile(compile(source, "<test>", "exec", dont_inherit=True))
        assert statements(text) == statements(source), f"{source}\n{text}"


CONTINUES = """\
def f(a, b):
    while True:
        try:
            try:
                a()
            except OSError:
                pass
            if b():
                continue
            a(2)
        except KeyError:
            a(3)
        except ValueError:
            a(4)
"""


def test_a_continue_in_a_first_try_is_no_loop() -> None:
    """The jump back leads to the line of the loop: the bytecode has nothing else of it."""
    text = depyf.decompile(compile(CONTINUES, "<test>", "exec", dont_inherit=True))
    assert text == CONTINUES
