"""How Dynamo calls the rest of a function behind a graph break."""

from __future__ import annotations

from typing import Tuple

from .model import Frame, Session

# The second is what torch 2.2 calls them.
_PREFIXES = ("torch_dynamo_resume_in_", "resume_in_")


def is_continuation(name: str) -> bool:
    return name.startswith(_PREFIXES)


def without_prefix(name: str) -> str:
    """`f_at_5` for what Dynamo calls `torch_dynamo_resume_in_f_at_5`."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name[len(prefix) :]
    return name


def which_breaks(session: Session) -> str:
    """Words behind the number of graph breaks, where functions go on behind others."""
    broken = [frame for frame in session.frames if frame.resumes]
    old = [frame for frame in broken if frame.compiled_before]
    if len(old) < len(broken) and not session.breaks:
        # Torch 2.5 and before tell of none.
        return " that this torch tells of"
    told = {one.compile_id for one in session.breaks}
    seen = {_code(one) for one in broken if not one.compiled_before and one.compile_id in told}
    if any(_code(frame) not in seen for frame in old):
        return " told of (none of those in code compiled before the capture began)"
    return ""


def _code(frame: Frame) -> Tuple[str, str, int]:
    return frame.qualname, frame.file, frame.line
