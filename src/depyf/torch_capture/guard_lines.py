"""Torch's line about a guard, taken apart: the condition, and the line of the user's behind it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Iterator, NamedTuple, Optional, Tuple

from depyf.session.model import Location

# L['n'] == 3      # return x * n  # app/model.py:12 in forward (HINT: ...)
_WITH_LINE = re.compile(
    r"  # (?P<text>.*?)\s+# (?P<file>[^#]+?):(?P<line>\d+) in (?P<function>[^#(]+)"
    r"(?P<remark> \(.*\))?\s*$",
    re.DOTALL,
)
# ids == None  # _dynamo/output_graph.py:1135 in init_ambient_guards
_INSIDE_TORCH = re.compile(r"  # (?:\S+:\d+ in \S+|<unknown>)\s*$", re.DOTALL)
_COMMENT = "  # "


class _Cause(NamedTuple):
    file: str
    line: int
    function: str
    text: str


def take_apart(verbose: str, file: str) -> Tuple[str, Optional[Location]]:
    """The condition, and its cause where that is a line outside torch's own machinery.

    Torch keeps the last parts of a path; `file` is the one they belong to if it ends with them.
    """
    for start in _comments(verbose):
        cause = _cause(verbose[start:], file)
        if cause is not None:
            return verbose[:start].rstrip(), Location(*cause)
    inside = (start for start in _comments(verbose) if _INSIDE_TORCH.match(verbose, start))
    return verbose[: next(inside, len(verbose))].rstrip(), None


def _is_end_of(path: str, end: str) -> bool:
    """Of a file that shares nothing but / with torch's own, torch leaves out one letter more."""
    return path.endswith("/" + end) or (path.startswith("/") and path[2:] == end)


def _comments(verbose: str) -> Iterator[int]:
    """Where one may begin; what is quoted from the user's code may look like one."""
    start = verbose.find(_COMMENT)
    while start >= 0:
        yield start
        start = verbose.find(_COMMENT, start + 1)


@lru_cache(maxsize=1024)
def _cause(comment: str, file: str) -> Optional[_Cause]:
    """Most guards of an entry come from a few lines."""
    match = _WITH_LINE.match(comment)
    if match is None:
        return None
    end, function, text = (match[name].strip() for name in ("file", "function", "text"))
    whole = file if _is_end_of(file.replace("\\", "/"), end) else end
    return _Cause(whole, int(match["line"]), function, text)
