"""The folder of one capture: the names taken in it, and what is written while torch compiles."""

from __future__ import annotations

import os
from typing import Callable, Dict, Tuple

from depyf.files import safe_file_name
from depyf.output import transformed_text, write
from depyf.session.model import Frame


class Folder:
    """`tell` gets a sentence for each file that could not be written."""

    def __init__(self, path: str, tell: Callable[[str], None]) -> None:
        self.path = path
        self._tell = tell
        # Not every file system tells "A" from "a".
        self._next: Dict[str, int] = {}

    def path_of(self, file: str) -> str:
        return os.path.join(self.path, file)

    def next_transformed(self, function: str) -> Tuple[str, str]:
        """The name of the next code made of a function of that name, and its file."""
        base = safe_file_name(function)
        number = self._next.get(base.lower(), 0)
        self._next[base.lower()] = number + 1
        name = f"__transformed_code_{number}_for_{base}"
        return name, name + ".py"

    def write_transformed(self, frame: Frame) -> bool:
        problems = write(self.path, {frame.transformed_file: transformed_text(frame)})
        for problem in problems:
            self._tell(problem)
        return not problems
