"""The table of lines of a code object, written anew with other lines, from 3.11 on.

Each entry is a byte with the kind and the length, then the difference to the line before; columns
are left out. The format is described in CPython's `Objects/locations.md`.
"""

from __future__ import annotations

import itertools
import sys
import types
from typing import Iterator, List, Mapping, Optional, Tuple

_LONGEST = 8  # code units that one entry covers
_NO_COLUMNS, _NO_LOCATION = 13, 15


def with_mapped_lines(
    code: types.CodeType, path: str, first: int, lines: Mapping[int, int]
) -> Optional[types.CodeType]:
    """The code as if it stood in `path`, its lines replaced; None where one has no new line."""
    if sys.version_info < (3, 11):
        return None
    old = [line for line, _, _, _ in code.co_positions()]
    if any(line is not None and line not in lines for line in old):
        return None
    new = [None if line is None else lines[line] for line in old]
    made = code.replace(
        co_filename=path, co_firstlineno=first, co_linetable=bytes(_encoded(new, first))
    )
    return made if [line for line, _, _, _ in made.co_positions()] == new else None


def _encoded(lines: List[Optional[int]], first: int) -> Iterator[int]:
    last = first
    for line, length in _runs(lines):
        if line is None:
            yield 0x80 | _NO_LOCATION << 3 | length - 1
            continue
        yield 0x80 | _NO_COLUMNS << 3 | length - 1
        yield from _signed(line - last)
        last = line


def _runs(lines: List[Optional[int]]) -> Iterator[Tuple[Optional[int], int]]:
    for line, group in itertools.groupby(lines):
        left = len(list(group))
        while left:
            yield line, min(left, _LONGEST)
            left -= min(left, _LONGEST)


def _signed(value: int) -> Iterator[int]:
    left = (-value << 1) | 1 if value < 0 else value << 1
    while left >= 0x40:
        yield 0x40 | left & 0x3F
        left >>= 6
    yield left
