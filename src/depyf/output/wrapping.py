"""Long calls over several lines, each argument whole."""

from __future__ import annotations

import ast
from typing import List, Optional

_JOINED = "and "


def wrapped_call(text: str, indent: str, width: int) -> List[str]:
    """The lines of an expression, perhaps after `and`; one that is no call stays one line."""
    joined = _JOINED if text.startswith(_JOINED) else ""
    arguments = _arguments(text[len(joined) :]) if len(indent + text) > width else None
    if arguments is None:
        return [indent + text]
    called, rest = arguments[0], arguments[1:]
    lines = [f"{indent}{joined}{called}("]
    line = indent + "   "
    for argument in rest:
        if len(line) + len(argument) + 2 > width and line.strip():
            lines.append(line)
            line = indent + "   "
        line += f" {argument},"
    return [*lines, line, f"{indent})"]


def _arguments(text: str) -> Optional[List[str]]:
    """What is called, then the text of each argument."""
    try:
        call = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call) or "\n" in text or not call.args + call.keywords:
        return None
    called = ast.get_source_segment(text, call.func)
    parts = [ast.get_source_segment(text, one) for one in call.args]
    for keyword in call.keywords:
        value = ast.get_source_segment(text, keyword.value)
        parts.append(f"{keyword.arg}={value}" if keyword.arg and value else None)
    found = [one for one in [called, *parts] if one is not None]
    return found if len(found) == 1 + len(parts) else None
