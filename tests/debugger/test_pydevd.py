"""A session over the text protocol that PyCharm speaks with pydevd."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import socket
import subprocess
from pathlib import Path
from typing import Iterator
from urllib.parse import unquote_plus

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")
# Found, not imported: importing it changes the process.
PYDEVD = importlib.util.find_spec("pydevd")
if PYDEVD is None:
    pytest.skip("neither pydevd-pycharm nor pydevd is installed", allow_module_level=True)

from .editors import CASES, go_through, place_of, started  # noqa: E402
from .scripted import RESULT  # noqa: E402

# The numbers that pydevd gives its commands.
RUN, SUSPENDED, GO_ON, STEP_OVER = 101, 105, 106, 108
SET_BREAKPOINT, REMOVE_BREAKPOINT, EVALUATE, VERSION = 111, 112, 113, 501
FRAME = re.compile(r'<frame id="([^"]+)"[^>]*? file="([^"]+)" line="(\d+)"')
THREAD = re.compile(r'<thread id="([^"]+)"')


class PyCharm:
    """What PyCharm does: it listens, the debugger connects, and lines go both ways."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines = connection.makefile("r", encoding="utf-8")
        self._number = 1
        self.thread = self._frame = ""

    def send(self, command: int, *arguments: object) -> str:
        self._number += 2
        line = "\t".join(map(str, (command, self._number, *arguments)))
        self._connection.sendall(f"{line}\n".encode())
        return str(self._number)

    def wait_for(self, command: int, number: str = "") -> str:
        for line in self._lines:
            kind, sequence, payload = line.rstrip("\n").split("\t", 2)
            assert kind != "901", f"the debugger complains: {unquote_plus(payload)}"
            if kind == str(command) and number in ("", sequence):
                return unquote_plus(payload)
        raise AssertionError("the debugger hung up")

    def stop(self) -> tuple[Path, int]:
        """File and line of the innermost frame where the program stopped."""
        said = self.wait_for(SUSPENDED)
        thread, frame = THREAD.search(said), FRAME.search(said)
        assert thread and frame, said
        self.thread, self._frame = thread[1], frame[1]
        return Path(unquote_plus(frame[2])), int(frame[3])

    def go_on(self) -> None:
        self.send(GO_ON, self.thread)

    def step_over(self) -> None:
        self.send(STEP_OVER, self.thread)

    def evaluate(self, expression: str) -> str:
        number = self.send(EVALUATE, self.thread, self._frame, "FRAME", expression, 0)
        return unquote_plus(self.wait_for(EVALUATE, number))

    def set_breakpoint(self, file: Path, line: int) -> None:
        self.send(SET_BREAKPOINT, 1, "python-line", file, line, "None", "None", "None")

    def remove_breakpoint(self, file: Path) -> None:
        self.send(REMOVE_BREAKPOINT, "python-line", file, 1)


@contextlib.contextmanager
def session(program: Path) -> Iterator[tuple[PyCharm, subprocess.Popen[str]]]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(120)
        port = str(server.getsockname()[1])
        words = ["--client", "127.0.0.1", "--port", port, "--file", str(program)]
        with started(str(PYDEVD.origin), *words, errors=subprocess.STDOUT) as process:
            connection, _ = server.accept()
            connection.settimeout(120)
            with connection:
                yield PyCharm(connection), process


@pytest.mark.parametrize("name", CASES)
def test_a_breakpoint_of_pycharm(name: str, tmp_path: Path) -> None:
    place = place_of(CASES[name], tmp_path)
    with session(place.program) as (editor, process):
        editor.send(VERSION, "1.0", "UNIX", "ID")
        editor.set_breakpoint(place.file, place.line)
        editor.send(RUN, "")
        go_through(editor, CASES[name], place)
        output = process.communicate(timeout=120)[0]
        assert process.returncode == 0 and output.count(RESULT) == 3, output
