"""No recursion limit of ours: what CPython compiles is decompiled, however deep or long."""

from __future__ import annotations

from types import CodeType

import pytest

from depyf.decompile.pipeline import decompile_code

SHAPES = {
    "sum of 5000": "return " + " + ".join(["x"] * 5000),
    "and of 5000": "return " + " and ".join(["x"] * 5000),
    "or of and": "return " + " or ".join(["x and y"] * 500),
    "comparison of 1000": "return " + " < ".join(["x"] * 1000),
    "calls in calls": "return " + "x(" * 80 + "y" + ")" * 80,
    "method chain of 1000": "return x" + ".m()" * 1000,
    "list of 5000": "return [" + ", ".join(["x"] * 5000) + "]",
    "nested tuples": "return " + "(" * 80 + "x" + ",)" * 80,
    "conditional chain": "return " + " else ".join(["x if y"] * 60) + " else 0",
    "elif of 500": "if x == 0:\n        return 0\n"
    + "".join(f"    elif x == {n}:\n        return {n}\n" for n in range(1, 500)),
}


def nested(openings: int, opening: str, inside: str, closing: str = "") -> str:
    """So many blocks inside each other; `{n}` is the depth."""
    lines = ["    " * n + opening.format(n=n) for n in range(1, openings + 1)]
    lines.append("    " * (openings + 1) + inside)
    if closing:
        lines += ["    " * n + closing.format(n=n) for n in range(openings, 0, -1)]
    return "\n".join(lines) + "\n"


SHAPES["400 times continue"] = "for i in x:\n" + "".join(
    f"        if i == {n}:\n            y(i)\n            continue\n        y({n})\n"
    for n in range(400)
)
SHAPES["nested ifs"] = nested(90, "if x > {n}:", "return 1")
SHAPES["nested ifs, with else"] = nested(90, "if x > {n}:", "y(0)", "else: y({n})")
SHAPES["nested loops"] = nested(19, "for i in x:", "return i")
SHAPES["nested tries"] = nested(19, "try:", "x()", "except KeyError: y({n})")
SHAPES["nested finally"] = nested(8, "try:", "x()", "finally: y({n})")
SHAPES["nested with"] = nested(19, "with x({n}) as y:", "y()")


def compiled(body: str) -> CodeType:
    source = "def f(x, y):\n" + ("" if body.startswith(" ") else "    ") + body
    try:
        module = compile(source, "deep", "exec")
    except (RecursionError, MemoryError, SyntaxError) as error:
        pytest.skip(f"this Python does not compile it: {error}")
    return next(const for const in module.co_consts if isinstance(const, CodeType))


@pytest.mark.parametrize("shape", SHAPES)
def test_deep(shape: str) -> None:
    result = decompile_code(compiled(SHAPES[shape]))
    assert result.verdict in ("exact", "equivalent")
    assert "dispatch loop" not in result.notes
