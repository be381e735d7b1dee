"""The names of all files of a folder, decided before any text is written.

Names are part of the interface: people glob for them, and texts point at each other by them. They
are safe on every file system, unique, and depend on nothing but the session.
"""

from __future__ import annotations

import keyword
import re
from typing import Dict, Iterable, List, Set

from depyf.files import safe_file_name
from depyf.session.model import Frame, Graph, Session, Stage

# File systems allow 255 bytes; the longest beginning and ending that we add have about 60.
_LONGEST_STAGE = 60


class Numbered:
    """Names with a running number, skipping those that others have taken."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        # Not every file system tells "A" from "a".
        self._taken: Set[str] = {name.lower() for name in taken}

    def next(self, template: str) -> str:
        number = 0
        while template.format(number).lower() in self._taken:
            number += 1
        name = template.format(number)
        self._taken.add(name.lower())
        return name


def identifier(name: str) -> str:
    """`name` as a name that Python accepts and a file system too."""
    safe = safe_file_name(name)
    if safe[0].isdigit() or keyword.iskeyword(safe):
        return "_" + safe
    return safe


def full_code_file(function: str, numbered: Numbered) -> str:
    return numbered.next(f"full_code_for_{safe_file_name(function)}_{{}}.py")


def transformed_files(session: Session, numbered: Numbered) -> Dict[int, str]:
    """Index of a frame -> its file. What capture has named keeps its name."""
    named = {i: f.transformed_file for i, f in enumerate(session.frames) if f.transformed_file}
    for index, frame in enumerate(session.frames):
        if frame.transformed is not None and index not in named:
            named[index] = numbered.next(
                f"__transformed_code_{{}}_for_{safe_file_name(frame.name)}.py"
            )
    return named


class GraphFiles:
    """The files of every graph, in the order in which its stages were seen."""

    def __init__(self, graphs: Iterable[Graph], numbered: Numbered) -> None:
        self._files: Dict[int, List[str]] = {}
        self._of_stage: Dict[int, str] = {}
        for graph in graphs:
            for stage in graph.stages:
                name = numbered.next(_stage_template(graph.number, stage.kind))
                self._files.setdefault(graph.number, []).append(name)
                self._of_stage[id(stage)] = name

    def of_graph(self, number: int) -> List[str]:
        return self._files.get(number, [])

    def of_stage(self, stage: Stage) -> str:
        return self._of_stage[id(stage)]


def _stage_template(number: int, kind: str) -> str:
    parts = [safe_file_name(part) for part in kind.split(".") if part]
    stage = ".".join(parts)[:_LONGEST_STAGE].rstrip(".") or "graph"
    between = "_" if stage == "kernel" else "."
    return f"__compiled_fn_{number}.{stage}{between}{{}}.py"


_TRANSFORMED = re.compile(r"__transformed_code_(\d+)_for_")


def entry_number(file: str, frame: Frame, fallback: int) -> int:
    """The number that a frame's transformed code has in its name: its guards get the same."""
    texts = [file, frame.transformed.name if frame.transformed else ""]
    for text in texts:
        match = _TRANSFORMED.search(text)
        if match:
            return int(match.group(1))
    return fallback
