"""`debug`: a block in which compiled code runs from the files of the dump folder."""

from __future__ import annotations

import contextlib
import threading
import types
from typing import Dict, List, Optional

from depyf.torch_capture.blocks import Block, Stop, contained, say, undo_later
from depyf.torch_capture.prepare import known_folders
from depyf.torch_capture.refusal import refuse_compilation

from .advice import welcome
from .linking import Links, link
from .pause import stop_in
from .stepper import give_interrupts_back

NOTHING_CAPTURED = (
    "debug(): nothing has been captured yet. First run the program once inside "
    '`with depyf.prepare_debug("folder"):`, then use `with depyf.debug():` after that block.'
)
STILL_CAPTURING = (
    "debug(): prepare_debug is still open, and its files are complete only when it is left. "
    "Put `with depyf.debug():` after that block, not inside it. "
    "(`depyf run` keeps such a block open to the end: there, `depyf run --debug` stops by itself.)"
)


class debug(Block):
    """Inside the block nothing new is compiled, and what was compiled runs from its files.

    It pauses once on entry, through `breakpoint()`, and says where the files are. A breakpoint that
    is set in one of them is hit when its code runs.
    """

    not_entered = "debug(): compiled code runs as ever"
    not_left = "debug(): compiled code may still run from the files"

    def __init__(self) -> None:
        super().__init__()
        self._is_ready = False

    def _begin(self, undo: contextlib.ExitStack) -> None:
        self._is_ready = False
        folders = _ready_folders()
        self._is_ready = bool(folders)
        if folders:
            undo_later(undo, give_interrupts_back)
            links = _enter(undo, folders)
            with contained("debug(): its files are not named"):
                say(welcome(folders, links))

    def _where_to_stop(self, frame: types.FrameType, undo: contextlib.ExitStack) -> Optional[Stop]:
        return stop_in(frame, undo) if self._is_ready else None


def _ready_folders() -> List[str]:
    folders = known_folders()
    if not folders:
        say(NOTHING_CAPTURED)
    elif any(folders.values()):
        say(STILL_CAPTURING)
    else:
        return list(folders)
    return []


# Blocks may be nested, and open in several threads: the last one out restores everything.
_lock = threading.RLock()
_open: Dict[object, List[str]] = {}
_links = Links()
_refusal = contextlib.ExitStack()


def _enter(undo: contextlib.ExitStack, folders: List[str]) -> Links:
    global _links
    with _lock:
        undo_later(undo, _allow_compilation)
        undo_later(undo, _unlink)
        # No function of ours: whatever else fails, torch is not kept from compiling any more.
        undo.callback(_open.pop, undo, None)
        _open[undo] = folders
        if len(_open) == 1:
            with contained("debug(): torch is not kept from compiling"):
                refuse_compilation(say, _refusal, _open)
            _links = Links()
            with contained("debug(): graphs are not linked to their files"):
                link(folders, _links)
        return _links


def _unlink() -> None:
    with _lock:
        if not _open:
            _links.undo()


def _allow_compilation() -> None:
    with _lock:
        if not _open:
            _refusal.close()
