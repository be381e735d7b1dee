"""The tutorial runs from top to bottom, and prints what it shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import read_page
from interpreters import ROOT, environment

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

TUTORIAL = ROOT / "docs" / "optimization.md"
PLACE = re.compile(r"[^\s(]*\.py:\d+")
NUMBER = re.compile(r"\d[\d.]*")
MARK = "----- the next block -----"


def test_the_tutorial_runs(tmp_path: Path) -> None:
    blocks = read_page(TUTORIAL).blocks
    programs = [block.body for block in blocks if block.kind == "python"]
    assert len(programs) >= 6
    # A text that follows no program would be compared with nothing.
    assert {block.kind for block in blocks} == {"python", "output"}
    outputs = run(programs, tmp_path / "tutorial.py")
    assert "tensor([4952]) tensor([4952])" in outputs
    assert "expected 0, got 1000" in "\n".join(outputs)
    if torch.__version__.startswith("2.13."):
        pairs = [(one, after) for one, after in zip(blocks, blocks[1:]) if one.kind == "python"]
        assert len(pairs) == len(outputs)
        for (_program, after), printed in zip(pairs, outputs):
            compare(after.body if after.kind == "output" else "", printed)


def run(programs: list[str], script: Path) -> list[str]:
    """What each of them prints, in one process."""
    # The code generator is not the subject, and needs a C++ compiler.
    mark = f"print({MARK!r})\n"
    program = mark.join(programs).replace("torch.compile(", "compile_eagerly(")
    setup = "import functools, torch\n"
    # Torch 2.2 trusts modules not to change, unless told otherwise.
    setup += "import torch._dynamo\ntorch._dynamo.config.guard_nn_modules = True\n"
    setup += "compile_eagerly = functools.partial(torch.compile, backend='eager')\n"
    script.write_text(setup + program, encoding="utf-8")
    answer = subprocess.run(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
        timeout=300,
    )
    assert answer.returncode == 0, answer.stdout
    return [text.strip("\n") for text in answer.stdout.split(MARK + "\n")]


def compare(shown: str, printed: str) -> None:
    if "µs" in shown:
        # Times, the order they make, and addresses are those of one machine; the rest is not.
        first, *rows, last = shown.splitlines()
        assert first == printed.splitlines()[0]
        assert NUMBER.sub("N", last) == NUMBER.sub("N", printed.splitlines()[-1])
        told = {what(row) for row in printed.splitlines()}
        assert [row for row in rows if row.strip() != "..." and what(row) not in told] == []
    else:
        # Where the lines of the tutorial stand is nobody's business.
        assert PLACE.sub("FILE", shown.strip()) == PLACE.sub("FILE", printed)


def what(row: str) -> str:
    """How many and what they ask; long rows are cut where their numbers let them end."""
    _time, _share, count, *words = [*row.split(), "", "", ""]
    return count + " " + NUMBER.sub("N", " ".join(words))[:60]
