"""A block in which torch compiles nothing new, and says where that makes a difference.

Compiled code runs as ever. Where none fits, torch would compile: it is told to run the function as
it was written, this once, and the user is told which function that was and why.
"""

from __future__ import annotations

import contextlib
import os
import sys
import types
from typing import Callable, Optional, Set

from depyf.session.continuations import is_continuation

from . import compat

Say = Callable[[str], None]


def refuse_compilation(say: Say, undo: contextlib.ExitStack) -> None:
    """Until `undo` is closed."""
    kind = compat.compile_callback()
    if kind is None:
        undo.enter_context(compat.run_only())
        return
    refusing = _Refusing(kind, say)
    undo.callback(refusing.stop)
    refusing.start()


class _Refusing:
    """Torch calls an object to compile a frame: its class is given another `__call__`."""

    def __init__(self, kind: type, say: Say) -> None:
        self._kind = kind
        self._own: Callable[..., object] = kind.__call__
        self._say = say
        self._told: Set[int] = set()
        self._is_on = False

        def refuse(callback: object, frame: object, *rest: object) -> object:
            # Somebody may have put theirs over ours, which is then still called behind the block.
            if not self._is_on:
                return self._own(callback, frame, *rest)
            # At worst a sentence less: the frame runs in any case.
            with contextlib.suppress(Exception):
                _tell(frame, self._told, self._say)
            return compat.frame_runs_as_written()

        self._refuse = refuse

    def start(self) -> None:
        self._is_on = True
        self._kind.__call__ = self._refuse  # type: ignore[method-assign]

    def stop(self) -> None:
        self._is_on = False
        if self._kind.__call__ is self._refuse:
            self._kind.__call__ = self._own  # type: ignore[method-assign]


def _tell(frame: object, told: Set[int], say: Say) -> None:
    code: Optional[types.CodeType] = getattr(frame, "f_code", None)
    if code is None or id(code) in told:
        return
    entries = compat.cache_entries(code)
    if not entries and (_is_foreign(code) or not _is_outermost(code)):
        # A function that the original calls, now that it runs: nobody compiled it before either.
        return
    told.add(id(code))
    if entries:
        many = "the compiled entry" if len(entries) == 1 else f"any of the {len(entries)} entries"
        what = f"this input does not fit {many}"
        reasons = compat.why_no_entry_fits(entries, frame)
        why = f" ({reasons[0]})" if reasons else ""
    else:
        what, why = "it has not been compiled", ""
    place = f"{code.co_name} ({code.co_filename}:{code.co_firstlineno})"
    say(f"{place}: {what}{why}; the original runs, not compiled code")


def _is_foreign(code: types.CodeType) -> bool:
    """Of torch or of Python: a debugger, for one, that traces what runs."""
    home = os.path.dirname(code.co_filename)
    return home == os.path.dirname(os.__file__) or compat.is_never_compiled(code)


def _is_outermost(code: types.CodeType) -> bool:
    """Whether compiled code or torch.compile's wrapper called it, not a function as written."""
    if is_continuation(code.co_name):
        return True
    # This function, its caller, the callback.
    return compat.is_compile_wrapper(sys._getframe(3).f_code)
