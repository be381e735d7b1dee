"""Figures in the prose, and what each torch gives, are those of the runs."""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys

import pytest
from documents import read_page
from interpreters import ROOT, environment
from matrix_report import INTRODUCTION
from readme_tables import MATRIX, NOTHING_MISSING, SECTION
from update_documents import torch_version

POINT = re.compile(r"^- (.*)$", re.M)
COUNT = re.compile(r"(\d+)\s+instructions")


def test_the_instructions_of_a_frame_are_counted() -> None:
    walkthrough = read_page(ROOT / "docs" / "walkthrough.md")
    shown = next(block.body for block in walkthrough.blocks if "grep -c" in block.body)
    counted = re.findall(r"^\d+$", shown, re.M)
    assert len(counted) == 1
    readme = read_page(ROOT / "README.md")
    told = COUNT.findall(walkthrough.text) + COUNT.findall(readme.text)
    assert len(told) >= 3 and set(told) == set(counted)


def test_the_installed_torch_gives_what_is_written() -> None:
    here = ".".join(platform.python_version_tuple()[:2]), torch_version().partition("+")[0]
    sections = {(one[1], one[2]): one[3] for one in SECTION.finditer(MATRIX.read_text("utf-8"))}
    if here not in sections:
        pytest.skip("the matrix has no such pair of Python and torch")
    answer = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "torch_gives.py")],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=300,
    )
    assert answer.returncode == 0, answer.stderr
    gives = json.loads(answer.stdout.splitlines()[-1])
    files, missing = sections[here].split("Not available:")
    assert POINT.findall(files) == gives["files"]
    shown = [without_build(one) for one in POINT.findall(missing)]
    true = [without_build(one) for one in gives["missing"]] or [NOTHING_MISSING.lstrip("- ")]
    assert shown == true


def without_build(sentence: str) -> str:
    """Torch for a GPU and the one for processors have the same number."""
    return re.sub(r"\+\w+", "", sentence)


def test_the_page_begins_as_the_matrix_writes_it() -> None:
    assert MATRIX.read_text(encoding="utf-8").startswith(INTRODUCTION)
