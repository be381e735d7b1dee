"""What CPython itself compiles is decompiled, however deep: no recursion limit of ours."""

from __future__ import annotations

from types import CodeType
from typing import Iterator

from bars import Line

from depyf.decompile.pipeline import decompile_code


def _nested_ifs(depth: int) -> str:
    lines = ["    " * n + f"if x > {n}:" for n in range(1, depth + 1)]
    return "\n".join([*lines, "    " * (depth + 1) + "return 1"])


SHAPES = {
    "5000 sums": "    return " + " + ".join(["x"] * 5000),
    "5000 calls in a chain": "    return x" + ".m()" * 5000,
    "5000 ands": "    return " + " and ".join(["x"] * 5000),
    "500 elifs": "    if x == 0:\n        return 0\n"
    + "".join(f"    elif x == {n}:\n        return {n}\n" for n in range(1, 500)),
    "99 blocks, the parser's limit": _nested_ifs(98),
}


def measure(quick: bool) -> Iterator[Line]:
    for shape, body in SHAPES.items():
        try:
            module = compile(f"def f(x):\n{body}\n", "deep", "exec")
        except (RecursionError, MemoryError, SyntaxError):
            # This Python does not take it either.
            continue
        code = next(const for const in module.co_consts if isinstance(const, CodeType))
        yield Line(f"failures with {shape}", _failures(code), 0)


def _failures(code: CodeType) -> int:
    try:
        return int(decompile_code(code).verdict == "unverified")
    except (RecursionError, MemoryError):
        return 1
