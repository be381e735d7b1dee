"""Graph breaks: where compiled code goes on after one, and what it calls in the midst of one.

The rest of a function is a function of its own, found by name. What is called in a break is what
the program calls; with torch.compile around, it may run compiled code of its own.
"""

from __future__ import annotations

import dis
import sys
import warnings
from types import CodeType, FrameType, FunctionType
from typing import Any, Callable, List, Optional

from .dynamo import PROFILER_MARKS, RESUME, file_of_switches, graphs_of, leave_frames_alone

NOT_LOOKED = (
    "a profiler that is not written in Python is running ({}), so nobody has looked whether the "
    "example calls what torch compiled by itself: stop it while unguarded is called"
)
RESUME_CODES = ("torch_dynamo_resume_in_", "resume_in_", "<resume in ")


def has_graph_break(code: CodeType) -> bool:
    return bool(rests(code)) or has_rest_inside(code)


def rests(code: CodeType) -> List[str]:
    """The global names of what follows the graph breaks."""
    return [name for name in code.co_names if name.startswith(RESUME)]


def has_rest_inside(code: CodeType) -> bool:
    """Older torch makes the rest on the spot when it needs variables of enclosing functions."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return any(const.co_name.startswith(RESUME_CODES) for const in inner)


def calls_graphs_alone(code: CodeType) -> bool:
    """Whether nothing but graphs, and torch's marks around them, is called. "No" may be wrong."""
    calls = [each for each in dis.get_instructions(code) if each.opname.startswith("CALL")]
    marks = [name for name in code.co_names if name in PROFILER_MARKS]
    return len(calls) <= len(graphs_of(code)) * (1 + len(marks))


def compiled_apart(call: Callable[[], object]) -> List[CodeType]:
    """The compiled code of other functions that compiled code runs into during a call.

    It was found because torch.compile was around. Python tells of every function that is entered,
    but one listener alone, so a profiler of the user's is told from here.
    """
    theirs = sys.getprofile()
    if theirs is not None and not callable(theirs):
        # One in C: Python shows it, and has no way to put it back.
        warnings.warn(NOT_LOOKED.format(type(theirs).__name__), stacklevel=4)
        return []
    found: List[CodeType] = []
    switches = file_of_switches()

    def look(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and _is_compiled(frame.f_code) and not _is_rest(frame.f_code):
            if _is_under_compiled_code(frame.f_back, switches):
                found.append(frame.f_code)
        if theirs is not None:
            theirs(frame, event, argument)

    assert isinstance(look, FunctionType)
    leave_frames_alone(look)
    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(theirs)
    return found


def _is_compiled(code: CodeType) -> bool:
    return bool(graphs_of(code) or has_graph_break(code))


def _is_rest(code: CodeType) -> bool:
    return code.co_name.startswith(RESUME_CODES)


def _is_under_compiled_code(frame: Optional[FrameType], switches: str) -> bool:
    """Not counting what has torch.compile around itself, and what runs inside of a graph."""
    while frame is not None and frame.f_code.co_filename != switches:
        if _is_compiled(frame.f_code):
            return True
        frame = frame.f_back
    return False
