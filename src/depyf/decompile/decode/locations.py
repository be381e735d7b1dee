"""Source lines and columns of a code object, from the three table formats Python has used.

3.8 and 3.9 have co_lnotab, 3.10 has the first co_linetable (PEP 626), 3.11 and later the
location table with columns (PEP 657).
"""

from __future__ import annotations

import re
import sys
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.errors import DecompilationError

LineStarts = List[Tuple[int, Optional[int]]]
# (start, end, line): offsets in bytes, end exclusive; None for no line.
LineRange = Tuple[int, int, Optional[int]]
Position = Tuple[Optional[int], Optional[int], Optional[int], Optional[int]]

# Kinds of entries in the location table of 3.11 and later; kinds below ONE_LINE are short
# forms: one line, the same as before, and columns in one byte.
_ONE_LINE, _NO_COLUMNS, _LONG, _NO_LOCATION = 10, 13, 14, 15
_ENTRY = re.compile(rb"[\x80-\xff][\x00-\x7f]*")
_NOWHERE: Position = (None, None, None, None)


def _truncated(code: Code) -> DecompilationError:
    return DecompilationError(
        "Cannot read the line numbers",
        code.qualname,
        "the line table ends in the middle of an entry",
    )


def line_ranges(code: Code) -> Iterable[LineRange]:
    """The lines in order; what stands before a range has its line, too."""
    # The running Python reads its own tables several times faster than we can.
    if sys.version_info >= (3, 10) and code.live is not None:
        return code.live.co_lines()
    starts = _READERS.get(code.version, _location_lines)(code)
    ends = [*[start for start, _line in starts[1:]], len(code.bytecode)]
    return [(start, end, line) for (start, line), end in zip(starts, ends)]


def _lnotab_lines(code: Code) -> LineStarts:
    table, line, offset = code.linetable, code.firstlineno, 0
    if len(table) % 2:
        raise _truncated(code)
    starts: LineStarts = [(0, line)]
    for byte_step, line_step in zip(table[::2], table[1::2]):
        offset += byte_step
        if line_step:
            line += line_step - 256 if line_step >= 128 else line_step
            if starts[-1][0] == offset:
                starts.pop()
            starts.append((offset, line))
    return starts


def _linetable_lines(code: Code) -> LineStarts:
    table, line, offset = code.linetable, code.firstlineno, 0
    if len(table) % 2:
        raise _truncated(code)
    starts: LineStarts = []
    for byte_step, line_step in zip(table[::2], table[1::2]):
        if line_step != 128:
            line += line_step - 256 if line_step > 128 else line_step
        # Steps of more than 254 lines are made of entries that cover no bytes.
        if byte_step:
            starts.append((offset, None if line_step == 128 else line))
            offset += byte_step
    return starts


def _location_lines(code: Code) -> LineStarts:
    """Only the lines of a location table: columns are skipped, not read."""
    line, offset, last = code.firstlineno, 0, -1
    starts: LineStarts = []
    for entry in _entries(code):
        head = entry[0]
        kind = (head >> 3) & 15
        if kind < _ONE_LINE:
            step = 0
        elif kind < _NO_COLUMNS:
            step = kind - _ONE_LINE
        elif kind != _NO_LOCATION:
            step = _signed(_first_varint(code, entry))
        else:
            starts.append((offset, None))
            last = -1
            offset += ((head & 7) + 1) * 2
            continue
        line += step
        if line != last:
            starts.append((offset, line))
            last = line
        offset += ((head & 7) + 1) * 2
    return starts


def _entries(code: Code) -> List[bytes]:
    """The entries of a location table: only the first byte of one has its highest bit set."""
    if code.linetable and code.linetable[0] < 128:
        raise DecompilationError(
            "Cannot read the line numbers", code.qualname, "the line table starts inside an entry"
        )
    return _ENTRY.findall(code.linetable)


def _first_varint(code: Code, entry: bytes) -> int:
    numbers = _varints(entry)
    if not numbers:
        raise _truncated(code)
    return numbers[0]


def _varints(entry: bytes) -> List[int]:
    """The numbers of an entry: six bits a byte, lowest first; the seventh says that more follow."""
    numbers, value, shift = [], 0, 0
    for byte in entry[1:]:
        value |= (byte & 63) << shift
        shift += 6
        if byte < 64:
            numbers.append(value)
            value = shift = 0
    return numbers


def _signed(value: int) -> int:
    return -(value >> 1) if value & 1 else value >> 1


_READERS: Dict[Tuple[int, int], Callable[[Code], LineStarts]] = {
    (3, 8): _lnotab_lines,
    (3, 9): _lnotab_lines,
    (3, 10): _linetable_lines,
}


def positions(code: Code) -> Iterator[Position]:
    """What `read_positions` reads, as far as somebody asks for it."""
    if sys.version_info >= (3, 11) and code.live is not None:
        return iter(code.live.co_positions())
    return iter(read_positions(code))


def read_positions(code: Code) -> List[Position]:
    """(line, end line, column, end column) of each code unit; empty before 3.11."""
    positions: List[Position] = []
    if code.version < (3, 11):
        return positions
    if sys.version_info >= (3, 11) and code.live is not None:
        return list(code.live.co_positions())
    line = code.firstlineno
    for entry in _entries(code):
        kind = (entry[0] >> 3) & 15
        if kind == _NO_LOCATION:
            position = _NOWHERE
        else:
            line, position = _position(code, kind, line, entry)
        positions.extend([position] * ((entry[0] & 7) + 1))
    return positions


def _position(code: Code, kind: int, line: int, entry: bytes) -> Tuple[int, Position]:
    if kind >= _NO_COLUMNS:
        numbers = _varints(entry)
        if len(numbers) < (4 if kind == _LONG else 1):
            raise _truncated(code)
        line += _signed(numbers[0])
        if kind == _NO_COLUMNS:
            return line, (line, line, None, None)
        columns = [number - 1 if number else None for number in numbers[2:4]]
        return line, (line, line + numbers[1], columns[0], columns[1])
    if len(entry) < (3 if kind >= _ONE_LINE else 2):
        raise _truncated(code)
    if kind >= _ONE_LINE:
        line += kind - _ONE_LINE
        return line, (line, line, entry[1], entry[2])
    column = (kind << 3) | (entry[1] >> 4)
    return line, (line, line, column, column + (entry[1] & 15))
