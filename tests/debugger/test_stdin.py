"""Nobody at the keyboard: debug() says so, and the program goes on to its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

from .scripted import RESULT, environment, run_program, write_program


def is_whole(done: subprocess.CompletedProcess[str]) -> bool:
    good = done.returncode == 0 and done.stdout.count(RESULT) == 3
    assert good and done.stdout.endswith("end True\n"), done.stdout + done.stderr
    return "Traceback" not in done.stderr


def test_the_null_device(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    done = run_program(program, None, stdin=subprocess.DEVNULL)
    assert is_whole(done) and "stdin is at its end" in done.stderr


def test_a_closed_pipe(tmp_path: Path) -> None:
    done = run_program(write_program(tmp_path, "eager"), "")
    assert is_whole(done) and "stdin is at its end" in done.stderr


def test_no_stdin_at_all(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    command = f'"{sys.executable}" "{program}" <&-'
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, timeout=300, env=environment()
    )
    assert is_whole(done) and "stdin is closed" in done.stderr


def test_a_file_of_commands(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    commands = tmp_path / "commands"
    commands.write_text(f"b {tmp_path}/dump/__transformed_code_0_for_toy.py:2\nc\np a.tolist()\n")
    with open(commands) as file:
        done = run_program(program, None, stdin=file)
    # Obeyed to the last; then the breakpoint is no reason to stop any more.
    assert is_whole(done) and "[5.0, 5.0, 5.0]" in done.stdout
    assert done.stderr.count("stdin is at its end") == 1


def test_commands_that_run_out_before_a_breakpoint(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    done = run_program(program, f"b {tmp_path}/dump/__transformed_code_0_for_toy.py:2\nc\n")
    assert is_whole(done) and "__transformed_code_0_for_toy.py(2)" in done.stdout


# Where the tests run in the background, the signal is ignored unless it is told otherwise.
INTERRUPTED = """
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt():
    print("interrupted", flush=True)
    signal.raise_signal(signal.SIGINT)
    time.sleep(1)
    print("not interrupted")
"""


@pytest.mark.skipif(os.name == "nt", reason="a process there is not ended by a signal")
@pytest.mark.parametrize(
    "place", ["    run()\nrun()\n", "run()\nprint("], ids=["in the block", "behind it"]
)
def test_an_interruption_is_for_the_program(tmp_path: Path, place: str) -> None:
    program = write_program(tmp_path, "eager")
    text = program.read_text(encoding="utf-8")
    assert text.count(place) == 1
    indented = "    " * place.startswith(" ")
    text = text.replace(place, f"{indented}interrupt()\n{place}")
    program.write_text(INTERRUPTED + text, encoding="utf-8")
    # There are commands left that nobody meant as an answer to it.
    done = run_program(program, "c\nc\n")
    assert done.returncode == -signal.SIGINT and "not interrupted" not in done.stdout
    assert done.stderr.rstrip().endswith("KeyboardInterrupt") and "stdin" not in done.stderr


def test_quitting_is_still_quitting(tmp_path: Path) -> None:
    done = run_program(write_program(tmp_path, "eager"), "q\n")
    assert done.returncode == 1 and done.stderr.count("depyf: debug() was quit") == 1
    assert done.stderr.rstrip().endswith("bdb.BdbQuit")
    assert done.stdout.count(RESULT) == 1


def test_who_catches_the_quitting_goes_on(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    text = program.read_text(encoding="utf-8")
    caught = (
        "import bdb\ntry:\n    with depyf.debug():\n        run()\nexcept bdb.BdbQuit:\n    pass\n"
    )
    # Nothing of ours is left behind for its own errors.
    ending = "import sys\nassert sys.excepthook is sys.__excepthook__\n"
    ending += "raise RuntimeError('of the program')\n"
    program.write_text(text.replace("with depyf.debug():\n    run()\n", caught) + ending)
    done = run_program(program, "q\n")
    assert done.stdout.count(RESULT) == 2 and done.stdout.endswith("end True\n")
    assert "RuntimeError: of the program" in done.stderr and "Traceback" in done.stderr


def test_no_debugger_is_wanted(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    done = run_program(program, "", env=environment(PYTHONBREAKPOINT="0"))
    assert is_whole(done) and "Pdb" not in done.stdout


@pytest.mark.parametrize("name", ["mine.stop", "mine.module.stop"])
def test_a_debugger_of_ones_own(tmp_path: Path, name: str) -> None:
    package = tmp_path / "mine"
    package.mkdir()
    text = "import sys\ndef stop(): print('stopped', sys._getframe(1).f_code.co_name)\n"
    (package / "__init__.py").write_text(text)
    (package / "module.py").write_text(text)
    variables = environment(PYTHONBREAKPOINT=name)
    variables["PYTHONPATH"] += os.pathsep + str(tmp_path)
    done = run_program(write_program(tmp_path, "eager"), "", env=variables)
    assert is_whole(done) and done.stdout.count("stopped ") == 1


def test_a_hook_of_the_program(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    hook = "import sys\nsys.breakpointhook = lambda *args, **kwargs: print('hooked')\n"
    program.write_text(hook + program.read_text())
    done = run_program(program, "")
    assert is_whole(done) and done.stdout.count("hooked") == 1
