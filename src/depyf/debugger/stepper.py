"""Python's own debugger with three habits changed for compiled code.

Where its commands run out the program goes on instead of being ended. `step` goes from one piece of
compiled code into the next, past torch's machinery between them. And while it waits at its prompt,
nothing that is typed there is compiled.
"""

from __future__ import annotations

import os
import pdb
import sys
import types
from typing import Callable, Optional

from depyf.torch_capture import compat

OUT_OF_COMMANDS = "stdin is at its end: no more commands, the program goes on"
# Lies between compiled frames as well: the context managers and wrappers that torch uses.
_STANDARD = tuple(
    sys.modules[name].__file__ for name in ("contextlib", "functools") if name in sys.modules
)


class Stepper(pdb.Pdb):
    """`before_first_stop` is called once, when the first line to stop at is reached."""

    def __init__(self, before_first_stop: Optional[Callable[[], None]] = None) -> None:
        super().__init__()
        self._before_first_stop = before_first_stop
        self._within_machinery = False

    def do_EOF(self, arg: str) -> Optional[bool]:
        """Commands that come from a pipe or a file ran out: nobody is there to quit."""
        if _is_terminal():
            return super().do_EOF(arg)
        return self._go_on()

    def _go_on(self) -> bool:
        self.message("")
        say(OUT_OF_COMMANDS)
        self.clear_all_breaks()
        self.set_continue()
        return True

    def _cmdloop(self) -> None:
        try:
            super()._cmdloop()
        except (OSError, ValueError, RuntimeError):
            # Reading failed: stdin was closed, or belongs to another job of the terminal.
            self._go_on()

    def interaction(
        self, frame: Optional[types.FrameType], traceback: Optional[types.TracebackType]
    ) -> None:
        with compat.dynamo_paused():
            if self._before_first_stop is not None:
                before, self._before_first_stop = self._before_first_stop, None
                before()
            self._within_machinery = frame is not None and _is_machinery(frame)
            self._follow_back_to_callers(frame)
            super().interaction(frame, traceback)

    def _follow_back_to_callers(self, frame: Optional[types.FrameType]) -> None:
        """When this frame is left, the first caller to stop in may be behind torch's machinery."""
        while frame is not None:
            if frame.f_trace is None:
                frame.f_trace = self.trace_dispatch
            frame = frame.f_back

    def stop_here(self, frame: types.FrameType) -> bool:
        # `next`, `until` and `return` name the frame to stop in; only `step` stops anywhere.
        anywhere = self.stopframe is None
        if anywhere and not self._within_machinery and _is_machinery(frame):
            return False
        return bool(super().stop_here(frame))


def _is_machinery(frame: types.FrameType) -> bool:
    file = frame.f_code.co_filename
    return file.startswith(compat.torch_folder() + os.sep) or file in _STANDARD


def _is_terminal() -> bool:
    try:
        return bool(sys.stdin.isatty())
    except (AttributeError, ValueError):
        return False


def say(sentence: str) -> None:
    """On stderr: what the program prints stays its own."""
    try:
        sys.stderr.write(f"depyf: {sentence}\n")
        sys.stderr.flush()
    except Exception:
        # Without stderr there is nobody to tell.
        return
