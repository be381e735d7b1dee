"""One pause through `breakpoint()`, whatever the user's `breakpoint()` is.

Python's own debugger is replaced by one that steps well through compiled code. Any other (an IDE's,
ipdb, a hook of the user's, none at all) is called as it is.
"""

from __future__ import annotations

import os
import pdb
import sys
import types
from typing import Callable, Optional

from depyf.torch_capture.blocks import say

from .stepper import Stepper

_SET_TRACE = pdb.set_trace
# Debuggers that read commands from stdin, by the first part of the name they are called by. An
# IDE does not: there stdin may be closed.
_READ_STDIN = frozenset("pdb ipdb IPython pudb bdb".split())


def pause(frame: types.FrameType, make: Callable[[], Stepper] = Stepper) -> None:
    """Stop in `frame` if Python's debugger is asked for, else wherever `breakpoint()` stops."""
    asked_for = _debugger()
    if asked_for is None:
        return
    if asked_for in _READ_STDIN and _stdin_is_gone():
        say("stdin is closed: nobody can type a command, the program goes on")
        return
    stepper = _made(make) if asked_for == "pdb" and pdb.set_trace is _SET_TRACE else None
    if stepper is None:
        breakpoint()
    else:
        _with_hook(lambda *args, **kwargs: stepper.set_trace(frame))


def _made(make: Callable[[], Stepper]) -> Optional[Stepper]:
    try:
        return make()
    except Exception as error:
        say(f"Python's own debugger is used as it is: {error}")
        return None


def _debugger() -> Optional[str]:
    """The package that `breakpoint()` would call, "" if it cannot be told, None for no pause."""
    if sys.breakpointhook is not sys.__breakpointhook__:
        return str(getattr(sys.breakpointhook, "__module__", "") or "").partition(".")[0]
    chosen = os.environ.get("PYTHONBREAKPOINT", "") if not sys.flags.ignore_environment else ""
    if chosen == "0":
        return None
    return (chosen or "pdb.set_trace").partition(".")[0]


def _stdin_is_gone() -> bool:
    try:
        return sys.stdin is None or sys.stdin.closed
    except AttributeError:
        return False


def _with_hook(hook: Callable[..., object]) -> None:
    before = sys.breakpointhook
    sys.breakpointhook = hook
    try:
        breakpoint()
    finally:
        if sys.breakpointhook is hook:
            sys.breakpointhook = before
