"""Raw bytes of a code object -> its instructions, still with the version's own opcodes.

Prefixes are folded into arguments, inline caches skipped, and jump targets of every encoding
become byte offsets; the exception table of 3.11 and later is read here too.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.locations import line_starts
from depyf.decompile.decode.tables import JUMP_BACKWARD, JUMP_FORWARD, OpcodeTable, table_for
from depyf.errors import DecompilationError

# (start, end, target, depth, lasti): offsets in bytes, end exclusive.
ExceptionEntry = Tuple[int, int, int, int, bool]

_LARGEST_ARGUMENT = 0xFFFFFFFF


# One instruction with its EXTENDED_ARG prefixes: (offset, opcode, argument, target, line). The
# offset is where its first prefix stands (jumps may point there), the target the offset that a
# jump leads to, -1 for other instructions. A plain tuple, as there is one for every instruction.
RawInstr = Tuple[int, int, int, int, Optional[int]]


def _malformed(code: Code, offset: int, why: str) -> DecompilationError:
    return DecompilationError(
        "Cannot read the bytecode", f"{code.qualname} at offset {offset}", why
    )


def read_instructions(code: Code) -> List[RawInstr]:
    """All instructions in order. An instruction without argument has the argument 0."""
    table = table_for(code.version)
    widths, jump_kinds = table.widths, table.jump_kinds
    have_argument, extended_arg = table.have_argument, table.extended_arg
    bytecode = code.bytecode
    size = len(bytecode)
    if size % 2:
        raise _malformed(code, size, "its length is odd")
    starts = line_starts(code)
    # A sentinel behind the end spares the loop a bounds check.
    starts.append((size, None))
    line: Optional[int] = None
    next_line_index, next_line_offset = 0, starts[0][0]
    instructions: List[RawInstr] = []
    append = instructions.append
    jumps: List[RawInstr] = []
    start = offset = prefix = 0
    while offset < size:
        opcode = bytecode[offset]
        if opcode == extended_arg:
            prefix = (prefix | bytecode[offset + 1]) << 8
            if prefix > _LARGEST_ARGUMENT:
                raise _malformed(code, offset, "an argument has more than 32 bits")
            offset += 2
            continue
        arg = prefix | bytecode[offset + 1] if opcode >= have_argument else 0
        while start >= next_line_offset:
            line = starts[next_line_index][1]
            next_line_index += 1
            next_line_offset = starts[next_line_index][0]
        offset += widths[opcode]
        if jump_kinds[opcode]:
            jump = (start, opcode, arg, _target(table, opcode, arg, offset), line)
            jumps.append(jump)
            append(jump)
        else:
            append((start, opcode, arg, -1, line))
        start = offset
        prefix = 0
    if start != size:
        raise _malformed(code, start, "it ends in the middle of an instruction")
    if jumps:
        _check_jumps(code, instructions, jumps)
    return instructions


def _target(table: OpcodeTable, opcode: int, arg: int, end: int) -> int:
    """Where a jump leads whose argument is `arg` and behind which stands the offset `end`."""
    kind, distance = table.jump_kinds[opcode], arg * table.jump_unit
    if kind == JUMP_FORWARD:
        return end + distance
    return end - distance if kind == JUMP_BACKWARD else distance


def _check_jumps(code: Code, instructions: List[RawInstr], jumps: List[RawInstr]) -> None:
    offsets = {instruction[0] for instruction in instructions}
    for offset, opcode, _arg, target, _line in jumps:
        if target not in offsets:
            opname = table_for(code.version).opnames[opcode]
            why = f"{opname} leads to {target}, where no instruction starts"
            raise _malformed(code, offset, why)


def read_exception_table(code: Code) -> List[ExceptionEntry]:
    """The handlers of 3.11 and later, in the table's order; empty before."""
    entries: List[ExceptionEntry] = []
    size = len(code.bytecode)
    fields = _exception_varints(code)
    for index in range(0, len(fields), 4):
        first, length, handler, depth_and_lasti = fields[index : index + 4]
        start, end, target = first * 2, (first + length) * 2, handler * 2
        if end > size or target >= size:
            raise _malformed(code, start, "the exception table leads past the end")
        entries.append((start, end, target, depth_and_lasti >> 1, bool(depth_and_lasti & 1)))
    return entries


def _exception_varints(code: Code) -> List[int]:
    """Six bits a byte, highest first; the seventh bit says that more follow."""
    values: List[int] = []
    value = 0
    unfinished = False
    for byte in code.exceptiontable:
        value = (value << 6) | (byte & 63)
        unfinished = byte & 64 != 0
        if not unfinished:
            values.append(value)
            value = 0
        elif value > _LARGEST_ARGUMENT:
            raise _malformed(code, 0, "the exception table holds a number of more than 32 bits")
    if unfinished or len(values) % 4:
        raise _malformed(code, 0, "the exception table ends in the middle of an entry")
    return values
