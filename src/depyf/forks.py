"""Processes that are forked while somebody listens: what they compile is theirs, but known of here.

Nobody writes their story, so they write no files either. That something is missing they tell
through a page of memory that they share with the process they were forked from.
"""

from __future__ import annotations

import mmap
import os
from typing import Callable, List

NOT_CAPTURED = "not captured: what forked processes compile (use depyf.prepare_debug in them)"


class Family:
    """The process that made it, and those that are forked from it later."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._page = mmap.mmap(-1, 1)

    def is_here(self) -> bool:
        """Not in one that was forked."""
        return os.getpid() == self._process

    def lose(self) -> None:
        """Called in a forked one that compiles."""
        self._page[0] = 1

    def mention_loss(self, tell: Callable[[str], None]) -> None:
        if self._page[0]:
            tell(NOT_CAPTURED)


_families: List[Family] = []


def family() -> Family:
    """The one of this process."""
    if not _families or not _families[-1].is_here():
        _families.append(Family())
    return _families[-1]
