"""A session over the protocol that VS Code and others speak with debugpy."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Iterator

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")
debugpy = pytest.importorskip("debugpy", reason="debugpy is not installed")

from .scripted import (  # noqa: E402
    RESULT,
    environment,
    graph_in,
    line_of,
    run_program,
    write_program,
)


class Client:
    """Speaks the debug adapter protocol over a socket."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        self._file = self._socket.makefile("rb")
        self._number = 0
        self.thread = 0
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

    def stop(self) -> dict:  # type: ignore[type-arg]
        """The innermost frame where the program stopped."""
        self.thread = self.wait_for("stopped")["threadId"]
        return self.ask("stackTrace", threadId=self.thread)["stackFrames"][0]  # type: ignore

    def go_on(self, how: str) -> None:
        self.ask(how, threadId=self.thread)

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
def session(program: Path) -> Iterator[tuple[Client, subprocess.Popen[str]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = environment()
    variables["PYTHONPATH"] += os.pathsep + str(Path(debugpy.__file__).parent.parent)
    listen = ["-m", "debugpy", "--listen", str(port), "--wait-for-client"]
    # Inductor starts processes; each would wait for an editor of its own.
    listen += ["--configure-subProcess", "False"]
    process = subprocess.Popen(
        [sys.executable, "-Xfrozen_modules=off", *listen, str(program)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=variables,
    )
    client = None
    try:
        client = _connected(port)
        yield client, process
    finally:
        if client is not None:
            client.close()
        if process.poll() is None:
            process.kill()
        process.wait(60)


def _connected(port: int) -> Client:
    import time

    for _ in range(600):
        try:
            return Client(port)
        except OSError:
            time.sleep(0.2)
    raise AssertionError("debugpy does not listen")


CASES = {
    "transformed": ("eager", "__transformed_code_0_for_toy.py", "{graph}(a", "a", 5.0),
    "captured": ("eager", "{graph}.Captured_Graph.0.py", "l_a_ * 2", "l_a_", 5.0),
    "forward": (
        "aot_eager",
        "{graph}.Forward_graph.0.py",
        "(primals_1, 2)",
        "primals_1",
        5,
    ),
    "backward": (
        "aot_eager",
        "{graph}.Backward_graph.0.py",
        "(tangents_1, 2)",
        "tangents_1",
        7.0,
    ),
    "wrapper": ("inductor", "{graph}.kernel_0.py", "args.clear()", "primals_1", 5.0),
}


@pytest.mark.parametrize("case", CASES)
def test_a_breakpoint_of_an_editor(case: str, tmp_path: Path) -> None:
    backend, name, text, variable, value = CASES[case]
    program = write_program(tmp_path, backend, backend != "eager")
    first = run_program(program, "", env=environment(PYTHONBREAKPOINT="0"))
    assert first.returncode == 0, first.stderr
    graph = graph_in(tmp_path / "dump")
    name = name.format(graph=graph)
    file = tmp_path / "dump" / name
    line = line_of(file, text.format(graph=graph))
    with session(program) as (client, process):
        client.ask("initialize", adapterID="test", pathFormat="path", linesStartAt1=True)
        attached = client.send("attach", justMyCode=False)
        client.wait_for("initialized")
        client.ask("setBreakpoints", source={"path": str(file)}, breakpoints=[{"line": line}])
        client.ask("configurationDone")
        client.answer_to(attached)
        # Transformed code already runs from its file when it is captured; debug() pauses after.
        top = client.stop()
        while "depyf" not in Path(top["source"]["path"]).parts:
            client.go_on("continue")
            top = client.stop()
        client.go_on("continue")
        top = client.stop()
        assert os.path.basename(top["source"]["path"]) == name and top["line"] == line
        said = client.ask("evaluate", expression=f"{variable}.tolist()", frameId=top["id"])
        assert json.loads(said["result"]) == [value] * 3
        client.go_on("next")
        below = client.stop()
        assert os.path.basename(below["source"]["path"]) == name and below["line"] > line
        client.ask("setBreakpoints", source={"path": str(file)}, breakpoints=[])
        client.go_on("continue")
        client.wait_for("terminated")
        client.send("disconnect")
        assert process.stdout is not None
        output = process.stdout.read()
        assert process.wait(60) == 0 and output.count(RESULT) == 3
