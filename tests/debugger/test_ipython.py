"""debug() with IPython's debugger: through ipdb, and in the cells of a notebook."""

from __future__ import annotations

import os
import queue
import re
import sys
import time
from pathlib import Path
from typing import Iterator

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

from .scripted import RESULT, SOURCE, environment, run_program, write_program

LONGEST = 180
CELLS = """\
import torch, depyf
def toy(a):
    return a * 2 + 1
compiled = torch.compile(toy, backend="eager")
---
with depyf.prepare_debug({folder!r}):
    print(compiled(torch.ones(2)).tolist())
---
with depyf.debug():
    print(compiled(torch.ones(2)).tolist())
---
print(compiled(torch.ones(2)).tolist())
"""


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def test_ipdb(tmp_path: Path) -> None:
    pytest.importorskip("ipdb", reason="ipdb is not installed")
    program = write_program(tmp_path, "eager")
    file = tmp_path / "dump" / "__transformed_code_0_for_toy.py"
    commands = ["p 'in', __name__", f"b {file}:2", "c", "p a.tolist()", "n", "clear 1", "c"]
    variables = environment(PYTHONBREAKPOINT="ipdb.set_trace", IPYTHONDIR=str(tmp_path))
    done = run_program(program, "\n".join([*commands, ""]), env=variables)
    answers = [plain(part) for part in done.stdout.split("ipdb> ")]
    assert done.returncode == 0 and done.stdout.count(RESULT) == 3, done.stderr
    # It stops in the program, not somewhere inside of us.
    assert f"{program}(" in answers[0] and "__main__" in answers[1]
    assert f"{file}(2)toy()" in answers[3]
    assert "[5.0, 5.0, 5.0]" in answers[4]
    assert f"{file}(3)toy()" in answers[5]


class Notebook:
    """A kernel, and somebody who answers when it asks."""

    def __init__(self, manager: object, commands: list[str] | None) -> None:
        self._client = manager.client()  # type: ignore[attr-defined]
        self._commands = commands

    def __enter__(self) -> Notebook:
        self._client.start_channels()
        self._client.wait_for_ready(timeout=LONGEST)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.stop_channels()

    def run(self, cell: str) -> str:
        asked = self._client.execute(cell, allow_stdin=self._commands is not None)
        told, until = "", time.monotonic() + LONGEST
        while time.monotonic() < until:
            self._answer()
            message = self._heard()
            if message is None or message["parent_header"].get("msg_id") != asked:
                continue
            content = message["content"]
            told += content.get("text", "") if message["msg_type"] == "stream" else ""
            assert message["msg_type"] != "error", content
            if content.get("execution_state") == "idle":
                return plain(told)
        raise AssertionError(f"the cell does not end: {told}")

    def _answer(self) -> None:
        try:
            self._client.stdin_channel.get_msg(timeout=0.02)
        except queue.Empty:
            return
        assert self._commands is not None
        self._client.input(self._commands.pop(0))

    def _heard(self) -> dict | None:  # type: ignore[type-arg]
        try:
            return self._client.iopub_channel.get_msg(timeout=0.02)  # type: ignore[no-any-return]
        except queue.Empty:
            return None


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import KernelManager

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    manager = KernelManager()
    start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    manager._kernel_spec = KernelSpec(argv=start, display_name="test", language="python")
    paths = os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")])
    manager.start_kernel(env={**environment(), "PYTHONPATH": paths})
    yield manager
    manager.shutdown_kernel(now=True)


def cells(folder: Path) -> list[str]:
    return CELLS.format(folder=str(folder)).split("---\n")


def test_a_notebook(kernel: object, tmp_path: Path) -> None:
    folder = tmp_path / "dump"
    file = folder / "__transformed_code_0_for_toy.py"
    commands = ["p 'here'", f"b {file}:2", "c", "p a.tolist()", "clear 1", "c"]
    with Notebook(kernel, commands) as notebook:
        told = [notebook.run(cell) for cell in cells(folder)]
    assert not commands
    assert "[3.0, 3.0]" in told[1]
    # First in the cell, then in compiled code.
    first, _, then = told[2].partition("'here'")
    assert "print(compiled" in first and "/depyf/debugger/" not in first
    assert f"{file}(2)toy()" in then and "[1.0, 1.0]" in then and "[3.0, 3.0]" in then
    assert "[3.0, 3.0]" in told[3]


def test_a_notebook_that_nobody_sits_at(kernel: object, tmp_path: Path) -> None:
    with Notebook(kernel, None) as notebook:
        told = [notebook.run(cell) for cell in cells(tmp_path / "dump")]
    assert "nobody can type a command" in told[2] and "[3.0, 3.0]" in told[2]
