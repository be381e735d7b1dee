"""Torch's line about a guard, taken apart: the condition, and the line of the user's behind it."""

from __future__ import annotations

import re
from typing import Optional, Tuple

from depyf.session.model import Location

# L['n'] == 3      # return x * n  # app/model.py:12 in forward (HINT: ...)
_WITH_LINE = re.compile(
    r"(?P<code>.*?)\s{2,}# (?P<text>.*?)\s+# (?P<file>[^#]+?):(?P<line>\d+) in (?P<function>[^#(]+)"
    r"(?P<remark> \(.*\))?\s*$",
    re.DOTALL,
)
# ids == None  # _dynamo/output_graph.py:1135 in init_ambient_guards
_INSIDE_TORCH = re.compile(r"(?P<code>.*?)\s{2,}# (?:\S+:\d+ in \S+|<unknown>)\s*$", re.DOTALL)


def take_apart(verbose: str, file: str) -> Tuple[str, Optional[Location]]:
    """The condition, and its cause where that is a line outside torch's own machinery.

    Torch keeps two parts of a path; `file` is the one they belong to if it ends with them.
    """
    match = _WITH_LINE.match(verbose)
    if match is None:
        inside = _INSIDE_TORCH.match(verbose)
        return (inside["code"] if inside else verbose).rstrip(), None
    short = match["file"].strip()
    whole = file if file.replace("\\", "/").endswith("/" + short) else short
    place = Location(whole, int(match["line"]), match["function"].strip(), match["text"].strip())
    return match["code"].rstrip(), place
