"""Colours for source on a terminal, from the tokens alone.

Text is only ever copied from the source between two positions, so a colour may be missing or odd
but no character is lost or changed.
"""

from __future__ import annotations

import io
import keyword
import os
import tokenize
from typing import IO, Iterator

RESET = "\x1b[0m"
KEYWORD = "\x1b[35m"
STRING = "\x1b[32m"
NUMBER = "\x1b[36m"
COMMENT = "\x1b[90m"
DEFINED = "\x1b[1;34m"

COLOR_OF = {tokenize.STRING: STRING, tokenize.NUMBER: NUMBER, tokenize.COMMENT: COMMENT}
# From 3.12 and 3.14 on, f-strings and t-strings are several tokens.
for _name in ("FSTRING", "TSTRING"):
    for _part in ("START", "MIDDLE", "END"):
        _kind = getattr(tokenize, f"{_name}_{_part}", None)
        if _kind is not None:
            COLOR_OF[_kind] = STRING


def wants_color(choice: str, stream: IO[str]) -> bool:
    """Whether to colour: on request, or by itself on a terminal that has not declined."""
    if choice != "auto":
        return choice == "always"
    declined = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not declined


def highlight(source: str) -> str:
    """The source with colours; what cannot be read as tokens stays plain."""
    starts = _line_starts(source)
    pieces: list[str] = []
    done = 0
    for color, (row, column), (end_row, end_column) in _colored(source):
        start, end = starts[row - 1] + column, starts[end_row - 1] + end_column
        if done <= start < end:
            pieces += (source[done:start], color, source[start:end], RESET)
            done = end
    return "".join((*pieces, source[done:]))


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    starts.append(starts[-1])
    return starts


def _colored(source: str) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    previous = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            color = COLOR_OF.get(token.type)
            if token.type == tokenize.NAME:
                color = _color_of_name(token.string, previous)
            if color is not None:
                yield color, token.start, token.end
            previous = token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _color_of_name(name: str, previous: str) -> str | None:
    if keyword.iskeyword(name):
        return KEYWORD
    return DEFINED if previous in ("def", "class") else None
