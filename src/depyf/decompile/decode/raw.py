"""Raw bytes of a code object -> its instructions, still with the version's own opcodes.

Prefixes are folded into arguments, inline caches skipped, and jump targets of every encoding
become byte offsets; the exception table of 3.11 and later is read here too.
"""

from __future__ import annotations

from itertools import chain
from typing import List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.locations import line_ranges
from depyf.decompile.decode.tables import (
    JUMP_ABSOLUTE,
    JUMP_BACKWARD,
    JUMP_FORWARD,
    OpcodeTable,
    table_for,
)
from depyf.errors import DecompilationError

# (start, end, target, depth, lasti): offsets in bytes, end exclusive.
ExceptionEntry = Tuple[int, int, int, int, bool]

_LARGEST_ARGUMENT = 0xFFFFFFFF


# One instruction with its EXTENDED_ARG prefixes: (offset, opcode, argument, target, line). The
# offset is where its first prefix stands (jumps may point there), the target the offset that a
# jump leads to, -1 for other instructions. A plain tuple, as there is one for every instruction.
RawInstr = Tuple[int, int, int, int, Optional[int]]


def malformed(code: Code, offset: int, why: str) -> DecompilationError:
    return DecompilationError(
        "Cannot read the bytecode", f"{code.qualname} at offset {offset}", why
    )


def read_instructions(code: Code) -> List[RawInstr]:
    """All instructions in order. An instruction without argument has the argument 0."""
    table = table_for(code.version)
    plain_widths, have_argument = table.plain_widths, table.have_argument
    bytecode = code.bytecode
    size = len(bytecode)
    if size % 2:
        raise malformed(code, size, "its length is odd")
    instructions: List[RawInstr] = []
    append = instructions.append
    jumps: List[RawInstr] = []
    start = 0
    for _begin, until, line in chain(line_ranges(code), ((0, size, None),)):
        if until > size:
            until = size
        while start < until:
            opcode = bytecode[start]
            width = plain_widths[opcode]
            if width:
                arg = bytecode[start + 1]
                if arg and opcode < have_argument:
                    arg = 0
                append((start, opcode, arg, -1, line))
                start += width
                continue
            opcode, arg, end = read_long(code, table, start)
            target = jump_target(table, opcode, arg, end)
            append((start, opcode, arg, target, line))
            if target != -1:
                jumps.append(instructions[-1])
            start = end
    if start != size:
        raise malformed(code, start, "it ends in the middle of an instruction")
    if jumps:
        _check_jumps(code, instructions, jumps)
    return instructions


def read_long(code: Code, table: OpcodeTable, start: int) -> Tuple[int, int, int]:
    """(opcode, argument, where it ends) of an instruction that is a jump or has prefixes."""
    bytecode = code.bytecode
    prefix, offset = 0, start
    while bytecode[offset] == table.extended_arg:
        prefix = (prefix | bytecode[offset + 1]) << 8
        if prefix > _LARGEST_ARGUMENT:
            raise malformed(code, offset, "an argument has more than 32 bits")
        offset += 2
        if offset == len(bytecode):
            raise malformed(code, start, "it ends in the middle of an instruction")
    opcode = bytecode[offset]
    arg = prefix | bytecode[offset + 1] if opcode >= table.have_argument else 0
    return opcode, arg, offset + table.widths[opcode]


def jump_target(table: OpcodeTable, opcode: int, arg: int, end: int) -> int:
    """Where an instruction leads whose argument is `arg` and behind which stands `end`; or -1."""
    kind, distance = table.jump_kinds[opcode], arg * table.jump_unit
    if kind == JUMP_FORWARD:
        return end + distance
    if kind == JUMP_BACKWARD:
        return end - distance
    return distance if kind == JUMP_ABSOLUTE else -1


def _check_jumps(code: Code, instructions: List[RawInstr], jumps: List[RawInstr]) -> None:
    offsets = {instruction[0] for instruction in instructions}
    for offset, opcode, _arg, target, _line in jumps:
        if target not in offsets:
            raise leads_nowhere(code, offset, opcode, target)


def leads_nowhere(code: Code, offset: int, opcode: int, target: int) -> DecompilationError:
    opname = table_for(code.version).opnames[opcode]
    return malformed(code, offset, f"{opname} leads to {target}, where no instruction starts")


def read_exception_table(code: Code) -> List[ExceptionEntry]:
    """The handlers of 3.11 and later, in the table's order; empty before."""
    entries: List[ExceptionEntry] = []
    size = len(code.bytecode)
    fields = _exception_varints(code)
    for index in range(0, len(fields), 4):
        first, length, handler, depth_and_lasti = fields[index : index + 4]
        start, end, target = first * 2, (first + length) * 2, handler * 2
        if end > size or target >= size:
            raise malformed(code, start, "the exception table leads past the end")
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
            raise malformed(code, 0, "the exception table holds a number of more than 32 bits")
    if unfinished or len(values) % 4:
        raise malformed(code, 0, "the exception table ends in the middle of an entry")
    return values
