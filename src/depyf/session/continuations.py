"""How Dynamo calls the rest of a function behind a graph break."""

from __future__ import annotations

from .model import Session

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


def has_untold_breaks(session: Session) -> bool:
    """Whether functions go on behind graph breaks of which torch told nothing (2.5 and before)."""
    broken = any(frame.resumes and not frame.compiled_before for frame in session.frames)
    return broken and not session.breaks
