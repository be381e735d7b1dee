"""Which graph breaks are one for the user: those at one place, for one reason.

A function compiled again breaks there again. So does one that Dynamo gave up because of a break in
what it calls, when that is compiled by itself; torch words its hints differently then.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from .model import GraphBreak, Location, Session

Key = Tuple[str, Optional[Tuple[str, int, str, str]]]


def break_key(one: GraphBreak) -> Key:
    """Equal for breaks that are told once."""
    return one.reason, _place(one.location)


def breaks_by_place(session: Session) -> List[List[GraphBreak]]:
    """The breaks of a session, those together that are told once."""
    found: Dict[Key, List[GraphBreak]] = {}
    for one in session.breaks:
        found.setdefault(break_key(one), []).append(one)
    return list(found.values())


def _place(location: Optional[Location]) -> Optional[Tuple[str, int, str, str]]:
    if location is None:
        return None
    return location.file, location.line, location.function, location.text
