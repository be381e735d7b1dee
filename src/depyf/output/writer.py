"""The only place of a dump that touches the disk.

Each file is written whole or not at all, and only when its content changed. Nothing is raised:
what could not be written is handed back as sentences, because the program that is being watched
must go on.
"""

from __future__ import annotations

import os
from typing import List, Mapping

from depyf.files import replace_file


def write(folder: str, files: Mapping[str, str]) -> List[str]:
    """Write `files` (relative path -> content) below `folder`; return what went wrong."""
    problems: List[str] = []
    for name, content in files.items():
        path = os.path.join(folder, *name.split("/"))
        try:
            if not _holds(path, content):
                _put(path, content)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            problems.append(f"Could not write {name} into {folder}: {reason}")
    return problems


def _put(path: str, content: str) -> None:
    try:
        replace_file(path, content)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        replace_file(path, content)


def _holds(path: str, content: str) -> bool:
    # An unchanged file keeps its time, so that editors and debuggers do not load it again.
    try:
        with open(path, encoding="utf-8", newline="", errors="strict") as file:
            return file.read() == content
    except (OSError, ValueError):
        return False
