"""`depyf run --debug`: stop on the first line of the first compiled code that runs.

The bytecode hook that comes after those of all captures, the program's own included, sees the code
that will run, with the path of its file: a breakpoint is set there before it runs for the first
time.
"""

from __future__ import annotations

import os
import sys
import types
from typing import List, Optional

from depyf.torch_capture import bytecode_hooks
from depyf.torch_capture.blocks import say
from depyf.torch_capture.faults import describe

from .advice import welcome
from .following import PREFIX, FollowingStepper
from .linking import Links, first_line
from .pause import is_switched_off

SWITCHED_OFF = "PYTHONBREAKPOINT=0: the program runs without a stop"


def stop_at_first_frame() -> None:
    if is_switched_off():
        say(SWITCHED_OFF)
        return
    armed: List[FollowingStepper] = []

    def hook(original: types.CodeType, made: types.CodeType) -> None:
        try:
            if not armed and os.path.basename(made.co_filename).startswith(PREFIX):
                armed.append(_armed(made))
                bytecode_hooks.discard(hook)
        except Exception as error:
            say(f"cannot stop at the first compiled frame: {describe(error)}")

    bytecode_hooks.add(hook, last=True)


def _armed(code: types.CodeType) -> FollowingStepper:
    place = code.co_filename, first_line(code)

    def greet(folders: List[str], links: Links) -> None:
        # A temporary breakpoint would be removed with a line about it.
        stepper.clear_break(*place)
        say(welcome(folders, links, compiling=True))

    stepper = FollowingStepper(greet)
    stepper.reset()
    stepper.set_break(*place)
    stepper.botframe = _outermost()
    stepper.set_continue()
    sys.settrace(stepper.trace_dispatch)
    return stepper


def _outermost() -> types.FrameType:
    frame = sys._getframe()
    caller: Optional[types.FrameType] = frame.f_back
    while caller is not None:
        frame, caller = caller, caller.f_back
    return frame
