"""`prepare_debug`: a block in which everything that torch.compile does is written to a folder."""

from __future__ import annotations

import os
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
    """

    def __init__(
        self,
        dump_src_dir: Union[str, os.PathLike[str]],
        clean_wild_fx_code: bool = True,
        log_bytecode: bool = False,
    ) -> None:
        self.dump_src_dir = os.path.abspath(os.fspath(dump_src_dir))
        self.clean_wild_fx_code = clean_wild_fx_code
        self.log_bytecode = log_bytecode
        self._entered: List[Capture] = []

    def __enter__(self) -> prepare_debug:
        with _lock:
            capture = _capture_for(self.dump_src_dir)
            self._entered.append(capture)
            capture.depth += 1
            if capture.depth == 1:
                capture.start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[types.TracebackType],
    ) -> None:
        with _lock:
            if not self._entered:
                return
            capture = self._entered.pop()
            capture.depth -= 1
            if capture.depth == 0:
                capture.stop()
            capture.write()


def _capture_for(path: str) -> Capture:
    """The capture that is open on the folder, or was and left files there; else a new one."""
    key = os.path.realpath(path)
    known = _captures.get(key)
    if known is None or (known.depth == 0 and not _has_files(path)):
        known = _captures[key] = Capture(path)
    return known


def _has_files(path: str) -> bool:
    try:
        return bool(os.listdir(path))
    except OSError:
        return False
