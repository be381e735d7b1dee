"""Long calls over several lines, each argument whole."""

from __future__ import annotations

import re
from typing import List, Optional

_JOINED = "and "
# A name that is called, up to the parenthesis.
_CALLED = re.compile(r"[\w.]+(?=\()")
# Strings as Python's repr writes them, brackets, and the commas between arguments.
_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[(\[{]|[)\]}]|,")


def wrapped_call(text: str, indent: str, width: int) -> List[str]:
    """The lines of an expression, perhaps after `and`; one that is no call stays one line."""
    joined = _JOINED if text.startswith(_JOINED) else ""
    expression = text[len(joined) :]
    called = _CALLED.match(expression)
    arguments = _arguments(expression, called.end()) if called else None
    if len(indent + text) <= width or called is None or not arguments:
        return [indent + text]
    lines = [f"{indent}{joined}{called.group()}("]
    line = indent + "   "
    for argument in arguments:
        if len(line) + len(argument) + 2 > width and line.strip():
            lines.append(line)
            line = indent + "   "
        line += f" {argument},"
    return [*lines, line, f"{indent})"]


def _arguments(text: str, opening: int) -> Optional[List[str]]:
    """The text of each argument of the call whose parenthesis stands at `opening`."""
    found: List[str] = []
    depth, start = 0, opening + 1
    for token in _TOKEN.finditer(text, opening):
        mark = token.group()
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
        if (mark == "," and depth == 1) or (depth == 0 and mark in ")]}"):
            found.append(text[start : token.start()].strip())
            start = token.end()
        if depth == 0:
            # Something behind the call, an operator say: then it is not a call as a whole.
            return found if token.end() == len(text) and all(found) else None
    return None
