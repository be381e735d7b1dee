"""Breakpoints are also hit in threads that the program starts while a block of debug() is open.

Each has a debugger of its own, so that `next` and `step` stay in the thread where they are typed.
All of them have the same breakpoints.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import types
from typing import Any, Callable, Optional

from depyf.torch_capture.blocks import contained, undo_later

from .stepper import Stepper

TraceFunction = Callable[[types.FrameType, str, Any], Any]


def follow_new_threads(stepper: Stepper, undo: contextlib.ExitStack) -> None:
    before = _hook_now()

    def begin(frame: types.FrameType, event: str, arg: Any) -> Any:
        """Called for the first frame of a thread, in place of what traces it from then on."""
        sys.settrace(None)
        with contextlib.suppress(Exception), contained(
            "debug(): breakpoints are not hit in a thread"
        ):
            return _traced(stepper, frame, event, arg)
        return None

    def restore() -> None:
        if _hook_now() is begin:
            _set_hook(before)

    undo_later(undo, restore)
    _set_hook(begin)


def _traced(stepper: Stepper, frame: types.FrameType, event: str, arg: Any) -> Any:
    if not stepper.breaks:
        return None
    own = stepper.of_another_thread(frame)
    sys.settrace(own.trace_dispatch)
    return own.trace_dispatch(frame, event, arg)


def _hook_now() -> Optional[TraceFunction]:
    # `threading.gettrace` is there from 3.10 on.
    hook: Optional[TraceFunction] = vars(threading)["_trace_hook"]
    return hook


def _set_hook(hook: Optional[TraceFunction]) -> None:
    threading.settrace(hook)  # type: ignore[arg-type]  # None takes it away
