"""`debug`: a block in which compiled code runs from the files of the dump folder."""

from __future__ import annotations

import contextlib
import sys
import threading
import types
from typing import Iterator, List, Optional, Type

from depyf.torch_capture.faults import describe
from depyf.torch_capture.prepare import known_folders
from depyf.torch_capture.refusal import refuse_compilation

from .advice import welcome
from .linking import Links, link
from .pause import pause
from .stepper import say

NOTHING_CAPTURED = (
    "debug(): nothing has been captured yet. First run the program once inside "
    '`with depyf.prepare_debug("folder"):`, then use `with depyf.debug():` after that block.'
)
STILL_CAPTURING = (
    "debug(): prepare_debug is still open, and its files are complete only when it is left. "
    "Put `with depyf.debug():` after that block, not inside it."
)


class debug:
    """Inside the block nothing new is compiled, and what was compiled runs from its files.

    It pauses once on entry, through `breakpoint()`, and says where the files are. A breakpoint that
    is set in one of them is hit when its code runs.
    """

    def __init__(self) -> None:
        self._open: List[contextlib.ExitStack] = []

    def __enter__(self) -> debug:
        stack = contextlib.ExitStack()
        self._open.append(stack)
        folders = _ready_folders()
        if not folders:
            return self
        links = _Nested.enter(stack, folders)
        with _contained("saying where the files are"):
            say(welcome(folders, links))
        pause(sys._getframe(1))
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[types.TracebackType],
    ) -> None:
        if self._open:
            self._open.pop().close()


def _ready_folders() -> List[str]:
    with _contained("looking for captured files"):
        folders = known_folders()
        if not folders:
            say(NOTHING_CAPTURED)
        elif any(folders.values()):
            say(STILL_CAPTURING)
        else:
            return list(folders)
    return []


class _Nested:
    """Blocks may be nested, and open in several threads: the last one out restores everything."""

    lock = threading.RLock()
    depth = 0
    links = Links()
    refusal = contextlib.ExitStack()

    @classmethod
    def enter(cls, stack: contextlib.ExitStack, folders: List[str]) -> Links:
        with cls.lock:
            cls.depth += 1
            stack.callback(cls.leave)
            if cls.depth == 1:
                with _contained("keeping torch from compiling"):
                    cls.refusal.enter_context(refuse_compilation(say))
                with _contained("linking files to what runs"):
                    cls.links = link(folders)
            return cls.links

    @classmethod
    def leave(cls) -> None:
        with cls.lock:
            cls.depth -= 1
            if cls.depth == 0:
                with _contained("letting go of torch"):
                    cls.links.undo()
                with _contained("letting torch compile again"):
                    cls.refusal.close()


@contextlib.contextmanager
def _contained(doing: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        say(f"While {doing}: {describe(error)} (the program is not affected)")
