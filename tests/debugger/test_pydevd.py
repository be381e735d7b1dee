"""A session over the text protocol that PyCharm speaks with pydevd."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Iterator
from urllib.parse import unquote_plus

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")
# Found, not imported: importing it changes the process.
PYDEVD = importlib.util.find_spec("pydevd")
if PYDEVD is None:
    pytest.skip("neither pydevd-pycharm nor pydevd is installed", allow_module_level=True)

from .scripted import (  # noqa: E402
    RESULT,
    environment,
    graph_in,
    line_of,
    run_program,
    write_program,
)

# The numbers that pydevd gives its commands.
RUN, SUSPENDED, GO_ON, STEP_OVER = 101, 105, 106, 108
SET_BREAKPOINT, REMOVE_BREAKPOINT, EVALUATE, VERSION = 111, 112, 113, 501
FRAME = re.compile(r'<frame id="([^"]+)"[^>]*? file="([^"]+)" line="(\d+)"')
THREAD = re.compile(r'<thread id="([^"]+)"')


class Editor:
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

    def go_on(self, how: int = GO_ON) -> None:
        self.send(how, self.thread)

    def evaluate(self, expression: str) -> str:
        number = self.send(EVALUATE, self.thread, self._frame, "FRAME", expression, 0)
        return unquote_plus(self.wait_for(EVALUATE, number))


@contextlib.contextmanager
def session(program: Path) -> Iterator[tuple[Editor, subprocess.Popen[str]]]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(120)
        port = str(server.getsockname()[1])
        arguments = ["--client", "127.0.0.1", "--port", port, "--file", str(program)]
        process = subprocess.Popen(
            [sys.executable, "-Xfrozen_modules=off", str(PYDEVD.origin), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment(),
        )
        try:
            connection, _ = server.accept()
            connection.settimeout(120)
            with connection:
                yield Editor(connection), process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(60)


CASES = {
    "transformed": ("eager", "__transformed_code_0_for_toy.py", "{graph}(a", "a", 5.0),
    "captured": ("eager", "{graph}.Captured_Graph.0.py", "l_a_ * 2", "l_a_", 5.0),
    "backward": (
        "aot_eager",
        "{graph}.Backward_graph.0.py",
        "(tangents_1, 2)",
        "tangents_1",
        7.0,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_breakpoint_of_pycharm(case: str, tmp_path: Path) -> None:
    backend, name, text, variable, value = CASES[case]
    program = write_program(tmp_path, backend, backend != "eager")
    first = run_program(program, "", env=environment(PYTHONBREAKPOINT="0"))
    assert first.returncode == 0, first.stderr
    graph = graph_in(tmp_path / "dump")
    file = tmp_path / "dump" / name.format(graph=graph)
    line = line_of(file, text.format(graph=graph))
    with session(program) as (editor, process):
        editor.send(VERSION, "1.0", "UNIX", "ID")
        editor.send(SET_BREAKPOINT, 1, "python-line", file, line, "None", "None", "None")
        editor.send(RUN, "")
        # Transformed code already runs from its file when it is captured; debug() pauses after.
        while "depyf" not in editor.stop()[0].parts:
            editor.go_on()
        editor.go_on()
        assert editor.stop() == (file, line)
        assert str([value] * 3) in editor.evaluate(f"{variable}.tolist()")
        editor.go_on(STEP_OVER)
        where, below = editor.stop()
        assert where == file and below > line
        editor.send(REMOVE_BREAKPOINT, "python-line", file, 1)
        editor.go_on()
        output = process.communicate(timeout=120)[0]
        assert process.returncode == 0 and output.count(RESULT) == 3, output
