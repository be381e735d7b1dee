"""Python's own debugger with some habits changed for compiled code.

Where its commands run out the program goes on instead of being ended, and Ctrl-C leads to its
prompt only where somebody can type there. `quit` ends a program that we started without a
traceback. `step` goes from one piece of compiled code into the next, past torch's machinery between
them. And while it waits at its prompt, nothing that is typed there is compiled.
"""

from __future__ import annotations

import bdb
import contextlib
import functools
import os
import pdb
import random
import signal
import sys
import threading
import types
from typing import Any, Callable, Optional, Tuple

from depyf.torch_capture import compat, compat_debug
from depyf.torch_capture.blocks import say
from depyf.torch_capture.faults import describe

QUIT = "debug() was quit: bdb.BdbQuit is raised, as at every breakpoint of Python's"
OUT_OF_COMMANDS = "stdin is at its end: no more commands, the program goes on"


class Stepper(pdb.Pdb):
    """`before_first_stop` is called once, when the first line to stop at is reached.

    Quitting ends a program that was `started` by us as `python -m pdb` ends one. In any other
    program it raises BdbQuit, as at every breakpoint of Python's: who catches it may go on.
    """

    def __init__(
        self, before_first_stop: Optional[Callable[[], None]] = None, started: bool = False
    ) -> None:
        # Without a terminal Ctrl-C is for the program: a prompt would find no more commands.
        super().__init__(nosigint=not _is_terminal())
        self._before_first_stop = before_first_stop
        self._started = started
        self._within_machinery = False
        self._set_eval_frame = compat_debug.eval_frame_setter()
        compat.never_compile([Stepper.trace_dispatch.__code__])

    # Of the debuggers of several threads one at a time has the prompt.
    _prompt = threading.RLock()

    def of_another_thread(self, outermost: types.FrameType) -> Stepper:
        """One that stops at the breakpoints of this one, in the frames above `outermost`."""
        other = Stepper()
        other.breaks = self.breaks
        other.reset()
        other.botframe = outermost.f_back
        other.set_continue()
        return other

    def clear_all_breaks(self) -> Optional[str]:
        """The table stays the one that other threads have: bdb puts a new one in its place."""
        shared = self.breaks
        problem: Optional[str] = super().clear_all_breaks()
        shared.clear()
        self.breaks = shared
        return problem

    # Bound here: names of modules are gone when the last frames of a process are traced.
    _is_over = staticmethod(sys.is_finalizing)

    def trace_dispatch(self, frame: types.FrameType, event: str, arg: object) -> Any:
        """Dynamo sees every frame that runs beside compiled code, but not those of the debugger."""
        if self._is_over():
            return None
        before = self._set_eval_frame(None)
        try:
            return super().trace_dispatch(frame, event, arg)
        except bdb.BdbQuit:
            if self._started:
                raise SystemExit(0) from None
            say(QUIT)
            raise
        except pdb.Restart:
            # Asked for at the prompt.
            raise
        except Exception as error:
            # It would be raised in the program that is being traced.
            self._give_up(error)
            return None
        finally:
            self._set_eval_frame(before)

    def _give_up(self, error: Exception) -> None:
        sys.settrace(None)
        say(f"the debugger stops nowhere any more: {describe(error)}")

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
        if self._before_first_stop is not None:
            before, self._before_first_stop = self._before_first_stop, None
            before()
        self._within_machinery = frame is not None and _is_passed_over(frame)
        self._follow_back_to_callers(frame)
        with self._prompt:
            self._name_thread()
            super().interaction(frame, traceback)

    def _name_thread(self) -> None:
        """In the manner of `--Call--`: the prompt before may have been another thread's."""
        thread = threading.current_thread()
        if thread is not threading.main_thread():
            self.message(f"--Thread {thread.name}--")

    def _follow_back_to_callers(self, frame: Optional[types.FrameType]) -> None:
        """When this frame is left, the first caller to stop in may be behind torch's machinery."""
        while frame is not None:
            if frame.f_trace is None:
                frame.f_trace = self.trace_dispatch
            frame = frame.f_back

    def stop_here(self, frame: types.FrameType) -> bool:
        # Who set a breakpoint inside torch is there on purpose.
        if self._within_machinery or not _is_passed_over(frame):
            return bool(super().stop_here(frame))
        if frame is self.stopframe:
            # The caller that `return` or `next` leads to: the first one beyond it will do.
            self.set_step()
        return False


def give_interrupts_back() -> None:
    """`continue` leads Ctrl-C to the prompt; to whom it went before, it goes again."""
    handler = signal.getsignal(signal.SIGINT)
    before = vars(pdb.Pdb).get("_previous_sigint_handler")
    if before is not None and isinstance(getattr(handler, "__self__", None), Stepper):
        # Only the main thread may, and only there it was taken.
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGINT, before)


def _is_passed_over(frame: types.FrameType) -> bool:
    try:
        return _is_machinery(frame)
    except Exception:
        # An error in here would be raised in the program that is being traced.
        return False


def _is_machinery(frame: types.FrameType) -> bool:
    """Of torch or ours, or of a library that one of these called."""
    file = frame.f_code.co_filename
    if compat_debug.is_generated(frame.f_code):
        return _is_being_loaded(frame)
    if file.startswith(_torch_and_we()) or frame.f_code in _CALLED_BY_DYNAMO:
        return True
    caller = frame.f_back
    if caller is None or not file.startswith(_LIBRARIES):
        return False
    # A model of a library is called by torch.nn, and is what one wants to step into.
    modules = os.path.join(compat_debug.torch_folder(), "nn")
    by_module = caller.f_code.co_filename.startswith(modules)
    return not by_module and _is_machinery(caller)


def _is_being_loaded(frame: Optional[types.FrameType]) -> bool:
    """Torch calls the functions of a file; what the file itself calls is part of compiling."""
    while frame is not None and compat_debug.is_generated(frame.f_code):
        if frame.f_code.co_name == "<module>":
            return True
        frame = frame.f_back
    return False


# Dynamo calls these from C, so that compiled code seems to be the caller.
_CALLED_BY_DYNAMO = (random.Random.getstate.__code__, random.Random.setstate.__code__)
# The standard library with what is installed below it, and code that has no file.
_LIBRARIES = (os.path.join(os.path.dirname(os.__file__), ""), os.path.join(sys.prefix, ""), "<")


@functools.lru_cache(maxsize=None)
def _torch_and_we() -> Tuple[str, str]:
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.path.join(compat_debug.torch_folder(), ""), os.path.join(ours, "")


def _is_terminal() -> bool:
    try:
        return bool(sys.stdin.isatty())
    except (AttributeError, ValueError):
        return False
