"""Decompiles every sample that this Python can compile, and runs both: original and decompiled.

Takes the paths of the samples and prints one line of JSON for each. Needs nothing but depyf, so
that any interpreter can run it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
import sys
import traceback
import types
import warnings
from pathlib import Path

HEADER = re.compile(r"^# (min|max|reads): (.+)$")


def headers(source: str) -> dict[str, str]:
    """The lines at the top that say where a sample applies and what to expect of it."""
    found = {}
    for line in source.split("\n"):
        match = HEADER.match(line)
        if match is None:
            break
        found[match.group(1)] = match.group(2)
    return found


def applies(told: dict[str, str]) -> bool:
    version = sys.version_info[:2]
    lowest, highest = (_version(told.get(key, default)) for key, default in LIMITS)
    return lowest <= version <= highest


LIMITS = (("min", "3.0"), ("max", "3.99"))


def _version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def examine(path: Path) -> dict[str, str]:
    """The weakest verdict in the sample and why; what is wrong with how it behaves, if anything."""
    from depyf.decompile.pipeline import decompile_module

    source = path.read_text(encoding="utf-8")
    if not applies(headers(source)):
        return {"verdict": "exact"}
    original = compile(source, str(path), "exec", dont_inherit=True)
    result = decompile_module(original)
    report = {"verdict": result.verdict}
    for part in result.parts:
        if part.verdict == result.verdict != "exact":
            report["reason"] = f"{part.qualname}: {part.reason}\n{result.source}"
    again = compile(result.source, str(path), "exec", dont_inherit=True)
    first, second = output_of(original), output_of(again)
    if first != second:
        report["wrong"] = f"prints\n{second}\ninstead of\n{first}\n{result.source}"
    if "reads" in headers(source) and tree_of(source) != tree_of(result.source):
        report.setdefault("wrong", f"does not read as written\n{result.source}")
    return report


def tree_of(source: str) -> str:
    """The text without its spelling: blank lines, comments, quotes."""
    return ast.dump(ast.parse(source))


def output_of(code: types.CodeType) -> str:
    """What the module prints, and the exception it ends with if it does."""
    module = types.ModuleType("sample")
    sys.modules["sample"] = module
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(code, module.__dict__)
        except Exception as error:
            print("ended with", repr(error))
    return output.getvalue()


def run_without_a_loop(coroutine: types.CoroutineType) -> object:
    """Stands in for `asyncio.run` where there are no threads and no sockets."""
    try:
        while True:
            coroutine.send(None)
    except StopIteration as stop:
        return stop.value


def main(paths: list[str]) -> None:
    warnings.simplefilter("ignore")
    if sys.platform == "emscripten":
        import asyncio

        asyncio.run = run_without_a_loop
    for path in map(Path, paths):
        try:
            report = examine(path)
        except Exception:
            report = {"verdict": "none", "wrong": traceback.format_exc()}
        print(json.dumps({"sample": path.name, **report}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
