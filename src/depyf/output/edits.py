"""Changes at places that a syntax tree names."""

from __future__ import annotations

from typing import Iterable, Tuple

# (line, first column, last column, what to write there); lines count from 1
Edit = Tuple[int, int, int, str]


def edited(text: str, edits: Iterable[Edit]) -> str:
    lines = text.split("\n")
    for line, start, end, written in sorted(edits, reverse=True):
        # Columns of a syntax tree count bytes.
        raw: bytes = lines[line - 1].encode()
        lines[line - 1] = b"".join([raw[:start], written.encode(), raw[end:]]).decode()
    return "\n".join(lines)
