"""The text in which torch tells of a graph break, taken apart into its fields.

Torch words it for a terminal; the parts are found by their labels, which have been the same since
2.6. Older versions know only the place and a reason.
"""

from __future__ import annotations

import json
import re
from typing import List, Optional

from .model import GraphBreak, Location, Recompilation

_PLACE = re.compile(r"Graph break in user code at (?P<file>.*):(?P<line>\d+)$", re.M)
_REASON = re.compile(
    r"^(?:Graph Break )?Reason: (?P<reason>.*?)(?=^  Explanation:|^User code t|\Z)", re.M | re.S
)
_EXPLANATION = re.compile(
    r"^  Explanation: (.*?)(?=^  Hint:|^  Developer debug context:|\n\n For more|^User code t|\Z)",
    re.M | re.S,
)
_HINT = re.compile(r"^  Hint: (.*?)(?=^  Hint:|\n\n|^  Developer debug context:|\Z)", re.M | re.S)
_DETAILS = re.compile(r"^  Developer debug context: (.*?)(?=\n\n|\Z)", re.M | re.S)
_URL = re.compile(r"please visit: (\S+)")
# Why it cannot go on behind the break: where it is in a loop, for example.
_ANOTHER = re.compile(r"^\*\*\* While handling this graph break, .*\n\n(.*)", re.M)
_EARLIER = "This graph break may have been caused by an earlier graph break."
_USER_STACK = re.compile(r"^User code traceback:\n(.*?)(?=^\S|\Z)", re.M | re.S)
_ENTRY = re.compile(
    r'^  File "(?P<file>.*)", line (?P<line>\d+), in (?P<function>.*)\n(?P<text>    .*)?', re.M
)
# k == 'a'  # if k == "a":  # app/model.py:3 in forward
_SHORT_PATH = re.compile(r"# (?P<file>[^#]+):(?P<line>\d+) in [^#]+$")

# As torch 2.13 words it, and as older ones do.
_LIMIT = re.compile(r"recompile limit exceeded|(recompile|cache_size)_limit reached")

_WHICH_LIMIT = re.compile(r"exceeding the (\w+) .*?\(currently set to (\d+)\)")


def parse_break(compile_id: str, text: str) -> GraphBreak:
    return GraphBreak(
        compile_id,
        reason=_reason(text),
        explanation=_first(_EXPLANATION, text),
        hints=_hints(text),
        location=_location(text),
        details=_first(_DETAILS, text),
        url=_first(_URL, text),
    )


def parse_failure(compile_id: str, text: str, location: Optional[Location]) -> GraphBreak:
    """The same fields from the reason of a failed compilation, whose first line is the reason."""
    found = parse_break(compile_id, "Reason: " + text)
    found.location = location
    return found


def is_recompile_limit(reason: str) -> bool:
    """Whether torch refused to compile once more. Nothing breaks there: plain Python runs."""
    return _LIMIT.search(reason) is not None


def with_limit(refusal: GraphBreak) -> str:
    """The reason with the setting that is behind it, if torch names it."""
    found = _WHICH_LIMIT.search(refusal.explanation)
    return f"{refusal.reason}, {found[1]} is {found[2]}" if found else refusal.reason


def with_aftermath(failure: GraphBreak, text: str) -> str:
    """The reason of a break, and why there is no continuation behind it, if torch says so."""
    reasons = [failure.reason, *(found.strip() for found in _ANOTHER.findall(text))]
    return "; ".join(reason for reason in dict.fromkeys(reasons) if reason)


def _hints(text: str) -> List[str]:
    """A break that torch gives up on more than once has its hints as often."""
    another = _ANOTHER.search(text)
    end = another.start() if another else len(text)
    found = [(" ".join(hint[1].split()), hint.start()) for hint in _HINT.finditer(text)]
    # The earlier break, of which the second of two speaks, is the first of them.
    told = [hint for hint, place in found if place < end or not hint.startswith(_EARLIER)]
    return list(dict.fromkeys(told))


def _reason(text: str) -> str:
    """The last paragraph of it: what precedes says only which instruction was being traced."""
    found = _REASON.search(text)
    if not found:
        return text.strip().partition("\n")[0]
    return found["reason"].strip().split("\n\n")[-1].strip()


def _location(text: str) -> Optional[Location]:
    stack = parse_user_stack(text)
    place = _PLACE.search(text)
    if place is None:
        return stack[-1] if stack else None
    found = Location(place["file"], int(place["line"]))
    for entry in stack:
        if (entry.file, entry.line) == (found.file, found.line):
            found = entry
    return found


def parse_user_stack(text: str) -> List[Location]:
    block = _USER_STACK.search(text)
    if block is None:
        return []
    return [_in_stack(entry) for entry in _ENTRY.finditer(block[1])]


def _in_stack(entry: re.Match[str]) -> Location:
    text = (entry["text"] or "").strip()
    return Location(entry["file"], int(entry["line"]), entry["function"], text)


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1].strip() if found else ""


def parse_recompilation(compile_id: str, function: str, text: str) -> Recompilation:
    """Torch gives one reason as it is, and several as a JSON list."""
    try:
        reasons = json.loads(text)
    except ValueError:
        reasons = [text]
    if not isinstance(reasons, list):
        reasons = [reasons]
    failures = [_with_whole_path(str(reason)) for reason in reasons]
    return Recompilation(compile_id, function, failures=failures)


def _with_whole_path(reason: str) -> str:
    """Torch cuts the path of the user's line short, and in newer versions adds the whole stack."""
    said, _, stack = reason.partition("\nUser stack trace:\n")
    short = _SHORT_PATH.search(said)
    for entry in map(_in_stack, _ENTRY.finditer(stack)):
        if short and entry.line == int(short["line"]) and entry.file.endswith(short["file"]):
            return said[: short.start("file")] + entry.file + said[short.end("file") :]
    return said
