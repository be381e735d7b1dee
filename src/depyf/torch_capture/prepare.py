"""`prepare_debug`: a block in which everything that torch.compile does is written to a folder."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from typing import Dict, List, Union

from .blocks import Block, undo_later
from .capture import Capture
from .unseen import hide_from_dynamo

# One capture a folder for the life of the process: entering a folder again continues its story,
# and the files that running code points at keep their content.
_captures: Dict[str, Capture] = {}
_lock = threading.RLock()


class prepare_debug(Block):
    """Write what torch.compile does inside the block to files in `dump_src_dir`.

    Use it in a `with` statement, or call `__enter__` and `__exit__` by hand; nested, again and
    again, also on the same folder. Nothing that goes wrong in here reaches the program.

    `log_bytecode` also stores the code objects. `clean_wild_fx_code` is accepted for those who
    pass it: files of graphs that belong to no compiled function are never written.
    """

    not_entered = "nothing is captured"
    not_left = "the folder is not complete"

    def __init__(
        self,
        dump_src_dir: Union[str, os.PathLike[str]],
        clean_wild_fx_code: bool = True,
        log_bytecode: bool = False,
    ) -> None:
        super().__init__()
        # Now, because the program may change its working directory.
        self.dump_src_dir = os.path.abspath(os.fsdecode(dump_src_dir))
        self.clean_wild_fx_code = clean_wild_fx_code
        self.log_bytecode = log_bytecode

    def _begin(self, undo: contextlib.ExitStack) -> None:
        with _lock:
            capture = _capture_for(self.dump_src_dir)
            entered: List[bool] = []
            undo.callback(_write, capture, entered)
            undo_later(undo, _stop, capture)
            # No function of ours: whatever else fails, a capture without a block hears nothing.
            undo.callback(capture.blocks.pop, undo, None)
            if not capture.is_listening:
                capture.start()
            capture.blocks[undo] = self.log_bytecode
            entered.append(True)


def _stop(capture: Capture) -> None:
    with _lock:
        if not capture.blocks:
            capture.stop()


def _write(capture: Capture, entered: List[bool]) -> None:
    with _lock:
        if entered:
            capture.write()


def _capture_for(path: str) -> Capture:
    """The capture that is open on the folder, or was and left files there; else a new one."""
    key = os.path.realpath(path)
    spoken = key in _captures and _captures[key].faults.spoken
    for other in [other for other, known in _captures.items() if not _goes_on(known)]:
        # Of a block that was open when this process was forked nothing is heard any more.
        _captures.pop(other).blocks.clear()
    if key not in _captures:
        _captures[key] = Capture(path)
        # A folder that cannot be written stays empty; entered a thousand times, it is told once.
        _captures[key].faults.spoken = spoken
    return _captures[key]


def _goes_on(capture: Capture) -> bool:
    """A forked process begins a story of its own."""
    return capture.family.is_here() and _is_used(capture)


def _is_used(capture: Capture) -> bool:
    if capture.blocks:
        return True
    try:
        return bool(os.listdir(capture.folder.path))
    except OSError:
        return False


def known_folders() -> Dict[str, bool]:
    """Every folder that holds files of this process -> whether a block is still open on it."""
    with _lock:
        used = [capture for capture in _captures.values() if _is_used(capture)]
        return {capture.folder.path: bool(capture.blocks) for capture in used}


def write_open_folders() -> None:
    """Bring the files up to date in the middle of a block."""
    with _lock:
        for capture in list(_captures.values()):
            if capture.blocks:
                capture.write()


def heard_in_open_folders() -> int:
    """Grows with all that is captured: the files are behind until they are written again."""
    return sum(len(capture.events) for capture in list(_captures.values()) if capture.blocks)


# Now rather than when the first call of the program waits for it. The compiler of torch takes long
# to load, though: where nobody has loaded it yet, or it is being loaded, the block does it.
if hasattr(sys.modules.get("torch._dynamo.eval_frame"), "skip_code"):
    with contextlib.suppress(Exception):
        hide_from_dynamo(being_loaded=sys.modules[__name__])
