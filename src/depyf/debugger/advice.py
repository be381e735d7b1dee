"""What debug() says on entry: where to look, and what to type."""

from __future__ import annotations

import os
from typing import Dict, Iterator, List, Sequence, Set

from depyf.output.index import stories_in
from depyf.torch_capture import compat, compat_debug

from .linking import KERNEL, Links, first_line, graph_and_stage

MOST_PLACES = 8
MOST_STORIES = 3
_AUTOGRAD = ("Forward_graph", "Backward_graph")
# What has been made of a stage, and runs in its place; it is kept, and linked, all the same.
_RUNS_INSTEAD = {"Captured_Graph": {KERNEL, *_AUTOGRAD}}


NOTHING_NEW = "compiled code runs from these files now; nothing new is compiled in this block."
STILL_COMPILING = "stopped at the first compiled frame; this is what has been compiled so far."


def welcome(folders: Sequence[str], links: Links, compiling: bool = False) -> str:
    lines = [STILL_COMPILING if compiling else NOTHING_NEW]
    for folder in folders:
        stories = stories_in(folder)[:MOST_STORIES]
        lines.append(f"  folder: {folder}")
        if stories:
            lines.append(f"  start reading: {', '.join(stories)}")
    transformed, graphs = _transformed(folders), _graphs(links)
    places = _some_of_both(transformed, graphs)
    if places:
        lines.append("  Breakpoints are hit in these files; type for example")
        lines += [f"    b {place}" for place in places]
        more = len(transformed) + len(graphs) - len(places)
        lines += [f"    ... and {more} more"] if more else []
    lines.append("  then c (go on), n (next line), s (step in), p NAME (print), q (quit).")
    lines += [f"  {sentence}" for sentence in _limits(links)]
    return "\n".join(lines)


def _some_of_both(transformed: List[str], graphs: List[str]) -> List[str]:
    """Where there are too many, half of the room is for each, and what one leaves the other's."""
    half = MOST_PLACES // 2
    few = transformed[: max(half, MOST_PLACES - len(graphs))]
    return few + graphs[: MOST_PLACES - len(few)]


def _graphs(links: Links) -> List[str]:
    stages: Dict[int, Set[str]] = {}
    for path in links.linked:
        number, stage = graph_and_stage(path)
        stages.setdefault(number, set()).add(stage)
    return [
        f"{path}:{line}"
        for path, line in links.linked.items()
        if not _is_passed_over(path, stages, links)
    ]


def _is_passed_over(path: str, stages: Dict[int, Set[str]], links: Links) -> bool:
    number, stage = graph_and_stage(path)
    if stage == "Backward_graph" and "Compiled_autograd_graph" in links.stages:
        # Compiled autograd has taken it into a graph of its own.
        return True
    return stage != KERNEL and bool(_RUNS_INSTEAD.get(stage, {KERNEL}) & stages[number])


def _limits(links: Links) -> Iterator[str]:
    if links.unlinked:
        yield "Not linked, runs from torch's own text: " + ", ".join(links.unlinked)
    if compat_debug.backward_compiler() is None:
        yield "This torch compiles a backward pass when it is first called, also in this block."
    if not compat_debug.tells_of_misses():
        yield "This torch does not tell when no compiled code fits an input (the original runs)."


def _transformed(folders: Sequence[str]) -> List[str]:
    """The first line to stop at in each file that is what runs; others may lie in the folder."""
    entries = [entry for code in compat.compiled_codes() for entry in compat.cache_entries(code)]
    running = [code for code in map(compat.code_of_entry, entries) if code is not None]
    files = {code.co_filename: first_line(code) for code in running}
    return [
        f"{path}:{files[path]}"
        for folder in folders
        for path in sorted(files)
        if os.path.dirname(path) == folder
    ]
