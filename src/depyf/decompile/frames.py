"""A frame that torch.compile rewrote, as a person would write it, and code compiled from that text.

In comes the code object that Dynamo made; out go the text of a function, how far it is proven, and
a code object that runs that very text in place of Dynamo's, or None where it is not proven. What
is special about Dynamo's code, its globals and its names, is said here and nowhere else.
"""

from __future__ import annotations

import re
import types
from typing import Dict, FrozenSet, List, Mapping, Optional

from depyf.errors import DecompilationError

from . import pipeline, proof
from .decode.code import HOST_VERSION
from .decode.outside import hidden_globals
from .decode.tables import table_for
from .decode.translate import meanings_of
from .recompile import Recompiler
from .result import UNVERIFIED, Decompilation
from .simplify.values import Facts

# A frame is decompiled while a program waits for its first call: what can be loaded now, is.
proof.load()
meanings_of(table_for(HOST_VERSION))

# Marks for a profiler, before and after a graph is called.
_TIMING = frozenset(("record_pregraph_bytecode_enter", "record_pregraph_bytecode_exit"))
_SILENT: Mapping[str, FrozenSet[str]] = {"__import_torch_dot__dynamo_dot_utils": _TIMING}
_FLAGS: Mapping[str, FrozenSet[str]] = {
    "__import_torch_dot_autograd_dot_profiler": frozenset(("_is_profiler_enabled",))
}
# `__compiled_fn_1_24cc25ed_3c82_...`: the number counts, what follows is random.
_GRAPH = re.compile(r"(__compiled_fn_\d+)(_\w+)?")
# `__resume_at_94_2_6f09bf62_8632_...`: the same, in torch 2.8.
_RESUME = re.compile(r"(__resume_at_\d+_\d+)(?:_[0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12})?")
# `__torch_obj_140119958694752`: an address.
_WITH_ADDRESS = re.compile(r"(.*?)_?\d{9,}(?:_c\d+)?")
_FIRST = re.compile(r"_1$")
_LOOKS_AT_FRAMES = frozenset(("currentframe", "_getframe", "locals"))


class FrameText:
    """`running` may take the place of the original; `result` is its text with notes and lines."""

    __slots__ = ("result", "running", "why_not")

    def __init__(
        self, result: Decompilation, running: Optional[types.CodeType], why_not: str
    ) -> None:
        self.result = result
        self.running = running
        self.why_not = why_not

    def hidden_globals(self) -> Dict[str, str]:
        """By what the text calls them, globals whose names variables of the frame have."""
        return hidden_globals(self.result.renamed)


def decompile_frame(
    original: types.CodeType, code: types.CodeType, name: str, filename: str
) -> FrameText:
    """The text of `code` as a function called `name`, compiled as if it were read from `filename`.

    `original` is what Dynamo made it from: locals that it does not have are Dynamo's own.
    """
    facts = _facts(original, code)
    result, made = pipeline.decompile_frame(code, name, facts, spelled_names(code), filename)
    if result.verdict == UNVERIFIED:
        reasons = [part.reason for part in result.parts if part.verdict == UNVERIFIED]
        return FrameText(result, None, "; ".join(reasons))
    # The order of free variables is no part of a text: the recompiler arranges them.
    if made is None or made.co_freevars != code.co_freevars:
        recompiler = Recompiler(code, name, result, filename, facts)
        try:
            made = recompiler.compile((code.co_freevars, code.co_cellvars))
            recompiler.prove(made)
        except DecompilationError as error:
            return FrameText(result, None, error.why or str(error))
    if (made.co_freevars, made.co_cellvars) != (code.co_freevars, code.co_cellvars):
        return FrameText(result, None, "its free variables or cells come in another order")
    return FrameText(result, made, "")


def _facts(original: types.CodeType, code: types.CodeType) -> Facts:
    own = frozenset(code.co_varnames) - {*original.co_varnames, *original.co_cellvars}
    graphs = frozenset(name for name in code.co_names if _GRAPH.fullmatch(name))
    return Facts(_SILENT, _FLAGS, graphs, _continuations(code), own)


def _continuations(code: types.CodeType) -> FrozenSet[str]:
    """The names of continuations, where they must be known to mean one function.

    A line of its own for what is handed to one reads best. But where somebody looks at the frame,
    no variable may hold the value meanwhile.
    """
    if _LOOKS_AT_FRAMES.isdisjoint(code.co_names):
        return frozenset()
    return frozenset(name for name in code.co_names if _RESUME.fullmatch(name))


def spelled_names(code: types.CodeType) -> Dict[str, str]:
    """Names with something random in them, by what they are called in the text."""
    taken = {*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars}
    spelled: Dict[str, str] = {}
    for raw in sorted(taken, key=_order(code)):
        text = _without_chance(raw)
        if text != raw:
            spelled[raw] = _unused(text, taken.union(spelled.values()))
    return spelled


def _order(code: types.CodeType) -> _Order:
    return _Order([*code.co_varnames, *code.co_freevars, *code.co_cellvars, *code.co_names])


class _Order:
    """Names in the order of their first appearance, which is the same in every run."""

    def __init__(self, names: List[str]) -> None:
        self.places = {name: place for place, name in reversed(list(enumerate(names)))}

    def __call__(self, name: str) -> int:
        return self.places[name]


def _without_chance(raw: str) -> str:
    numbered = _GRAPH.fullmatch(raw) or _RESUME.fullmatch(raw)
    if numbered:
        return numbered.group(1)
    address = _WITH_ADDRESS.fullmatch(raw)
    return address.group(1) + "_1" if address else raw


def _unused(text: str, taken: set[str]) -> str:
    stem, number = _FIRST.sub("", text), 1
    while text in taken:
        number += 1
        text = f"{stem}_{number}"
    return text
