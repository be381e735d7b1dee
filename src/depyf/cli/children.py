"""Processes that the program starts: what they compile is not captured."""

from __future__ import annotations

import sys

from depyf.forks import family

from .watching import tell

NOT_CAPTURED = (
    "not captured: processes that multiprocessing started by spawn or forkserver "
    "(use depyf.prepare_debug in them)"
)
# Python loads one of these when it starts the first such process, and not before.
_STARTERS = tuple(
    f"multiprocessing.popen_{how}" for how in ("spawn_posix", "spawn_win32", "forkserver")
)


def mention_children() -> None:
    if any(name in sys.modules for name in _STARTERS):
        tell(NOT_CAPTURED)
    family().mention_loss(tell)
