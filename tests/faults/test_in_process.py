"""Whatever function of ours raises, the program does what it would have done without depyf.

Nothing is left to a list made by hand: the functions are those that a recorded run really calls.
"""

from __future__ import annotations

import bdb
import logging
import os
import traceback
import types
from typing import Callable, Iterator

import pytest
import torch
from torch._dynamo.utils import counters

from depyf.torch_capture import prepare

from .injecting import NEVER, Injected, codes_in, place_of, raising, recorded, some_of
from .scenarios import Scenarios, Tensors, close, compiled, run, same, toy_example
from .torch_state import put_back, put_in

Program = Callable[[], Tensors]

# Called by torch, Python or the program itself: nothing stands around them that could hold an
# error back. Each does nothing but to call what is in turn made to fail here.
OUTERMOST = {
    "Block.__enter__": "called by the program",
    "Block.__exit__": "called by the program",
    "Block.__init__": "part of what the program calls; a wrong argument is its to hear of",
    "prepare_debug.__init__": "called by the program; a wrong argument is its to hear of",
    "debug.__init__": "called by the program",
    "install": "called by the program",
    "uninstall": "called by the program",
    "_Ours.__call__": "torch's bytecode hook",
    "_listening.__init__": "makes what torch asked for, and listens then",
    "TraceHandler.handle": "called by torch's logger",
    "AskedHandlers.__bool__": "asked by torch",
    "_Method.__init__.ours": "in place of a method of torch's",
    "run_graphs_from.boxed_run": "in place of a method of torch's",
    "backward_as_captured.run": "is the backward pass: torch calls it in place of compiled code",
    "Stepper.trace_dispatch": "called by Python for every line",
    "_with_hook": "calls the debugger, and what that raises is for the program",
}
# What takes something of ours out of torch again. If it fails whenever it is tried, that stays
# there: then it has to do nothing. If it fails but once, nothing stays.
TAKES_AWAY = {
    "_stop",
    "Capture.stop",
    "detach",
    "stop_listening",
    "_restore",
    "discard",
    "_take_out",
    "_unlink",
    "Links.undo",
    "_allow_compilation",
    "_Method.stop",
}
# Called, or there, in some versions of torch only.
ONLY_SOME_TORCH = {"run_graphs_from.boxed_run", "backward_as_captured.run", "handle"}
DEBUGGER = os.path.join("debugger", "stepper.py")
# Python's own debugger is used as it is then, and raises BdbQuit where the commands run out.
WITHOUT_STEPPER = {"Stepper.__init__", "eval_frame_setter", "never_compile"}
# Each with what it runs: whether there are gradients, and the sizes of its inputs.
NAMES: dict[str, tuple[bool, list[int]]] = {
    "compiled_before": (True, [10]),
    "aot_eager": (True, [10]),
    "inductor": (False, [10]),
    "bytecode_log": (False, [10]),
    "debug_with_a_hook": (True, [10]),
    "debug_with_pdb": (True, [10]),
}

# prepare_debug comes first, then install, then debug.
NEW_WAY_IN = {"bytecode_log", "debug_with_a_hook"}

# The module shares what is compiled; a reset between its tests would lose it.


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scenarios]:
    with pytest.MonkeyPatch.context() as patch:
        # Beside a handler of anyone else's, pytest's for one, all records are made.
        patch.setattr(logging.getLogger("torch.__trace"), "handlers", [])
        patch.setattr(prepare, "_captures", {})
        yield Scenarios(tmp_path_factory.mktemp("faults"))
    torch._dynamo.reset()


@pytest.fixture(scope="module")
def called(scenarios: Scenarios) -> dict[str, list[types.CodeType]]:
    """The functions that each scenario is the first to call of those with the same way in."""
    known: set[types.CodeType] = set()
    first: dict[str, list[types.CodeType]] = {}
    for name in NAMES:
        if name in NEW_WAY_IN:
            known = set()
        # What is done once in a process is done now.
        getattr(scenarios, name)()
        found: set[types.CodeType] = set()
        with recorded(found):
            getattr(scenarios, name)()
        if name == "debug_with_pdb":
            found |= codes_in(DEBUGGER)
        first[name] = sorted(found - known, key=place_of)
        known |= found
    return first


def test_every_exception_has_a_reason(called: dict[str, list[types.CodeType]]) -> None:
    """What is no longer there must not be excepted either."""
    names = {name_of(code) for codes in called.values() for code in codes}
    assert set(OUTERMOST) | TAKES_AWAY <= names | ONLY_SOME_TORCH


def name_of(code: types.CodeType) -> str:
    return place_of(code).name


@pytest.mark.parametrize("name", NAMES)
def test_an_error_of_ours_stays_ours(
    name: str, scenarios: Scenarios, called: dict[str, list[types.CodeType]]
) -> None:
    program = getattr(scenarios, name)
    expected = program()
    assert close(expected, run(toy_example, *NAMES[name]))
    inside = [code for code in called[name] if name_of(code) not in OUTERMOST]
    # The first scenario is quick.
    inside = inside if name == "compiled_before" else some_of(inside, most=6)
    assert inside, "nothing was tested"
    problems, never = [], []
    for code in inside:
        for once in [True, False] if name_of(code) in TAKES_AWAY else [False]:
            wrong = what_is_wrong(program, expected, code, once)
            kind = never if wrong == NEVER else problems
            kind += [f"{place_of(code)}: {wrong}"] if wrong else []
    assert not problems, "\n".join(problems)
    # What the collector of garbage calls, or a cache spares, is called in some runs only.
    assert 3 * len(never) < len(inside), "\n".join(never)


def what_is_wrong(program: Program, expected: Tensors, code: types.CodeType, once: bool) -> str:
    before = put_in()
    try:
        with raising(code, once):
            found = program()
    except bdb.BdbQuit:
        return "" if name_of(code) in WITHOUT_STEPPER else "the debugger was quit"
    except Exception:
        return "it came through:\n" + traceback.format_exc(limit=-6)
    if not same(found, expected):
        return "the result is another one"
    if not Injected.times and place_of(code).file != DEBUGGER:
        return NEVER
    left = difference(before)
    if left and not once and name_of(code) in TAKES_AWAY:
        harm = harm_of_what_is_left()
        put_back(before)
        return harm or difference(before)
    return f"left behind: {left}" if left else ""


def difference(before: dict[str, object]) -> str:
    now = put_in()
    return ", ".join(what for what in now if now[what] != before[what])


AS_EVER = (True, [10])


def harm_of_what_is_left() -> str:
    """Nobody listens any more: torch compiles as ever, and no function of a capture goes far."""
    counted = counters["frames"]["ok"]
    heard = sum(len(one.events) for one in prepare._captures.values())
    if not close(run(compiled("aot_eager"), *AS_EVER), run(toy_example, *AS_EVER)):
        return "what is left changes a result"
    if counters["frames"]["ok"] == counted:
        return "what is left keeps torch from compiling"
    if sum(len(one.events) for one in prepare._captures.values()) != heard:
        return "what is left still listens"
    return ""
