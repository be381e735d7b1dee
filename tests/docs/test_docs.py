"""The documents keep their word: examples print what they show, and links lead somewhere.

In README.md a `python` block is run when a `text` block follows it directly: that is its output.
A `console` block is run too: a line `$ depyf ...` and what the command prints.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from interpreters import ROOT, environment

DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
STAGES = ROOT / "src" / "depyf" / "decompile"

PYTHON_AND_OUTPUT = re.compile(r"^```python\n(.*?)^```\n+```text\n(.*?)^```$", re.M | re.S)
CONSOLE = re.compile(r"^```console\n\$ depyf ([^\n]*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
CODE = re.compile(r"`[^`\n]+`")
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


@pytest.mark.parametrize(("source", "output"), PYTHON_AND_OUTPUT.findall(read("README.md")))
def test_python_examples_print_what_is_shown(source: str, output: str, tmp_path: Path) -> None:
    assert run_python(["-c", source], tmp_path) == output.rstrip()


@pytest.mark.parametrize(("command", "output"), CONSOLE.findall(read("README.md")))
def test_commands_print_what_is_shown(command: str, output: str, tmp_path: Path) -> None:
    assert run_python(["-m", "depyf", *shlex.split(command)], tmp_path) == output.rstrip()


def test_there_are_examples() -> None:
    assert len(PYTHON_AND_OUTPUT.findall(read("README.md"))) >= 3
    assert len(CONSOLE.findall(read("README.md"))) >= 2


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_to_files(document: str) -> None:
    prose = CODE.sub("", FENCE.sub("", read(document)))
    targets = [target for target in LINK.findall(prose) if "://" not in target]
    missing = [target for target in targets if not (ROOT / target).exists()]
    assert not missing


@pytest.mark.parametrize("document", DOCUMENTS)
def test_paths_in_code_exist(document: str) -> None:
    missing = [path for path in PATH_IN_CODE.findall(read(document)) if not (ROOT / path).exists()]
    assert not missing


def test_architecture_mentions_every_stage() -> None:
    text = read("ARCHITECTURE.md")
    folders = [path.name for path in STAGES.iterdir() if (path / "__init__.py").exists()]
    assert [name for name in folders if f"`{name}/`" not in text] == []


SHOWN = re.compile(r"<!-- the main frame .*? -->\n(.*?)<!-- the files .*? -->\n(.*?)<!-- end", re.S)


def test_the_torch_example_is_what_the_tool_writes(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    if not torch.__version__.startswith("2.13."):
        pytest.skip("the README shows what PyTorch 2.13 gives")
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the README shows what Python 3.11 gives")
    example = ROOT / "examples" / "toy_example.py"
    run_python(["-m", "depyf", "run", "-o", str(tmp_path / "dump"), str(example)], tmp_path)
    match = SHOWN.search(read("README.md"))
    assert match is not None
    frame, files = (textwrap.dedent(shown).strip() for shown in match.groups())
    written = (tmp_path / "dump" / "__transformed_code_0_for_toy_example.py").read_text()
    assert written.startswith(frame + "\n\n")
    tree = sorted(path.name for path in (tmp_path / "dump").iterdir())
    assert files.split() == ["dump/", *tree]
    source = textwrap.dedent(example.read_text()).partition("\n\n\ndef main")[0]
    assert "@torch" + source.partition("@torch")[2] in read("README.md")
