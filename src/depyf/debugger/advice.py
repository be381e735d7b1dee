"""What debug() says on entry: where to look, and what to type."""

from __future__ import annotations

import ast
import os
from typing import Iterator, List, Sequence

from depyf.torch_capture import compat_debug

from .linking import KERNEL, Links

MOST_PLACES = 8


NOTHING_NEW = "compiled code runs from these files now; nothing new is compiled in this block."
STILL_COMPILING = "stopped at the first compiled frame; this is what has been compiled so far."


def welcome(folders: Sequence[str], links: Links, compiling: bool = False) -> str:
    lines = [STILL_COMPILING if compiling else NOTHING_NEW]
    for folder in folders:
        names = sorted(os.listdir(folder))
        stories = [name for name in names if name.startswith("full_code_for_")]
        lines.append(f"  folder: {folder}")
        if stories:
            lines.append(f"  start reading: {', '.join(stories[:3])}")
    places = [*_transformed(folders), *_graphs(links)]
    if places:
        lines.append("  Breakpoints are hit in these files; type for example")
        lines += [f"    b {place}" for place in places[:MOST_PLACES]]
        if len(places) > MOST_PLACES:
            lines.append(f"    ... and {len(places) - MOST_PLACES} more")
    lines.append("  then c (go on), n (next line), s (step in), p NAME (print), q (quit).")
    lines += [f"  {sentence}" for sentence in _limits(links)]
    return "\n".join(lines)


def _graphs(links: Links) -> List[str]:
    """Where Inductor's code runs, the graphs that it was made of are kept but do not run."""
    wrapped = {_graph_of(path) for path in links.linked if f".{KERNEL}_" in path}
    return [
        f"{path}:{line}"
        for path, line in links.linked.items()
        if f".{KERNEL}_" in path or _graph_of(path) not in wrapped
    ]


def _graph_of(path: str) -> str:
    return os.path.basename(path).partition(".")[0]


def _limits(links: Links) -> Iterator[str]:
    if links.unlinked:
        yield "Not linked, runs from torch's own text: " + ", ".join(links.unlinked)
    if compat_debug.backward_compiler() is None:
        yield "This torch compiles a backward pass when it is first called, also in this block."
    if not compat_debug.tells_of_misses():
        yield "This torch does not tell when no compiled code fits an input (the original runs)."


def _transformed(folders: Sequence[str]) -> List[str]:
    """The first line to stop at in each file that is what runs."""
    places = []
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.startswith("__transformed_code_") and name.endswith(".py"):
                line = _first_statement(path)
                if line:
                    places.append(f"{path}:{line}")
    return places


def _first_statement(path: str) -> int:
    """0 where the file does not run, which its first line says."""
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    if text.startswith("# Torch"):
        return 0
    functions = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef)]
    named = [one for one in functions if one.name.startswith("__transformed_code_")]
    return named[0].body[0].lineno if named else 0
