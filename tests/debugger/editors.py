"""What a session with an editor is, whatever protocol it speaks: the places, and the way there."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Iterator, NamedTuple, Protocol

from .scripted import environment, graph_in, line_of, run_program, write_program


class Editor(Protocol):
    """The commands of an editor that is attached to a program."""

    def stop(self) -> tuple[Path, int]:
        """Wait until the program stops; file and line of the innermost frame."""

    def go_on(self) -> None: ...

    def step_over(self) -> None: ...

    def evaluate(self, expression: str) -> str:
        """What the editor shows of it, in the innermost frame."""

    def remove_breakpoint(self, file: Path) -> None: ...


class Case(NamedTuple):
    """A line of a file that a backend runs, and what a variable holds there."""

    backend: str
    file: str
    text: str
    variable: str
    value: float


CASES = {
    "transformed": Case("eager", "__transformed_code_0_for_toy.py", "{graph}(a", "a", 5.0),
    "captured": Case("eager", "{graph}.Captured_Graph.0.py", "l_a_ * 2", "l_a_", 5.0),
    "forward": Case("aot_eager", "{graph}.Forward_graph.0.py", "(primals_1, 2)", "primals_1", 5.0),
    "backward": Case(
        "aot_eager", "{graph}.Backward_graph.0.py", "(tangents_1, 2)", "tangents_1", 7.0
    ),
    "wrapper": Case("inductor", "{graph}.kernel_0.py", "args.clear()", "primals_1", 5.0),
}


class Place(NamedTuple):
    program: Path
    file: Path
    line: int


def place_of(case: Case, folder: Path) -> Place:
    """Where it is, by a first run: two runs write the same names."""
    program = write_program(folder, case.backend, case.backend != "eager")
    first = run_program(program, "", env=environment(PYTHONBREAKPOINT="0"))
    assert first.returncode == 0, first.stderr
    graph = graph_in(folder / "dump")
    file = folder / "dump" / case.file.format(graph=graph)
    return Place(program, file, line_of(file, case.text.format(graph=graph)))


def go_through(editor: Editor, case: Case, place: Place) -> None:
    """With a breakpoint at the place: stop there, look, take a step and let the program end."""
    # Transformed code already runs from its file when it is captured; debug() pauses after.
    while "depyf" not in editor.stop()[0].parts:
        editor.go_on()
    editor.go_on()
    assert editor.stop() == (place.file, place.line)
    assert str([case.value] * 3) in editor.evaluate(f"{case.variable}.tolist()")
    editor.step_over()
    file, line = editor.stop()
    assert file == place.file and line > place.line
    editor.remove_breakpoint(place.file)
    editor.go_on()


@contextlib.contextmanager
def started(*words: str, errors: int, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """Python under an editor's debugger; it does not outlive the block."""
    process = subprocess.Popen(
        [sys.executable, "-Xfrozen_modules=off", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        text=True,
        env={**environment(), **variables},
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(60)
