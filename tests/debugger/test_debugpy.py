"""A session over the protocol that VS Code and others speak with debugpy."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Iterator

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")
debugpy = pytest.importorskip("debugpy", reason="debugpy is not installed")

from .editors import CASES, go_through, place_of, started  # noqa: E402
from .scripted import RESULT, environment  # noqa: E402


class VSCode:
    """Speaks the debug adapter protocol over a socket."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self._file = self._socket.makefile("rb")
        self._number = 0
        self._thread = self._frame = 0
        self._events: list[dict[str, object]] = []

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def send(self, command: str, **arguments: object) -> int:
        self._number += 1
        message = {"seq": self._number, "type": "request", "command": command}
        body = json.dumps({**message, "arguments": arguments}).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self._number

    def ask(self, command: str, **arguments: object) -> dict:  # type: ignore[type-arg]
        return self.answer_to(self.send(command, **arguments))

    def answer_to(self, number: int) -> dict:  # type: ignore[type-arg]
        while True:
            message = self._next()
            if message.get("request_seq") == number:
                assert message["success"], message
                return message.get("body") or {}
            self._events.append(message)

    def wait_for(self, event: str) -> dict:  # type: ignore[type-arg]
        while True:
            for message in self._events:
                if message.get("event") == event:
                    self._events.remove(message)
                    return message.get("body") or {}  # type: ignore[return-value]
            self._events.append(self._next())

    def stop(self) -> tuple[Path, int]:
        """File and line of the innermost frame where the program stopped."""
        self._thread = self.wait_for("stopped")["threadId"]
        top = self.ask("stackTrace", threadId=self._thread)["stackFrames"][0]
        self._frame = top["id"]
        return Path(top["source"]["path"]), top["line"]

    def go_on(self) -> None:
        self.ask("continue", threadId=self._thread)

    def step_over(self) -> None:
        self.ask("next", threadId=self._thread)

    def evaluate(self, expression: str) -> str:
        said = self.ask("evaluate", expression=expression, frameId=self._frame)
        return str(said["result"])

    def set_breakpoints(self, file: Path, *lines: int) -> None:
        wanted = [{"line": line} for line in lines]
        self.ask("setBreakpoints", source={"path": str(file)}, breakpoints=wanted)

    def remove_breakpoint(self, file: Path) -> None:
        self.set_breakpoints(file)

    def _next(self) -> dict:  # type: ignore[type-arg]
        length = 0
        while True:
            line = self._file.readline()
            assert line, "the adapter hung up"
            if line == b"\r\n":
                return json.loads(self._file.read(length))  # type: ignore[no-any-return]
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)


@contextlib.contextmanager
def session(program: Path) -> Iterator[tuple[VSCode, subprocess.Popen[str]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["-m", "debugpy", "--listen", str(port), "--wait-for-client"]
    # Inductor starts processes; each would wait for an editor of its own.
    words += ["--configure-subProcess", "False", str(program)]
    found = [environment()["PYTHONPATH"], str(Path(debugpy.__file__).parent.parent)]
    variables = {"PYTHONPATH": os.pathsep.join(found)}
    with started(*words, errors=subprocess.DEVNULL, **variables) as process:
        editor = _connected(port)
        try:
            yield editor, process
        finally:
            editor.close()


def _connected(port: int) -> VSCode:
    for _ in range(600):
        try:
            return VSCode(port)
        except OSError:
            time.sleep(0.2)
    raise AssertionError("debugpy does not listen")


@pytest.mark.parametrize("name", CASES)
def test_a_breakpoint_of_an_editor(name: str, tmp_path: Path) -> None:
    place = place_of(CASES[name], tmp_path)
    with session(place.program) as (editor, process):
        editor.ask("initialize", adapterID="test", pathFormat="path", linesStartAt1=True)
        attached = editor.send("attach", justMyCode=False)
        editor.wait_for("initialized")
        editor.set_breakpoints(place.file, place.line)
        editor.ask("configurationDone")
        editor.answer_to(attached)
        go_through(editor, CASES[name], place)
        editor.wait_for("terminated")
        editor.send("disconnect")
        assert process.stdout is not None
        output = process.stdout.read()
        assert process.wait(60) == 0 and output.count(RESULT) == 3
