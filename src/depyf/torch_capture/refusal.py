"""A block in which torch compiles nothing new, and says where that makes a difference.

Compiled code runs as ever. Where none fits, torch would compile: it is told to run the function as
it was written, this once, and the user is told which function that was and why.
"""

from __future__ import annotations

import contextlib
import os
import sys
import types
from typing import Callable, Dict, List, Sequence, Set, Sized

from depyf.session.continuations import is_continuation

from . import compat, compat_debug
from .blocks import undo_later

Say = Callable[[str], None]
# What a method answers, given the object and the arguments; NotImplemented: what torch would.
Answer = Callable[..., object]
# Each function that ran as written -> what was said of it, and how many calls it was not said for.
Told = Dict[str, "Misses"]
NO_BACKWARD = (
    "a backward pass has not been compiled yet; its graph runs as it was captured, "
    "operation by operation, not compiled code"
)
# An input whose size differs in every call would fill the screen.
MOST_TOLD = 10


def refuse_compilation(say: Say, undo: contextlib.ExitStack, blocks: Sized) -> None:
    """Until `undo` is closed; and only while there are blocks, if closing it should fail."""
    backward = compat_debug.backward_compiler()
    if backward is not None:
        _replace(_Method(backward, "get_or_compile", _no_backward(say), blocks), undo)
    callback = compat_debug.compile_callback()
    if callback is None:
        undo.enter_context(compat_debug.run_only())
    else:
        told: Told = {}
        undo.callback(_tell_how_often, told, say)
        _replace(_Method(callback, "__call__", _no_frame(told, say), blocks), undo)


def _no_frame(told: Told, say: Say) -> Answer:
    """Torch calls an object to compile a frame."""

    def answer(callback: object, frame: types.FrameType, *_: object) -> object:
        # At worst a sentence less: the frame runs in any case.
        with contextlib.suppress(Exception):
            _tell(frame, told, say)
        return compat_debug.frame_runs_as_written()

    return answer


def _no_backward(say: Say) -> Answer:
    """A backward pass is compiled when it is first called, long after the forward pass was."""
    told: Set[int] = set()

    def answer(compiler: object, **options: bool) -> object:
        graph = compat_debug.backward_as_captured(compiler, **options)
        if graph is None:
            return NotImplemented
        if id(compiler) not in told:
            told.add(id(compiler))
            say(NO_BACKWARD)
        return graph

    return answer


def _replace(method: _Method, undo: contextlib.ExitStack) -> None:
    undo_later(undo, method.stop)
    method.start()


class _Method:
    """A method of a class of torch's that answers otherwise until it is stopped."""

    def __init__(self, kind: type, name: str, answer: Answer, blocks: Sized) -> None:
        own: Callable[..., object] = getattr(kind, name)
        self._kind, self._name, self._own = kind, name, own
        self._is_on = False

        def ours(*args: object, **options: object) -> object:
            # Somebody may have put theirs over ours, which is then still called behind the block.
            if self._is_on and blocks:
                with contextlib.suppress(Exception):
                    found = answer(*args, **options)
                    if found is not NotImplemented:
                        return found
            return own(*args, **options)

        self._ours = ours

    def start(self) -> None:
        self._is_on = True
        setattr(self._kind, self._name, self._ours)

    def stop(self) -> None:
        self._is_on = False
        if getattr(self._kind, self._name) is self._ours:
            setattr(self._kind, self._name, self._own)


class Misses:
    """The calls of one function that no compiled code was run for."""

    def __init__(self) -> None:
        self.sentences: List[str] = []
        self.untold = 0


def _tell(frame: types.FrameType, told: Told, say: Say) -> None:
    """Every reason once; calls that give no new one are counted."""
    code = frame.f_code
    entries = compat.cache_entries(code)
    if not entries and (_is_foreign(code) or not _is_outermost(code)):
        # A function that the original calls, now that it runs: nobody compiled it before either.
        return
    place = f"{code.co_name} ({code.co_filename}:{code.co_firstlineno})"
    misses = told.setdefault(place, Misses())
    is_full = len(misses.sentences) >= MOST_TOLD
    sentence = "" if is_full else _sentence(entries, frame)
    if is_full or sentence in misses.sentences:
        misses.untold += 1
        return
    misses.sentences.append(sentence)
    say(f"{place}: {sentence}; the original runs, not compiled code")
    if len(misses.sentences) == MOST_TOLD:
        say(f"{place}: more such calls are only counted")


def _sentence(entries: Sequence[object], frame: types.FrameType) -> str:
    if not entries:
        return "it has not been compiled"
    many = "the compiled entry" if len(entries) == 1 else f"any of the {len(entries)} entries"
    return f"this input does not fit {many}{_why(entries, frame)}"


def _tell_how_often(told: Told, say: Say) -> None:
    for place, misses in list(told.items()):
        if misses.untold:
            times = "once more" if misses.untold == 1 else f"{misses.untold} times more"
            say(f"{place}: the original ran {times} in place of compiled code")


def _why(entries: Sequence[object], frame: types.FrameType) -> str:
    # That there is no entry is worth a sentence even where torch has no words for it.
    with contextlib.suppress(Exception):
        reasons = compat_debug.why_no_entry_fits(entries, frame)
        return f" ({reasons[0]})" if reasons else ""
    return ""


def _is_foreign(code: types.CodeType) -> bool:
    """Of torch or of Python: a debugger, for one, that traces what runs."""
    home = os.path.dirname(code.co_filename)
    return home == os.path.dirname(os.__file__) or compat_debug.is_never_compiled(code)


def _is_outermost(code: types.CodeType) -> bool:
    """Whether compiled code or torch.compile's wrapper called it, not a function as written."""
    if is_continuation(code.co_name):
        return True
    # This function, its caller, the answer, and who asked for it.
    return compat_debug.is_compile_wrapper(sys._getframe(4).f_code)
