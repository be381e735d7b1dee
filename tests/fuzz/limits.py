"""A limit on CPU time, for code that may not end. Without signals there is no limit."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import Any, Iterator


class OutOfTime(BaseException):
    """Not an `Exception`: nothing that is being watched should catch it."""


def _stop(_signal: int, _frame: Any) -> None:
    raise OutOfTime


@contextlib.contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raises `OutOfTime` in the block when it has used that much CPU time, again and again."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    try:
        previous = signal.signal(signal.SIGPROF, _stop)
        left, _ = signal.setitimer(signal.ITIMER_PROF, seconds, 0.2)
    except (OSError, ValueError, AttributeError):  # a host without timers
        yield
        return
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, left, 0.2 if left else 0)
        signal.signal(signal.SIGPROF, previous)
