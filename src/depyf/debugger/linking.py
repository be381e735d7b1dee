"""Links what runs to the files of a dump folder, and unlinks it again.

A function keeps its identity, only its code object is exchanged for one with the same instructions
and our lines; whoever holds the function runs it. Functions are held weakly.
"""

from __future__ import annotations

import os
import re
import types
import weakref
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Set, Tuple

from depyf.torch_capture import compat, compat_debug

from .relocate import functions_in, lines_above, moved, with_lines_of
from .running import running_functions

_FILE = re.compile(r"__compiled_fn_(\d+)\.(.+?)[._](\d+)\.py")
KERNEL = "kernel"
# Two stages may have one text: the first of these is the one that is said to run.
_PREFERRED = ("Captured_Graph", "Forward_graph", "Backward_graph")


@dataclass
class GraphFile:
    number: int
    kind: str
    path: str
    text: str


@dataclass
class Links:
    """What was exchanged, and what runs without a file of ours."""

    linked: Dict[str, int] = field(default_factory=dict)  # path -> first line that runs
    unlinked: List[str] = field(default_factory=list)
    stages: Set[str] = field(default_factory=set)  # of all graphs that can be called
    _exchanged: List[Tuple[weakref.ref[types.FunctionType], types.CodeType, types.CodeType]] = (
        field(default_factory=list)
    )
    _restore: List[Callable[[], None]] = field(default_factory=list)

    def exchange(self, function: types.FunctionType, code: types.CodeType) -> None:
        self._exchanged.append((weakref.ref(function), function.__code__, code))
        function.__code__ = code

    def run_from_files(self) -> None:
        """Also the graphs that torch would interpret run from the files they are linked to."""
        if not self._restore:
            self._restore.append(compat_debug.run_graphs_from(self.linked))

    def undo(self) -> None:
        """Give every function its own code back, unless someone else changed it meanwhile."""
        while self._restore:
            self._restore[-1]()
            # Only now: interrupted before, it is still there to be undone.
            self._restore.pop()
        while self._exchanged:
            reference, own, code = self._exchanged[-1]
            function = reference()
            if function is not None and function.__code__ is code:
                function.__code__ = own
            self._exchanged.pop()


def link(folders: Iterable[str], links: Links) -> None:
    """`links` knows of each function before it is exchanged: whoever is interrupted can undo.

    Given the same `links` again, it adds what has been compiled since.
    """
    links.unlinked.clear()
    files = [file for folder in folders for file in _graph_files(folder)]
    for number, functions in sorted(running_functions().items()):
        of_number = [file for file in files if file.number == number]
        links.stages.update(file.kind for file in of_number)
        for function in functions:
            _link_function(function, of_number, links)
        if of_number and not any(file.path in links.linked for file in of_number):
            links.unlinked.append(f"__compiled_fn_{number}")
    links.run_from_files()


def _graph_files(folder: str) -> Iterator[GraphFile]:
    found = []
    for name in sorted(os.listdir(folder)):
        match = _FILE.fullmatch(name)
        if match:
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8", newline="") as file:
                found.append(GraphFile(int(match[1]), match[2], path, file.read()))
    rank = {kind: place for place, kind in enumerate(_PREFERRED)}
    return iter(sorted(found, key=lambda file: rank.get(file.kind, len(rank))))


def graph_and_stage(path: str) -> Tuple[int, str]:
    """Of a file that is linked."""
    match = _FILE.fullmatch(os.path.basename(path))
    return (int(match[1]), match[2]) if match else (-1, "")


def _link_function(function: types.FunctionType, files: List[GraphFile], links: Links) -> None:
    # One function may stand behind several names; it is linked already then.
    if not compat_debug.is_generated(function.__code__):
        return
    if compat_debug.is_graph_code(function.__code__):
        _link_graph(function, files, links)
    else:
        _link_wrapper(function, files, links)


def _link_graph(function: types.FunctionType, files: List[GraphFile], links: Links) -> None:
    running_text = compat_debug.text_of_graph_code(function)
    for file in files:
        if file.kind == KERNEL:
            continue
        for ours in functions_in(file.text):
            code = with_lines_of(function.__code__, running_text, ours, file.path)
            if code is not None:
                links.exchange(function, code)
                links.linked.setdefault(file.path, ours.body[0].lineno)
                return


def _link_wrapper(function: types.FunctionType, files: List[GraphFile], links: Links) -> None:
    path = function.__code__.co_filename
    running_text = _read(path)
    for file in files:
        above = lines_above(file.text, running_text, compat.inductor_cache_folder())
        if file.kind != KERNEL or above is None:
            continue
        for one in [function, *_functions_of(function.__globals__, path)]:
            if one.__code__.co_filename == path:
                links.exchange(one, moved(one.__code__, file.path, above))
        call = links.linked.get(file.path)
        if call is None or function.__name__ == "call":
            links.linked[file.path] = first_line(function.__code__)
        return


def _functions_of(variables: Dict[str, object], path: str) -> Iterator[types.FunctionType]:
    """The functions and methods that the file at `path` defined."""
    for value in list(variables.values()):
        held = list(vars(value).values()) if type(value) is type else [value]
        for one in held:
            if type(one) is types.FunctionType and one.__code__.co_filename == path:
                yield one


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, ValueError):
        return ""


def first_line(code: types.CodeType) -> int:
    """The first line on which a breakpoint is hit: the one below the signature."""
    import dis

    lines = [line for _, line in dis.findlinestarts(code) if line]
    below: Optional[int] = next((line for line in lines if line > code.co_firstlineno), None)
    return below or code.co_firstlineno
