"""What is seen of `torch.export` and `aot_compile`: the function, and the graph Dynamo captured.

The bytecode hook is given no code of such a function, and a newer torch does not say in its trace
that it started on one. But a graph is shown while the export is on the stack.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Dict, List, Optional

from depyf.session.events import Event

from . import compat
from .hook import frame_of

THROUGH_DYNAMO = "the exported program holds its graph, and no code of its own runs"
WITHOUT_DYNAMO = (
    "strict=False: this export does not go through Dynamo, so it leaves nothing else to show"
)

AHEAD_OF_TIME = (
    "the code that Dynamo made is in what aot_compile returned, and torch shows it to nobody: "
    "neither its text nor its guards are in this folder"
)


def ahead_of_time_under_way(compile_id: str, attempt: int, graph: int) -> List[Event]:
    """Of the call of `aot_compile` that shows the graph Dynamo captured, if one does."""
    code = compat.compiling_ahead_now()
    if code is None:
        return []
    frame = frame_of(code, compile_id)
    frame.outcome, frame.reason, frame.graphs = "ahead of time", AHEAD_OF_TIME, [graph]
    return [Event("depyf_ahead_of_time", compile_id, attempt, asdict(frame))]


def export_under_way(compile_id: str, attempt: int, graph: Optional[int]) -> List[Event]:
    """Of the export that shows a graph now, if one does; `graph` is the number Dynamo gave it."""
    exporting = compat.exporting_now()
    if exporting is None or exporting[1] != (graph is not None):
        return []
    frame = frame_of(exporting[0], compile_id)
    frame.outcome = "exported"
    frame.reason = WITHOUT_DYNAMO if graph is None else THROUGH_DYNAMO
    frame.graphs = [] if graph is None else [graph]
    return [Event("depyf_exported", compile_id, attempt, asdict(frame))]


def names_of_exported() -> Dict[str, object]:
    """Of an export that is under way: what the trace leaves out when it fails."""
    exporting = compat.exporting_now()
    code = exporting[0] if exporting else compat.compiling_ahead_now()
    if code is None:
        return {}
    return {
        "co_name": code.co_name,
        "co_filename": code.co_filename,
        "co_firstlineno": code.co_firstlineno,
    }
