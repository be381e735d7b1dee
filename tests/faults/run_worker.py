"""Runs a program with `depyf run` again and again, each time with another function that raises.

Torch is loaded once: each run is a fork of this process, which then ends as any Python does. The
program finds a module in the place of torch's compiler, because that one is loaded already.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import random
import sys
import types
from pathlib import Path

import torch

import depyf
from depyf.cli import main, watching
from depyf.debugger import first_frame  # noqa: F401

sys.path.insert(0, str(Path(__file__).parent.parent))
from faults.injecting import (
    EVERYTHING,
    NEVER,
    Injected,
    all_codes,
    codes_in,
    place_of,
    raising,
    record,
)

STAND_IN = "stand_in_for_the_compiler"
PROGRAM = f"""
import {STAND_IN}, torch
def toy(a):
    return a * 2 + 1
print(torch.compile(toy, backend="eager")(torch.ones(3)).tolist())
raise ValueError("its own")
"""
COMMANDS = "n\ns\nn\n"
# Tested here; the rest of what is called lies behind prepare_debug.
OURS = ("cli", "debugger")
# None of these is seen when it is called: that is while Python calls a debugger.
DEBUGGER = ("debugger/stepper.py", "debugger/following.py", "debugger/first_frame.py")
FAULTS: list[object] = []
ENOUGH = 5
# Called by Python or by the command itself: nothing stands around them.
OUTERMOST = {
    "take_over": "runs the program",
    "script": "tells what the program is",
    "_set_first_path": "makes the program what it is without us",
    "_set_fresh_main": "makes the program what it is without us",
    "_script_variables": "makes the program what it is without us",
    "_code_of": "reads the program",
    "Errors.__enter__": "stands around the program",
    "Errors.__exit__": "stands around the program",
    "_as_file": "makes the program what it is without us",
    "_is_archive": "tells what the program is",
    "_without_our_frames.show": "called by Python",
    "ImportWatcher.find_spec": "called by Python",
    "_call_after_execution.execute_and_call": "loads what the program asked for",
    "Watch._look": "called by Python at exit",
    "Watch._finish": "called by Python at exit",
    "Stepper.trace_dispatch": "called by Python for every line",
}
# The command line is read, and nothing has been started yet: its errors are for the user.
BEFORE = set(
    "main _command _parsed _parser _never_fail_to_print _never_fail_to_print.restore register "
    "split run _folder _is_used _check_folder _default_folder check_script _Parser.error "
    "_Parser.__init__ _made_by _without_links_on_the_way".split()
)


class Runs:
    """In `home`; `more` are options of `depyf run`."""

    def __init__(self, home: Path, more: list[str]) -> None:
        self.home, self.more, self._number = home, more, 0
        (home / f"{STAND_IN}.py").write_text("")
        (home / "program.py").write_text(PROGRAM)

    def fork(self) -> int:
        """0 in the new process, which has its own files in place of stdin, stdout and stderr."""
        self._number += 1
        pid = os.fork()
        if pid:
            return pid
        (self.home / "commands").write_text(COMMANDS)
        for number, name in enumerate(("commands", "out", "errors")):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(self.home / name, flags), number)
        watching.COMPILER = STAND_IN
        return 0

    def program(self) -> None:
        """Raises what the program raises."""
        folder = str(self.home / f"folder_{self._number}")
        sys.exit(main(["run", *self.more, "-o", folder, str(self.home / "program.py")]))

    def text(self, name: str) -> str:
        return (self.home / name).read_text()


def note_called(runs: Runs) -> None:
    """In a process of its own, which notes the functions that are called, to its very end."""
    found: set[types.CodeType] = set()

    def write() -> None:
        sys.setprofile(None)
        (runs.home / "called").write_text(json.dumps([place_of(code) for code in found]))

    # Registered first, called last.
    atexit.register(write)
    record(found)
    runs.program()


def called(runs: Runs) -> list[types.CodeType]:
    pid = runs.fork()
    if not pid:
        note_called(runs)
    os.waitpid(pid, 0)
    seen = {tuple(place) for place in json.loads(runs.text("called"))}
    debugger = {code for file in DEBUGGER for code in codes_in(file)} if runs.more else set()
    found = [code for code in all_codes() if place_of(code) in seen or code in debugger]
    return sorted((code for code in found if place_of(code).file.startswith(OURS)), key=place_of)


def raise_in(runs: Runs, code: types.CodeType) -> None:
    """In a process of its own."""
    # Not undone: exit handlers are to run into it as well.
    fault = raising(code)
    fault.__enter__()
    Injected.noticed = lambda: (runs.home / "raised").touch()
    FAULTS.append(fault)
    runs.program()


def what_is_wrong(runs: Runs, pid: int) -> str:
    status = os.waitpid(pid, 0)[1]
    errors = runs.text("errors")
    if not (runs.home / "raised").exists():
        return NEVER
    if os.WEXITSTATUS(status) != 1 or os.WIFSIGNALED(status):
        return f"ends with {status}: {errors[-600:]}"
    if "[3.0, 3.0, 3.0]\n" not in runs.text("out"):
        return f"another result: {runs.text('out')} {errors[-600:]}"
    own = errors.count("Traceback (most recent call last)")
    if own != 1 or "ValueError: its own" not in errors:
        return f"other errors: {errors[-900:]}"
    return ""


def main_loop(runs: Runs) -> None:
    tested, problems = [], []
    excepted = {**OUTERMOST, **dict.fromkeys(BEFORE)}
    inside = [one for one in called(runs) if place_of(one).name not in excepted]
    # Some cannot be tested, and are not among those that are enough.
    for code in random.Random(ENOUGH).sample(inside, len(inside)):
        if len(tested) == ENOUGH and not os.environ.get(EVERYTHING):
            break
        place = place_of(code)
        with contextlib.suppress(FileNotFoundError):
            (runs.home / "raised").unlink()
        pid = runs.fork()
        if not pid:
            raise_in(runs, code)
        wrong = what_is_wrong(runs, pid)
        if wrong == NEVER and place.file in DEBUGGER:
            continue
        tested.append(str(place))
        problems += [f"{place}: {wrong}"] if wrong else []
    print(json.dumps({"tested": tested, "problems": problems}))


def warm_up(home: Path) -> None:
    """What torch and depyf do once in a process is done before the forks."""
    with depyf.prepare_debug(home / "warm"):
        torch.compile(lambda a: a * 3, backend="eager")(torch.ones(2))


if __name__ == "__main__":
    warm_up(Path(sys.argv[1]))
    main_loop(Runs(Path(sys.argv[1]), sys.argv[2:]))
