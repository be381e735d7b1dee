"""`depyf run` beside a plain run of the same program: what both give, our own words taken out."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import depyf

SOURCE = str(Path(depyf.__file__).parent.parent)
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed"
)
# Every line that a summary may have, and no other: what the program says behind it is its own.
SUMMARY = re.compile(
    r"""
    ^depyf:\ (?:
        the\ program\ did\ not\ load\ torch\.compile;\ nothing\ was\ captured\n
        |
        torch\.compile:\ \d+\ function.*\n
        (?:\ \ (?:graph\ break\ at|compiled\ again:|not\ compiled:|\.\.\.\ and)\ .*\n)*
        (?:\ \ start\ reading:\ .*\n)?
        \ \ everything:\ .*\n
        (?:\ \ \(an\ earlier\ run\ is\ kept\ in\ .*\)\n)?
    )
    (?:depyf:\ not\ captured:\ processes\ .*\n)?
    (?:depyf:\ not\ captured:\ what\ forked\ processes\ compile\ .*\n)?
    """,
    re.VERBOSE | re.MULTILINE,
)


def environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("RANK", "PYTHONBREAKPOINT")}
    return {**kept, "PYTHONPATH": SOURCE, **more}


def python(*words: str, cwd: Path, **options: object) -> subprocess.CompletedProcess[str]:
    settings = {"env": environment(), "input": "first\nsecond\n", **options}
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, capture_output=True, text=True, timeout=300, **settings
    )  # type: ignore[call-overload]


def without_summary(errors: str) -> str:
    """Of a run that came to its end: there is one summary, and it is complete."""
    rest, summaries = SUMMARY.subn("", errors)
    assert summaries == 1, errors
    return rest


def assert_same(
    plain: subprocess.CompletedProcess[str], watched: subprocess.CompletedProcess[str]
) -> None:
    assert watched.stdout == plain.stdout
    assert without_summary(watched.stderr) == plain.stderr
    assert watched.returncode == plain.returncode


# Breaks its graph once, and is compiled twice.
TOY = """
import sys, torch
def toy(a, b):
    x = torch.abs(a) * 2
    if b.sum() < 0:
        b = b * -1
    return x * b
compiled = torch.compile(toy, backend="eager")
def main():
    print(compiled(torch.ones(3), torch.ones(3)).tolist())
    print(compiled(torch.ones(4), torch.ones(4)).tolist())
if __name__ == "__main__":
    main()
"""
