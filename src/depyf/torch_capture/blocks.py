"""What `prepare_debug` and `debug` have in common: how a block is entered and left.

In a `with` statement or by hand, nested, again and again. Entering is all or nothing, also when it
is interrupted; errors of ours are told, and everything else passes.
"""

from __future__ import annotations

import contextlib
import sys
import types
from typing import Iterator, List, Optional, Type, TypeVar

from .faults import describe

Own = TypeVar("Own", bound="Block")


class Block:
    """`_begin` says what to undo before it does it; leaving undoes it, last first."""

    # What it means for the user when `_begin` or the undoing fails.
    not_entered = "nothing is done"
    not_left = "not everything is undone"

    def __init__(self) -> None:
        self._entered: List[contextlib.ExitStack] = []

    def __enter__(self: Own) -> Own:
        undo = contextlib.ExitStack()
        self._entered.append(undo)
        try:
            with contained(self.not_entered):
                self._begin(undo)
            self._pause(sys._getframe(1))
        except BaseException:
            # Nobody will call `__exit__`.
            self._leave(undo)
            raise
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[types.TracebackType],
    ) -> None:
        if self._entered:
            self._leave(self._entered[-1])

    def _leave(self, undo: contextlib.ExitStack) -> None:
        try:
            with contained(self.not_left):
                undo.close()
        except BaseException:
            # Interrupted in the middle: what is left is undone before the interruption goes on.
            undo.close()
            raise
        finally:
            self._entered = [one for one in self._entered if one is not undo]

    def _begin(self, undo: contextlib.ExitStack) -> None:
        raise NotImplementedError

    def _pause(self, frame: types.FrameType) -> None:
        """The last thing on entering, in the frame of the program; what it raises is no fault."""


@contextlib.contextmanager
def contained(what_it_means: str) -> Iterator[None]:
    """An error of ours is said, and goes no further."""
    try:
        yield
    except Exception as error:
        say(f"{what_it_means}: {describe(error)} (the program is not affected)")


def say(sentence: str) -> None:
    """On stderr: what the program prints stays its own."""
    try:
        sys.stderr.write(f"depyf: {sentence}\n")
        sys.stderr.flush()
    except Exception:
        # Without stderr there is nobody to tell.
        return
