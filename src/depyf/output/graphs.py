"""`__compiled_fn_<k>.<stage>.<n>.py`: each text that a graph went through.

Every file says what it shows, where it came from and which file comes next, then torch's text.
"""

from __future__ import annotations

import re
from typing import Dict, List, Tuple

from depyf.session.model import Frame, Graph, Stage

from .names import GraphFiles
from .valid_python import as_python, graph_as_python, one_line

_SHOWS: Dict[str, str] = {
    "Captured_Graph": "the graph that Dynamo captured",
    "Joint_graph": "forward and backward in one graph, as AOTAutograd traced it",
    "Forward_graph": "the forward graph that AOTAutograd made",
    "Backward_graph": "the backward graph that AOTAutograd made",
    "AFTER_POST_GRAD": "the graph that Inductor lowered",
    "kernel": "Inductor's output code: the wrapper and its kernels",
}

# The caches that a text may come from, instead of from this run.
_CACHES_OF: Dict[str, Tuple[str, ...]] = {
    "Joint_graph": ("aot",),
    "Forward_graph": ("aot",),
    "Backward_graph": ("aot",),
    "AFTER_POST_GRAD": ("aot", "inductor"),
    "kernel": ("aot", "inductor"),
}
# Torch sets the variable while it runs; in a shell it is most often unknown.
_UNSET = " (where that is not set: torchinductor_<user> in the folder for temporary files)"
_WITHOUT_CALLER = {"exported": "Exported", "ahead of time": "Compiled ahead of time"}
# Torch's comment above the operations of a line.
_PLACE = re.compile(r"# File: .*?:\d+")


def stage_text(graph: Graph, stage: Stage, files: GraphFiles, frames: List[Frame]) -> str:
    text = (
        as_python(stage.text.strip("\n")) if stage.kind == "kernel" else graph_as_python(stage.text)
    )
    return "\n".join([*_about(graph, stage, files, frames), "", text]) + "\n"


def _about(graph: Graph, stage: Stage, files: GraphFiles, frames: List[Frame]) -> List[str]:
    shows = _SHOWS.get(stage.kind, f"shown by torch or a backend as {stage.kind!r}")
    direction = f" ({stage.direction})" if stage.direction else ""
    lines = [f"__compiled_fn_{graph.number}: {shows}{direction}"]
    owner = next((frame for frame in frames if graph.number in frame.graphs), None)
    if owner is not None:
        called = f"Called by {owner.transformed_file or owner.name}; compiled"
        lines.append(
            f"{_WITHOUT_CALLER.get(owner.outcome, called)} from {owner.qualname}, "
            f"{owner.file}:{owner.line}, compile id {graph.compile_id}"
        )
    else:
        lines.append(f"Compile id {graph.compile_id}")
    if _shows_other_lines(graph, stage):
        lines.append(
            "Taken from torch's cache: the files and lines in its comments are those of the "
            "program that filled the cache"
        )
    if stage.source_file:
        unset = _UNSET if stage.source_file.startswith("$") else ""
        lines.append(f"What runs is {stage.source_file}{unset}")
    lines += _neighbours(graph, stage, files)
    return [f"# {one_line(line)}" for line in lines]


def _shows_other_lines(graph: Graph, stage: Stage) -> bool:
    """Whether it comes from a cache, with comments that the graph just captured does not have."""
    if "hit" not in [graph.caches.get(cache) for cache in _CACHES_OF.get(stage.kind, ())]:
        return False
    captured = [one.text for one in graph.stages if one.kind == "Captured_Graph"]
    known = {place for text in captured for place in _PLACE.findall(text)}
    return not known.issuperset(_PLACE.findall(stage.text))


def _neighbours(graph: Graph, stage: Stage, files: GraphFiles) -> List[str]:
    here = [id(one) for one in graph.stages].index(id(stage))
    before = [one for one in graph.stages[:here] if _on_one_way(one, stage)]
    after = _next_stages(stage, graph.stages[here + 1 :])
    lines = [f"Before: {files.of_stage(before[-1])}"] if before else []
    if after:
        lines.append(f"Next: {', '.join(files.of_stage(one) for one in after)}")
    return lines


def _on_one_way(one: Stage, other: Stage) -> bool:
    return not one.direction or not other.direction or one.direction == other.direction


def _next_stages(stage: Stage, later: List[Stage]) -> List[Stage]:
    """The next one on the same way; where the ways part, the first of each."""
    found: List[Stage] = []
    for one in later:
        if _on_one_way(one, stage) and one.direction not in [known.direction for known in found]:
            found.append(one)
        if stage.direction or not one.direction:
            if found:
                break
    return found
