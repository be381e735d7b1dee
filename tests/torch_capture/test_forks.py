"""Processes that are forked inside of a block: the folder is the parent's alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf

from .programs import files_in

if not hasattr(os, "fork"):
    pytest.skip("this system cannot fork", allow_module_level=True)

MISSING = "not captured: what forked processes compile (use depyf.prepare_debug in them)"
# The child leaves the block as well, and goes on to the end.
PROGRAM = """
import os, torch, depyf
def compiled(function):
    return torch.compile(function, backend="eager")(torch.ones(2)).tolist()
def first(x):
    return x + 1
def second(x):
    return x * 3
def third(x):
    return x - 2
with depyf.prepare_debug("dump"):
    compiled(first)
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        compiled(third)
    else:
        CHILD
print("parent" if pid else "child", "ends")
"""
ALONE = "compiled(second)"
WITH_ITS_OWN = "exec('with depyf.prepare_debug(\"own\"): compiled(second)')"


def run(folder: Path, child: str) -> None:
    source = str(Path(depyf.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("CHILD", child)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == ["child ends", "parent ends"] and not done.stderr


def functions_in(folder: Path) -> list[str]:
    names = [name for name in files_in(folder) if name.startswith("__transformed_code_")]
    return [name.partition("_for_")[2] for name in names]


def test_a_forked_process_writes_nothing_and_is_mentioned(tmp_path: Path) -> None:
    run(tmp_path, ALONE)
    assert functions_in(tmp_path / "dump") == ["first.py", "third.py"]
    assert MISSING in (tmp_path / "dump" / "README.md").read_text(encoding="utf-8")


def test_a_forked_process_with_a_block_of_its_own_is_captured(tmp_path: Path) -> None:
    run(tmp_path, WITH_ITS_OWN)
    assert functions_in(tmp_path / "dump") == ["first.py", "third.py"]
    assert "second.py" in functions_in(tmp_path / "own")
    for folder in ("dump", "own"):
        assert MISSING not in (tmp_path / folder / "README.md").read_text(encoding="utf-8")
