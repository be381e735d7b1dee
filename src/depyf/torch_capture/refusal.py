"""A block in which torch compiles nothing new, and says where that makes a difference.

Compiled code runs as ever. Where none fits, torch would compile: it is told to run the function as
it was written, this once, and the user is told which function that was and why.
"""

from __future__ import annotations

import contextlib
import os
import sys
import types
from typing import Callable, ContextManager, Iterator, Optional, Set

from depyf.session.continuations import is_continuation

from . import compat

Say = Callable[[str], None]


def refuse_compilation(say: Say) -> ContextManager[None]:
    if compat.compile_callback() is not None:
        return _refusing_callback(say)
    return compat.run_only()


@contextlib.contextmanager
def _refusing_callback(say: Say) -> Iterator[None]:
    """Torch calls an object to compile a frame: its class is given another `__call__`."""
    kind = compat.compile_callback()
    assert kind is not None
    own = kind.__call__
    told: Set[int] = set()

    def refuse(self: object, frame: object, *rest: object) -> object:
        # At worst a sentence less: the frame runs in any case.
        with contextlib.suppress(Exception):
            _tell(frame, told, say)
        return compat.frame_runs_as_written()

    kind.__call__ = refuse  # type: ignore[method-assign]
    try:
        yield
    finally:
        kind.__call__ = own  # type: ignore[method-assign]


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
