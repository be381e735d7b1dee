"""Our one place among torch's bytecode hooks, however many of us listen.

Torch walks through its hooks while it compiles a frame: a hook that comes or goes in another thread
meanwhile would break that compilation. So one hook of ours stands there for all, put in and taken
out only while nothing is compiled, and who listens is a tuple that is replaced as a whole.
"""

from __future__ import annotations

import contextlib
import threading
import types
from typing import Callable, Optional, Tuple

from . import compat
from .compat import Hook

# Whoever adds a hook is about to compile, and torch would make it wait as well.
LONGEST_WAIT = 20.0
BUSY = "another thread has been compiling all the time; no transformed code is captured"

_lock = threading.RLock()
_listeners: Tuple[Hook, ...] = ()
# Asked behind all others, who may come later: they see the code that will run.
_last: Tuple[Hook, ...] = ()
_inside = threading.local()


class _Ours:
    """What torch calls. Only the current one passes on: one that got lost does nothing."""

    def __init__(self) -> None:
        self.remove: Callable[[], None] = lambda: None

    def __call__(self, original: types.CodeType, made: types.CodeType) -> Optional[types.CodeType]:
        # Whatever goes wrong, torch goes on with what it made.
        with contextlib.suppress(Exception):
            return _ask_all(original, made) if self is _ours else None
        return None


_ours: Optional[_Ours] = None


def _ask_all(original: types.CodeType, made: types.CodeType) -> Optional[types.CodeType]:
    """As torch does with its hooks: each is given what the one before it answered."""
    answer: Optional[types.CodeType] = None
    before = getattr(_inside, "torchs_walk", False)
    _inside.torchs_walk = True
    try:
        for hook in (*_listeners, *_last):
            # Each tells of its own errors. The others are asked all the same.
            with contextlib.suppress(Exception):
                answer = hook(original, answer or made) or answer
    finally:
        _inside.torchs_walk = before
    return answer


def add(hook: Hook, last: bool = False) -> None:
    """Call it for everything that torch compiles from now on."""
    global _listeners, _last
    with _lock:
        if last:
            _last = (*_last, hook)
        else:
            _listeners = (*_listeners, hook)
        known = _ours is not None
    if not known and not _settle(LONGEST_WAIT):
        discard(hook)
        raise RuntimeError(BUSY)


def come_last() -> None:
    """Where a compilation begins: hooks that the program added are to see what torch made."""
    ours = _ours
    if ours is None or getattr(_inside, "torchs_walk", False):
        return
    with compat.while_nothing_compiles(0) as quiet:
        if quiet:
            compat.call_last(ours)


def discard(hook: Hook) -> None:
    """No more; harmless if it was never added."""
    global _listeners, _last
    with _lock:
        _listeners, _last = (
            tuple([one for one in hooks if one != hook]) for hooks in (_listeners, _last)
        )
        wanted = bool(_listeners or _last)
    if not wanted:
        # If not now, because somebody compiles: it does nothing, and goes when the next one does.
        _settle(0)


def _settle(longest_wait: float) -> bool:
    """Torch knows our hook if and only if somebody listens; False if this is no time for it."""
    if getattr(_inside, "torchs_walk", False):
        return False
    with compat.while_nothing_compiles(longest_wait) as quiet:
        if quiet:
            with _lock:
                _put_in() if _listeners or _last else _take_out()
    return quiet


def _put_in() -> None:
    global _ours
    if _ours is None:
        # Made first: interrupted behind torch's list, the next one takes its place.
        made = _Ours()
        made.remove = compat.add_bytecode_hook(made)
        _ours = made


def _take_out() -> None:
    global _ours
    ours, _ours = _ours, None
    if ours is not None:
        ours.remove()
