"""A few lines about a run: what was compiled, where it broke, why again, where to start reading."""

from __future__ import annotations

import os
from typing import List, Optional, Sequence

from depyf.output.index import INDEX, OTHER_WAYS, stories_in
from depyf.session.builder import NOTHING_TO_COMPILE
from depyf.session.continuations import is_continuation, which_breaks
from depyf.session.json import from_json
from depyf.session.model import Frame, GraphBreak, Location, Recompilation, Session
from depyf.session.same_breaks import breaks_by_place

MOST_LINES = 5
LONGEST = 200
NOT_COMPILED = ("skipped", "failed")


def summary(folder: str) -> List[str]:
    """Lines about the session in the folder."""
    with open(os.path.join(folder, "session.json"), encoding="utf-8") as file:
        session = from_json(file.read())
    lines = [_counts(session)]
    lines += _some([_break(same[0]) for same in breaks_by_place(session)])
    lines += _some([_again(one, session.frames) for one in session.recompilations])
    lines += _some([_not_compiled(one) for one in _left_out(session)])
    lines += [f"  start reading: {os.path.join(folder, one)}" for one in stories_in(folder)[:1]]
    lines.append(f"  everything: {os.path.join(folder, INDEX)}")
    return lines


def _counts(session: Session) -> str:
    # A frame without a transformed code had nothing to compile.
    compiled = [one for one in session.frames if one.outcome == "compiled" and one.transformed]
    own = [one for one in compiled if not is_continuation(one.name)]
    functions = list(dict.fromkeys(f"{one.qualname}" for one in own))
    names = f" ({', '.join(functions[:4])}{', ...' if len(functions) > 4 else ''})"
    breaks = len(breaks_by_place(session))
    counts = [
        (len(functions), f"function{'s' if len(functions) != 1 else ''}{names * bool(functions)}"),
        (len(compiled), "compiled frames" if len(compiled) != 1 else "compiled frame"),
        (breaks, f"graph break{'s' if breaks != 1 else ''}{which_breaks(session)}"),
        (
            len(session.recompilations),
            "recompilations" if len(session.recompilations) != 1 else "recompilation",
        ),
    ]
    left = len(_left_out(session))
    if left:
        counts.append((left, f"frame{'s' if left != 1 else ''} not compiled"))
    empty = sum(1 for one in session.frames if one.outcome in NOT_COMPILED) - left
    if empty:
        counts.append((empty, f"frame{'s' if empty != 1 else ''} with nothing to compile"))
    for outcome, singular, plural in OTHER_WAYS:
        found = sum(1 for one in session.frames if one.outcome == outcome)
        if found:
            counts.append((found, singular if found == 1 else plural))
    said = ", ".join(f"{count} {what}" for count, what in counts)
    return f"torch.compile: {said}{_time(session)}"


def _time(session: Session) -> str:
    """Known where the environment asks for times."""
    seconds = [one.seconds for one in session.frames if one.seconds is not None]
    return f"; compiling took {sum(seconds):.2f} s" if seconds else ""


def _left_out(session: Session) -> List[Frame]:
    """Frames that were not compiled though there was something to compile."""
    return [
        one
        for one in session.frames
        if one.outcome in NOT_COMPILED and one.reason != NOTHING_TO_COMPILE
    ]


def _break(one: GraphBreak) -> str:
    return f"  graph break at {_place(one.location)}: {_short(one.reason)}"


def _again(one: Recompilation, frames: List[Frame]) -> str:
    why = f": {_short('; '.join(_places_once(one.failures)))}" if one.failures else ""
    # Torch tells the bare name, which many modules share: `forward`.
    whole = (frame.qualname for frame in frames if frame.compile_id == one.compile_id)
    return f"  compiled again: {next(whole, '') or one.function or one.compile_id}{why}"


def _places_once(failures: List[str]) -> List[str]:
    """The entries of a function often fail for the same line, which is told with the first."""
    told = set()
    shorter = []
    for failure in failures:
        guard, mark, place = failure.partition(" # ")
        shorter.append(guard.rstrip() if place in told else failure)
        told.update([place] if mark else [])
    return shorter


def _not_compiled(one: Frame) -> str:
    why = f": {_short(one.reason)}" if one.reason else ""
    return f"  not compiled: {one.qualname} ({one.file}:{one.line}){why}"


def _place(location: Optional[Location]) -> str:
    return f"{location.file}:{location.line}" if location else "an unknown place"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."


def _some(lines: Sequence[str]) -> List[str]:
    more = len(lines) - MOST_LINES
    return [*lines[:MOST_LINES], *([f"  ... and {more} more"] if more > 0 else [])]
