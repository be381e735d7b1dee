"""What a decompilation gives: source, a verdict for every code object in it, notes, a line map."""

from __future__ import annotations

from types import MappingProxyType
from typing import List, Mapping, Sequence, Tuple

EXACT, EQUIVALENT, UNVERIFIED = "exact", "equivalent", "unverified"
_WEAKEST_FIRST = (UNVERIFIED, EQUIVALENT, EXACT)

# (line of the source, qualified name of the code object, offset in it)
LineMap = List[Tuple[int, str, int]]


class CodeVerdict:
    """How far one code object's text is proven, and what was done to write it.

    `qualname` and `firstlineno` say which one; `verdict` is "exact", "equivalent" or
    "unverified"; `reason` says why it is not better, `notes` what was needed to write the text
    ("temporaries", "dispatch loop", ...).
    """

    __slots__ = ("qualname", "firstlineno", "verdict", "reason", "notes")

    def __init__(
        self,
        qualname: str,
        firstlineno: int,
        verdict: str,
        reason: str = "",
        notes: Sequence[str] = (),
    ) -> None:
        self.qualname = qualname
        self.firstlineno = firstlineno
        self.verdict = verdict
        self.reason = reason
        self.notes = tuple(notes)

    def __repr__(self) -> str:
        reason = f": {self.reason}" if self.reason else ""
        return f"<{self.qualname} {self.verdict}{reason}>"


class Decompilation:
    """What is known about a decompiled object.

    - `source`: the text.
    - `parts`: a `CodeVerdict` for each code object in it.
    - `line_map`: (line of the text, qualified name of the code object, offset in it). A simple
      statement has the offset of its last instruction, such as a store or a return; an `if`, a loop
      or a `with` that of an instruction in its head.
    - `constants`: the objects without a literal, by the name that the text uses.
    - `renamed`: names that are no identifiers, or hidden by others, by the name that the text uses.
    """

    __slots__ = ("source", "line_map", "parts", "constants", "renamed")

    def __init__(
        self,
        source: str,
        parts: List[CodeVerdict],
        line_map: LineMap,
        constants: Mapping[str, object],
        renamed: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.source = source
        self.parts = parts
        self.line_map = line_map
        self.constants = constants
        self.renamed = renamed

    @property
    def verdict(self) -> str:
        """The weakest verdict of all parts."""
        return combine_verdicts(self.parts)

    @property
    def notes(self) -> Tuple[str, ...]:
        """What was needed to write it, of all parts together."""
        return tuple(sorted({note for part in self.parts for note in part.notes}))


def combine_verdicts(parts: Sequence[CodeVerdict]) -> str:
    """A whole is as trustworthy as its weakest part."""
    if len(parts) == 1:
        return parts[0].verdict
    found = [part.verdict for part in parts]
    return min(found, key=_WEAKEST_FIRST.index, default=UNVERIFIED)
