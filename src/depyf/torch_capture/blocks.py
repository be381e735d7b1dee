"""What `prepare_debug` and `debug` have in common: how a block is entered and left.

In a `with` statement or by hand, nested, again and again. Entering is all or nothing, also when it
is interrupted; errors of ours are told, and everything else passes.
"""

from __future__ import annotations

import contextlib
import sys
import types
from typing import Callable, Iterator, List, Optional, Type, TypeVar

from .faults import describe

Own = TypeVar("Own", bound="Block")
Stop = Callable[[], object]


class Block:
    """`_begin` says what to undo before it does it; leaving undoes it, last first."""

    # What it means for the user when `_begin` or the undoing fails.
    not_entered = "nothing is done"
    not_left = "not everything is undone"

    def __init__(self) -> None:
        self._entered: List[contextlib.ExitStack] = []

    # The two that the program calls. Here `contextlib.suppress` stands around `contained`, which is
    # ours and may fail as well.

    def __enter__(self: Own) -> Own:
        undo = contextlib.ExitStack()
        self._entered.append(undo)
        stop: Optional[Stop] = None
        try:
            with contextlib.suppress(Exception), contained(self.not_entered):
                self._begin(undo)
                stop = self._where_to_stop(sys._getframe(1), undo)
            if stop is not None:
                stop()
        except BaseException:
            # Nobody will call `__exit__`.
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[types.TracebackType],
    ) -> None:
        if not self._entered:
            return
        undo = self._entered[-1]
        try:
            with contextlib.suppress(Exception), contained(self.not_left):
                undo.close()
        finally:
            # Interrupted in the middle: what is left is undone before the interruption goes on.
            with contextlib.suppress(Exception):
                undo.close()
            self._entered = [one for one in self._entered if one is not undo]

    def _begin(self, undo: contextlib.ExitStack) -> None:
        raise NotImplementedError

    def _where_to_stop(self, frame: types.FrameType, undo: contextlib.ExitStack) -> Optional[Stop]:
        """The last thing on entering, called for the frame of the program.

        What it raises is no fault.
        """
        return None


@contextlib.contextmanager
def contained(what_it_means: str) -> Iterator[None]:
    """An error of ours is said, and goes no further."""
    try:
        yield
    except Exception as error:
        with contextlib.suppress(Exception):
            say(f"{what_it_means}: {describe(error)} (the program is not affected)")


def undo_later(undo: contextlib.ExitStack, step: Callable[..., object], *args: object) -> None:
    """Twice: a step that fails or is interrupted is tried once more. Done twice it does no harm."""
    undo.callback(step, *args)
    undo.callback(step, *args)


def say(sentence: str) -> None:
    """On stderr: what the program prints stays its own."""
    try:
        sys.stderr.write(f"depyf: {sentence}\n")
        sys.stderr.flush()
    except Exception:
        # Without stderr there is nobody to tell.
        return
