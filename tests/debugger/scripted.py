"""Programs that use debug(), run in a process of their own, and how to read what pdb shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import depyf

SOURCE = str(Path(depyf.__file__).parent.parent)

# With a graph break; the numbers are easy to check by hand.
TOY = """\
def toy(a, b):
    x = a * 2
    if b.sum() < 0:
        b = b * -1
    return x * b
"""
# Inductor launches a kernel, calls an operator that is written in Python, and launches another.
LAUNCHES = """\
mine = torch.library.Library("mine", "DEF")
mine.define("doubled(Tensor x) -> Tensor")

def doubled(x):
    return x * 2

mine.impl("doubled", doubled, "CPU")
mine.impl("doubled", torch.empty_like, "Meta")

def toy(a, b):
    return torch.ops.mine.doubled(a * 0.5) * 2 * b
"""
PROGRAM = """\
import sys, torch, depyf

{function}
def own(graph, inputs):
    def run(*arguments):
        return graph(*arguments)
    return run

compiled = torch.compile(toy, backend={backend})

def run():
    a = torch.full((3,), 5.0, requires_grad={grad})
    b = torch.full((3,), 7.0, requires_grad={grad})
    result = compiled(a, b)
    if {grad}:
        result.sum().backward()
        print("gradient", a.grad.tolist())
    print("result", result.tolist())

with depyf.prepare_debug({folder!r}):
    run()
with depyf.debug():
    run()
run()
print("end", "run" in sys.modules["__main__"].__dict__)
"""
# A backend of the program's own, by the name it has there.
OWN = "own"
RESULT = "result [70.0, 70.0, 70.0]"


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONBREAKPOINT"}
    return {**kept, "PYTHONPATH": SOURCE, **more}


def write_program(folder: Path, backend: str, grad: bool = False, function: str = TOY) -> Path:
    program = folder / "program.py"
    named = backend if backend == OWN else repr(backend)
    dump = str(folder / "dump")
    text = PROGRAM.format(function=function, backend=named, grad=grad, folder=dump)
    program.write_text(text, encoding="utf-8")
    return program


def run_program(
    program: Path, commands: str | None, **options: object
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(program)],
        input=commands,
        capture_output=True,
        text=True,
        timeout=300,
        **{"env": environment(), **options},  # type: ignore[call-overload]
    )


def line_of(file: Path, text: str) -> int:
    """The number of the only line of the file that holds the text."""
    found = [
        number
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if text in line and not line.lstrip().startswith("#")
    ]
    assert len(found) == 1, (file, text, found)
    return found[0]


def graph_in(folder: Path, place: int = 0) -> str:
    """The name of a graph, in the order of their numbers, which each torch counts differently."""
    found = {re.match(r"__compiled_fn_(\d+)\.", name) for name in os.listdir(folder)}
    numbers = sorted({int(match[1]) for match in found if match})
    return f"__compiled_fn_{numbers[place]}"


def shown(answer: str) -> tuple[str, int, str]:
    """File, line and text of the place where the debugger says that it is."""
    match = re.search(r"^> (.*)\((\d+)\)[^\n]*\n-> ([^\n]*)", answer, re.M)
    assert match, answer
    return os.path.basename(match[1]), int(match[2]), match[3]
