"""`prepare_debug`: a block in which everything that torch.compile does is written to a folder."""

from __future__ import annotations

import os
import sys
import threading
import types
from typing import Dict, List, Optional, Type, Union

from .capture import Capture

# One capture a folder for the life of the process: entering a folder again continues its story,
# and the files that running code points at keep their content.
_captures: Dict[str, Capture] = {}
_lock = threading.RLock()


class prepare_debug:
    """Write what torch.compile does inside the block to files in `dump_src_dir`.

    Use it in a `with` statement, or call `__enter__` and `__exit__` by hand; nested, again and
    again, also on the same folder. Nothing that goes wrong in here reaches the program.

    `log_bytecode` also stores the code objects. `clean_wild_fx_code` is accepted for those who
    pass it: files of graphs that belong to no compiled function are never written.
    """

    def __init__(
        self,
        dump_src_dir: Union[str, os.PathLike[str]],
        clean_wild_fx_code: bool = True,
        log_bytecode: bool = False,
    ) -> None:
        # Now, because the program may change its working directory.
        self.dump_src_dir = os.path.abspath(os.fsdecode(dump_src_dir))
        self.clean_wild_fx_code = clean_wild_fx_code
        self.log_bytecode = log_bytecode
        self._entered: List[Optional[Capture]] = []

    def __enter__(self) -> prepare_debug:
        capture: Optional[Capture] = None
        try:
            with _lock:
                capture = _capture_for(self.dump_src_dir)
                _open(capture, self.log_bytecode)
        except Exception as error:
            _say(f"nothing is captured: {error}")
        self._entered.append(capture)
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[types.TracebackType],
    ) -> None:
        capture = self._entered.pop() if self._entered else None
        if capture is None:
            return
        try:
            with _lock:
                _close(capture)
        except Exception as fault:
            _say(f"the folder is not complete: {fault}")


def _open(capture: Capture, log_bytecode: bool) -> None:
    capture.depth += 1
    capture.log_bytecode |= log_bytecode
    if capture.depth == 1:
        capture.start()


def _close(capture: Capture) -> None:
    capture.depth -= 1
    if capture.depth == 0:
        capture.stop()
    capture.write()
    if capture.depth == 0:
        capture.log_bytecode = False


def _capture_for(path: str) -> Capture:
    """The capture that is open on the folder, or was and left files there; else a new one."""
    key = os.path.realpath(path)
    for other in [other for other, known in _captures.items() if not _is_used(known)]:
        del _captures[other]
    if key not in _captures:
        _captures[key] = Capture(path)
    return _captures[key]


def _is_used(capture: Capture) -> bool:
    if capture.depth:
        return True
    try:
        return bool(os.listdir(capture.folder.path))
    except OSError:
        return False


def known_folders() -> Dict[str, bool]:
    """Every folder that holds files of this process -> whether a block is still open on it."""
    with _lock:
        used = [capture for capture in _captures.values() if _is_used(capture)]
        return {capture.folder.path: capture.depth > 0 for capture in used}


def write_open_folders() -> None:
    """Bring the files up to date in the middle of a block."""
    with _lock:
        for capture in list(_captures.values()):
            if capture.depth:
                capture.write()


def _say(sentence: str) -> None:
    try:
        sys.stderr.write(f"depyf: {sentence} (the program is not affected)\n")
    except Exception:
        # Without stderr there is nobody to tell.
        return
