"""Errors of ours stay ours: they are noted for the folder and told once, never raised.

Every function that torch or the program calls of us is wrapped by `contained`.
"""

from __future__ import annotations

import contextlib
import sys
import traceback
from typing import Callable, Iterator, List, Set


class Faults:
    """What went wrong in one capture. `note` gets each sentence once."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._told: Set[str] = set()
        self.spoken = False

    @contextlib.contextmanager
    def contained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.tell(f"While {doing}: {describe(error)}")

    def tell(self, sentence: str) -> None:
        """Note it; the first of a capture is also said on stderr, for the others see the folder."""
        try:
            if sentence in self._told:
                return
            self._told.add(sentence)
            self._note(sentence)
            if not self.spoken:
                self.spoken = True
                sys.stderr.write(f"depyf: {sentence} (the program is not affected)\n")
        except Exception:
            # There is nobody left to tell.
            return


def describe(error: Exception) -> str:
    """The error and where in depyf it arose, in one line without a path of this machine."""
    frames: List[traceback.FrameSummary] = list(traceback.extract_tb(error.__traceback__))
    place = f" in {frames[-1].name}, line {frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
