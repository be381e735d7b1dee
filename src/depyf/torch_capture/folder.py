"""The folder of one capture: the names taken in it, and what is written while torch compiles."""

from __future__ import annotations

import os
from typing import Callable, Dict, Tuple

from depyf.files import safe_file_name
from depyf.output import render, transformed_text, write
from depyf.session.json import to_json
from depyf.session.model import Frame, Session

from .claims import Claims

MOST_TRIES = 20
TIMES_WANTED = "DEPYF_TIMINGS"
# One for the whole folder; with two processes the last to finish writes it.
SHARED = frozenset(["README.md", "session.json"])


class Folder:
    """`tell` gets a sentence for each file that could not be written."""

    def __init__(self, path: str, tell: Callable[[str], None]) -> None:
        self.path = path
        self._tell = tell
        self._claims = Claims(path)
        # Not every file system tells "A" from "a".
        self._next: Dict[str, int] = {}

    def path_of(self, file: str) -> str:
        return os.path.join(self.path, file)

    def next_transformed(self, function: str) -> Tuple[str, str]:
        """The name of the next code made of a function of that name, and its file."""
        base = safe_file_name(function)
        number = self._next.get(base.lower(), 0)
        while not self._claims.claim([f"__transformed_code_{number}_for_{base}.py"]):
            number += 1
        self._next[base.lower()] = number + 1
        name = f"__transformed_code_{number}_for_{base}"
        return name, name + ".py"

    def write_transformed(self, frame: Frame) -> bool:
        return self._write({frame.transformed_file: transformed_text(frame)})

    def write_session(self, session: Session) -> bool:
        """Every file; under other names than those that a living process has in this folder."""
        self._claims.sweep()
        taken = self._claims.of_others() - SHARED
        with_times = os.environ.get(TIMES_WANTED) == "1"
        for _ in range(MOST_TRIES):
            rendered = render(session, taken, with_times)
            files = {**rendered, "session.json": to_json(session, with_times)}
            if self._claims.claim(name for name in files if name not in SHARED):
                break
            taken = self._claims.of_others() - SHARED
        return self._write(files)

    def _write(self, files: Dict[str, str]) -> bool:
        problems = write(self.path, files)
        for problem in problems:
            self._tell(problem)
        return not problems
