"""Which names in a folder belong to which process, so that two can write into one folder.

Running code carries the path of its file, so a file must keep its text while the process lives that
compiled from it. What a process left that was finished before this one began is free. Each process
lists its names in a file of its own, among the temporary files of the machine: the folder itself
stays clean.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import tempfile
import time
from typing import Iterable, List, Set

A_DAY = 24 * 3600.0
# So many folders' lists are looked through when a block is left.
SWEPT = 50


class Claims:
    """The names in one folder, of this process and of those that ran at the same time."""

    def __init__(self, folder: str) -> None:
        key = hashlib.sha1(os.path.realpath(folder).encode("utf-8", "surrogatepass")).hexdigest()
        user = str(getattr(os, "getuid", lambda: "")())
        self._home = os.path.join(tempfile.gettempdir(), f"depyf_claims_{user}", key)
        self._own: Set[str] = set()
        self._pid = 0
        self._began = time.time()

    def claim(self, names: Iterable[str]) -> bool:
        """Take the names, unless another living process has one of them.

        They are written down before the others' lists are read. Of two that want the same name
        at once, both may go without it, but never both take it.
        """
        if self._pid != os.getpid():
            self._begin()
        new = [name for name in names if name not in self._own]
        self._write_down(new)
        if self.of_others().isdisjoint(new):
            self._own.update(new)
            return True
        return False

    def of_others(self) -> Set[str]:
        taken: Set[str] = set()
        for list_of_names in self._lists_of_others():
            with contextlib.suppress(OSError), open(list_of_names, encoding="utf-8") as file:
                taken.update(file.read().splitlines())
        return taken

    def sweep(self) -> None:
        """Forget some of the folders that nobody has written into for long: they may be gone."""
        oldest = self._began - A_DAY
        with contextlib.suppress(OSError), os.scandir(os.path.dirname(self._home)) as homes:
            for home in itertools.islice(homes, SWEPT):
                if _time_of(home.path) < oldest:
                    _forget_all(home.path, oldest)

    def _begin(self) -> None:
        """The first time in this process: in a forked one, all names are those of its parent."""
        self._pid = os.getpid()
        self._own = set()
        # A list of this number was left by a process that is dead.
        _forget(os.path.join(self._home, str(self._pid)))

    def _write_down(self, names: List[str]) -> None:
        with contextlib.suppress(OSError):
            if not os.path.isdir(self._home):
                os.makedirs(self._home, mode=0o700, exist_ok=True)
            path = os.path.join(self._home, str(self._pid))
            with open(path, "a", encoding="utf-8") as file:
                file.write("".join(name + "\n" for name in names))

    def _lists_of_others(self) -> List[str]:
        try:
            pids = sorted(os.listdir(self._home))
        except OSError:
            return []
        found = []
        for pid in pids:
            path = os.path.join(self._home, pid)
            if pid == str(os.getpid()) or not pid.isdigit():
                continue
            written = _time_of(path)
            if _is_alive(int(pid)) or written >= self._began:
                found.append(path)
            elif written < self._began - A_DAY:
                _forget(path)
        return found


def _forget_all(home: str, oldest: float) -> None:
    with contextlib.suppress(OSError):
        for pid in os.listdir(home):
            path = os.path.join(home, pid)
            if pid.isdigit() and _time_of(path) < oldest and not _is_alive(int(pid)):
                _forget(path)
        # Only one that has become empty goes.
        os.rmdir(home)


def _forget(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _time_of(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _is_alive(pid: int) -> bool:
    if os.name == "nt":
        # Signal 0 would end the process there; better one name too many kept than a file lost.
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
