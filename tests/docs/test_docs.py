"""The documents keep their word on every Python: examples without torch print what they show.

`test_pages.py` runs everything, on the Python and the torch whose outputs are shown.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from documents import read_page
from interpreters import ROOT, environment

DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
STAGES = ROOT / "src" / "depyf" / "decompile"

LIBRARY = re.compile(r"decompile (posixpath|builtins):")
CONSOLE = re.compile(r"^```console\n\$ depyf ([^\n]*)\n(.*?)^```$", re.M | re.S)
PATH_IN_CODE = re.compile(r"`((?:src|tests|tools|benchmarks|examples)/[\w./]*)`")


def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def run_python(arguments: list[str], folder: Path) -> str:
    """What an interpreter like this one prints, errors included."""
    answer = subprocess.run(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
        cwd=folder,
        timeout=60,
    )
    return answer.stdout.rstrip()


def examples_and_outputs() -> list[tuple[str, str]]:
    blocks = read_page(ROOT / "README.md").blocks
    pairs = zip(blocks, blocks[1:])
    return [(one.body, next_one.body) for one, next_one in pairs if next_one.kind == "output"]


@pytest.mark.parametrize(("source", "output"), examples_and_outputs())
def test_python_examples_print_what_is_shown(source: str, output: str, tmp_path: Path) -> None:
    assert run_python(["-c", source], tmp_path) == output.rstrip()


def commands_about_the_standard_library() -> list[tuple[str, str]]:
    found = CONSOLE.findall(read("README.md"))
    return [(command, output) for command, output in found if LIBRARY.search(command)]


@pytest.mark.parametrize(("command", "output"), commands_about_the_standard_library())
def test_commands_print_what_is_shown(command: str, output: str, tmp_path: Path) -> None:
    assert run_python(["-m", "depyf", *shlex.split(command)], tmp_path) == output.rstrip()


def test_there_are_examples() -> None:
    assert len(examples_and_outputs()) >= 3
    assert len(commands_about_the_standard_library()) >= 2


@pytest.mark.parametrize("document", DOCUMENTS)
def test_paths_in_code_exist(document: str) -> None:
    missing = [path for path in PATH_IN_CODE.findall(read(document)) if not (ROOT / path).exists()]
    assert not missing


def test_architecture_mentions_every_stage() -> None:
    text = read("ARCHITECTURE.md")
    folders = [path.name for path in STAGES.iterdir() if (path / "__init__.py").exists()]
    assert [name for name in folders if f"`{name}/`" not in text] == []
