"""One pause through `breakpoint()`, whatever the user's `breakpoint()` is.

Python's own debugger is replaced by one that steps well through compiled code. Any other (an IDE's,
ipdb, a hook of the user's, none at all) is called as it is.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import os
import pdb
import sys
import types
from typing import Callable, Optional

from depyf.torch_capture.blocks import Stop, say

from .stepper import Stepper
from .threads import follow_new_threads

_SET_TRACE = pdb.set_trace
# Debuggers that read commands from stdin, by the first part of the name they are called by. An
# IDE does not: there stdin may be closed.
_READ_STDIN = frozenset("pdb ipdb IPython pudb bdb".split())


def stop_in(frame: types.FrameType, undo: contextlib.ExitStack) -> Optional[Stop]:
    """What stops in `frame` if Python's debugger is asked for, else where `breakpoint()` stops.

    All that may fail of ours is done before it is called: what a debugger raises is for the
    program.
    """
    asked_for = _debugger()
    if asked_for is None:
        return None
    if asked_for in _READ_STDIN and _stdin_is_gone():
        say("stdin is closed: nobody can type a command, the program goes on")
        return None
    stepper = _stepper() if asked_for == "pdb" and pdb.set_trace is _SET_TRACE else None
    if stepper is None:
        return _stop_with(_hook(), frame)
    follow_new_threads(stepper, undo)
    return functools.partial(_with_hook, functools.partial(stepper.set_trace, frame))


def _stop_with(hook: Callable[..., object], frame: types.FrameType) -> Stop:
    """A debugger that takes a frame stops in the program, others stop where they are called."""
    stop = breakpoint if hook is sys.breakpointhook else hook
    return functools.partial(stop, frame=frame) if _takes_a_frame(hook) else stop


def _takes_a_frame(hook: Callable[..., object]) -> bool:
    try:
        called: object = hook
        if hook is sys.__breakpointhook__:
            module, _, name = _chosen().rpartition(".")
            called = getattr(importlib.import_module(module), name)
        return "frame" in inspect.signature(called).parameters  # type: ignore[arg-type]
    except Exception:
        # Whatever is wrong with it, breakpoint() will say so.
        return False


def _stepper() -> Optional[Stepper]:
    try:
        return Stepper()
    except Exception as error:
        say(f"Python's own debugger is used as it is: {error}")
        return None


def _debugger() -> Optional[str]:
    """The package that `breakpoint()` would call, "" if it cannot be told, None for no pause."""
    hook = _hook()
    if hook is not sys.__breakpointhook__:
        return str(getattr(hook, "__module__", "") or "").partition(".")[0]
    if is_switched_off():
        return None
    chosen = _chosen()
    if chosen == "pdb.set_trace":
        # In a notebook that is IPython's.
        return str(getattr(pdb.set_trace, "__module__", "") or "pdb").partition(".")[0]
    return chosen.partition(".")[0]


def is_switched_off() -> bool:
    """Whether Python's own `breakpoint()` does nothing."""
    return _chosen() == "0"


def _chosen() -> str:
    chosen = os.environ.get("PYTHONBREAKPOINT", "") if not sys.flags.ignore_environment else ""
    return chosen or "pdb.set_trace"


def _hook() -> Callable[..., object]:
    """What `breakpoint()` calls, or Python's own in place of one that would do nothing."""
    hook: Callable[..., object] = sys.breakpointhook
    return sys.__breakpointhook__ if _waits_for_an_editor(hook) else hook


def _waits_for_an_editor(hook: object) -> bool:
    """Every notebook has debugpy's hook; without an editor attached it passes over."""
    debugpy = sys.modules.get("debugpy")
    if getattr(hook, "__name__", "") != "debugpy_breakpointhook" or debugpy is None:
        return False
    try:
        return not debugpy.is_client_connected()
    except Exception:
        return False


def _stdin_is_gone() -> bool:
    try:
        return sys.stdin is None or sys.stdin.closed or _is_notebook_without_stdin()
    except AttributeError:
        return False


def _is_notebook_without_stdin() -> bool:
    """Run from a command line, a notebook has nobody to ask."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    kernel = getattr(shell, "kernel", None)
    return kernel is not None and not getattr(kernel, "_allow_stdin", True)


def _with_hook(hook: Callable[..., object]) -> None:
    before = sys.breakpointhook
    sys.breakpointhook = hook
    try:
        breakpoint()
    finally:
        if sys.breakpointhook is hook:
            sys.breakpointhook = before
