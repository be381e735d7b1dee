"""Who calls whom: frames grouped by function, functions followed from break to continuation.

Dynamo compiles a function several times (one frame each) and cuts it at graph breaks (each rest
is a function of its own). Here the frames become functions with entries again, and a user's
function with all its continuations becomes one story to tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Dict, Iterator, List, Optional, Tuple

from depyf.session.continuations import is_continuation
from depyf.session.model import Frame, Session

from .names import entry_number, identifier

# Of a continuation: torch passes over one that is empty, and does not always say so.
NOT_SEEN = "not reached while depyf was watching, or nothing in it to compile"


@dataclass
class Entry:
    """One compiled version of a function; `number` is the one in the name of its code."""

    frame: Frame
    number: int
    file: str


@dataclass
class Function:
    """One code object: its compiled versions, and the attempts that led to none."""

    name: str
    qualname: str
    file: str
    line: int
    entries: List[Entry] = field(default_factory=list)
    others: List[Frame] = field(default_factory=list)

    @property
    def frames(self) -> List[Frame]:
        return [entry.frame for entry in self.entries] + self.others

    @property
    def identifier(self) -> str:
        return identifier(self.name)

    @property
    def called_as(self) -> List[str]:
        """The names by which transformed code calls this continuation."""
        return _unique(name for frame in self.frames for name in frame.resumed_by)

    @property
    def resumes(self) -> List[str]:
        return _unique(name for entry in self.entries for name in entry.frame.resumes)

    @property
    def free_variables(self) -> List[str]:
        return _unique(name for frame in self.frames for name in frame.free_variables)

    @property
    def is_continuation(self) -> bool:
        return bool(self.called_as) or is_continuation(self.name)

    def in_order_of_trial(self) -> List[Entry]:
        """Torch tries the entry that was used last first; a new one counts as used."""
        known = [entry for entry in self.entries if entry.frame.cache_position is not None]
        if known:
            return sorted(known, key=lambda entry: entry.frame.cache_position or 0)
        return list(reversed(self.entries))

    def no_longer_tried(self) -> List[Entry]:
        tried = {id(entry) for entry in self.in_order_of_trial()}
        return [entry for entry in self.entries if id(entry) not in tried]


@dataclass
class Story:
    """A function of the user's, then its continuations in the order in which they are called."""

    functions: List[Function]
    # Continuations that are called but were not seen: nothing is known of them.
    unreached: List[str]

    @property
    def root(self) -> Function:
        return self.functions[0]


def functions_of(session: Session, files: Dict[int, str]) -> List[Function]:
    """The functions in the order in which they were first compiled."""
    found: Dict[_Key, Function] = {}
    keys = _code_of_each(session.frames)
    for index, frame in enumerate(session.frames):
        function = found.setdefault(
            keys[index], Function(frame.name, frame.qualname, frame.file, frame.line)
        )
        if frame.outcome == "compiled" and frame.transformed is not None:
            file = files[index]
            number = entry_number(file, frame, len(function.entries))
            function.entries.append(Entry(frame, number, file))
        else:
            function.others.append(frame)
    return list(found.values())


_Place = Tuple[str, int, str]
# Torch's number of a code object, its place, and its text where there is no number.
_Key = Tuple[str, _Place, str]


def _code_of_each(frames: List[Frame]) -> List[_Key]:
    """What tells the code objects of the frames apart.

    A frame without a number, as old ones do not keep theirs, goes with one that has its place and
    its text. The place alone does not tell: both continuations of an `if` have the same.
    """
    numbers: Dict[Tuple[_Place, str], str] = {}
    for frame in frames:
        if _number(frame) and _text(frame):
            numbers.setdefault((_place(frame), _text(frame)), _number(frame))
    return [_key(frame, numbers) for frame in frames]


def _key(frame: Frame, numbers: Dict[Tuple[_Place, str], str]) -> _Key:
    place, text = _place(frame), _text(frame)
    number = _number(frame) or numbers.get((place, text), "")
    return number, place, "" if number else text


def _number(frame: Frame) -> str:
    return frame.compile_id.rpartition("/")[0]


def _place(frame: Frame) -> _Place:
    # No qualified name: torch does not tell it of frames that it gave up.
    return frame.file, frame.line, frame.name


def _text(frame: Frame) -> str:
    return frame.original.source if frame.original is not None else ""


def stories_of(functions: List[Function]) -> List[Story]:
    """One story per function of the user's; continuations nobody calls get one of their own."""
    by_name = {name: function for function in functions for name in function.called_as}
    stories = []
    told: List[Function] = []
    roots = [function for function in functions if not function.is_continuation]
    for function in roots + [one for one in functions if one.is_continuation]:
        if not function.entries or (function.is_continuation and function in told):
            continue
        members = list(_followed(function, by_name))
        told += members
        called = _unique(name for member in members for name in member.resumes)
        stories.append(Story(members, [name for name in called if name not in by_name]))
    return stories


def _followed(root: Function, by_name: Dict[str, Function]) -> Iterator[Function]:
    """Depth first, each once: a loop around a graph break leads back to where it came from."""
    waiting = [root]
    seen: List[int] = []
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.append(id(function))
        yield function
        nexts = [by_name.get(name) for name in function.resumes]
        waiting += [one for one in reversed(nexts) if one is not None]


def function_called(name: str, functions: List[Function]) -> Optional[Function]:
    return next((one for one in functions if name in one.called_as), None)


def _unique(names: Iterator[str]) -> List[str]:
    """Each once; they become names in a Python file."""
    return [one for one in dict.fromkeys(names) if one.isidentifier() and not iskeyword(one)]
