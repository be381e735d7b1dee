"""A program in a pseudo-terminal, and somebody who waits for the debugger's prompt before typing.

An answer is whatever the program writes, to stdout or stderr, until it prompts again or ends.
"""

from __future__ import annotations

import importlib.util
import os
import select
import struct
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

import pytest

from .scripted import RESULT, environment

PROMPT = "(Pdb) "
PATIENCE = 300.0
# Wider than any command: of a longer one the line editor would show a part.
COLUMNS = 4000


class Terminal:
    """Python with these words; `first` is what it wrote before its first prompt."""

    def __init__(self, *words: str, cwd: Path | None = None) -> None:
        if importlib.util.find_spec("termios") is None:
            pytest.skip("this system has no pseudo-terminals")
        self._ours, theirs = _opened()
        self._process = subprocess.Popen(
            [sys.executable, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=cwd,
            env=environment(TERM="dumb", NO_COLOR="1"),
            start_new_session=True,
        )
        os.close(theirs)
        self.first = self._until_prompt()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(60)
        os.close(self._ours)

    def ask(self, command: str) -> str:
        """Type the command and wait for the next prompt; the answer alone."""
        self._type(command)
        return _without_echo(self._until_prompt(), command)

    def finish(self, command: str) -> str:
        """Type the last command; what the program writes before it ends, with exit code 0."""
        self._type(command)
        rest = self._read()
        assert not rest.endswith(PROMPT), rest
        assert self._process.wait(PATIENCE) == 0, rest
        return _without_echo(rest, command)

    def _type(self, command: str) -> None:
        os.write(self._ours, f"{command}\n".encode())

    def _until_prompt(self) -> str:
        text = self._read()
        assert text.endswith(PROMPT), f"it ended without a prompt: {text}"
        return text[: -len(PROMPT)]

    def _read(self) -> str:
        """Everything until it prompts or ends."""
        text, until = b"", time.monotonic() + PATIENCE
        while not text.endswith(PROMPT.encode()):
            left = max(0.0, until - time.monotonic())
            assert select.select([self._ours], [], [], left)[0], f"it hangs: {text.decode()}"
            part = _part(self._ours)
            if not part:
                break
            text += part
        return text.decode().replace("\r\n", "\n")


def _opened() -> tuple[int, int]:
    """Our end and the program's."""
    import fcntl
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    return ours, theirs


def _part(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        # So Linux says that nobody has the other end open any more.
        return b""


def _without_echo(text: str, command: str) -> str:
    """What was typed is shown as well."""
    echo, _, answer = text.partition("\n")
    assert echo.strip("\r") == command, (echo, command)
    return answer.strip("\n")


def visit(program: Path, file: Path, line: int, *commands: str) -> list[str]:
    """In the pause of debug(): break at the line, go there, ask; the answers, the place first.

    Then the program goes to its end, and has all its results.
    """
    with Terminal(str(program)) as terminal:
        assert terminal.ask(f"b {file}:{line}") == f"Breakpoint 1 at {file}:{line}"
        said = [terminal.ask(command) for command in ("c", *commands)]
        assert terminal.ask("clear 1") == f"Deleted breakpoint 1 at {file}:{line}"
        rest = terminal.finish("c")
        output = "\n".join([terminal.first, *said, rest])
        assert output.count(RESULT) == 3 and rest.endswith("end True"), output
        return said
