"""The tutorial runs from top to bottom, and prints what it says about itself."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from interpreters import ROOT, environment

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

TUTORIAL = ROOT / "docs" / "optimization.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
OUTPUT = re.compile(r"^```text\n(.*?)^```$", re.M | re.S)
PLACE = re.compile(r"[^\s(]*\.py:\d+")


def test_the_tutorial_runs(tmp_path) -> None:
    blocks = BLOCK.findall(TUTORIAL.read_text(encoding="utf-8"))
    assert len(blocks) >= 6
    # The code generator is not the subject, and needs a C++ compiler.
    program = "\n".join(blocks).replace("torch.compile(", "compile_eagerly(")
    setup = "import functools, torch\n"
    # Torch 2.2 trusts modules not to change, unless told otherwise.
    setup += "import torch._dynamo\ntorch._dynamo.config.guard_nn_modules = True\n"
    setup += "compile_eagerly = functools.partial(torch.compile, backend='eager')\n"
    script = tmp_path / "tutorial.py"
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
    assert "tensor([4952]) but it should be tensor([5952])" in answer.stdout
    assert "expected 0, got 1000" in answer.stdout
    assert answer.stdout.rstrip().endswith("tensor([4952]) tensor([4952])")
    if torch.__version__.startswith("2.13."):
        compare_with_what_is_shown(answer.stdout)


def compare_with_what_is_shown(printed: str) -> None:
    """The times are those of one machine; the words and columns are not."""
    costs, violation = OUTPUT.findall(TUTORIAL.read_text(encoding="utf-8"))
    assert costs.splitlines()[0] in printed.splitlines()
    assert without_layout(violation) in without_layout(printed)


def without_layout(text: str) -> str:
    """On one line, and without the place, which is where the tutorial's lines stand."""
    return PLACE.sub("FILE", " ".join(text.split()))
