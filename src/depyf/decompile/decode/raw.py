"""Raw bytes of a code object -> its instructions, still with the version's own opcodes.

Prefixes are folded into arguments, inline caches skipped, and jump targets of every encoding
become byte offsets; the exception table of 3.11 and later is read here too.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.locations import line_starts
from depyf.decompile.decode.tables import JUMP_BACKWARD, JUMP_FORWARD, table_for
from depyf.errors import DecompilationError

# (start, end, target, depth, lasti): offsets in bytes, end exclusive.
ExceptionEntry = Tuple[int, int, int, int, bool]

_LARGEST_ARGUMENT = 0xFFFFFFFF


class RawInstr:
    """One instruction with its EXTENDED_ARG prefixes and inline caches.

    `offset` is where its first prefix stands (jumps may point there), `end` where the next
    instruction stands, `target` the offset a jump leads to, -1 for other instructions.
    """

    __slots__ = ("offset", "opcode", "opname", "arg", "target", "line", "end")

    def __init__(
        self,
        offset: int,
        opcode: int,
        opname: str,
        arg: int,
        target: int,
        line: Optional[int],
        end: int,
    ) -> None:
        self.offset = offset
        self.opcode = opcode
        self.opname = opname
        self.arg = arg
        self.target = target
        self.line = line
        self.end = end

    def __repr__(self) -> str:
        target = f" to {self.target}" if self.target >= 0 else ""
        return f"<{self.offset} {self.opname} {self.arg}{target}, line {self.line}>"


def _malformed(code: Code, offset: int, why: str) -> DecompilationError:
    return DecompilationError(
        "Cannot read the bytecode", f"{code.qualname} at offset {offset}", why
    )


def read_instructions(code: Code) -> List[RawInstr]:
    """All instructions in order. An instruction without argument has the argument 0."""
    table = table_for(code.version)
    opnames, caches, jump_kinds = table.opnames, table.caches, table.jump_kinds
    have_argument, extended_arg, jump_unit = (
        table.have_argument,
        table.extended_arg,
        table.jump_unit,
    )
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
        arg = prefix | bytecode[offset + 1]
        if opcode == extended_arg:
            if arg > _LARGEST_ARGUMENT >> 8:
                raise _malformed(code, offset, "an argument has more than 32 bits")
            prefix = arg << 8
            offset += 2
            continue
        if opcode < have_argument:
            arg = 0
        end = offset + 2 + 2 * caches[opcode]
        while start >= next_line_offset:
            line = starts[next_line_index][1]
            next_line_index += 1
            next_line_offset = starts[next_line_index][0]
        instruction = RawInstr(start, opcode, opnames[opcode], arg, -1, line, end)
        kind = jump_kinds[opcode]
        if kind:
            if kind == JUMP_FORWARD:
                instruction.target = end + arg * jump_unit
            elif kind == JUMP_BACKWARD:
                instruction.target = end - arg * jump_unit
            else:
                instruction.target = arg * jump_unit
            jumps.append(instruction)
        append(instruction)
        start = offset = end
        prefix = 0
    if start != size:
        raise _malformed(code, start, "it ends in the middle of an instruction")
    if jumps:
        _check_jumps(code, instructions, jumps)
    return instructions


def _check_jumps(code: Code, instructions: List[RawInstr], jumps: List[RawInstr]) -> None:
    offsets = {instruction.offset for instruction in instructions}
    for jump in jumps:
        if jump.target not in offsets:
            raise _malformed(
                code,
                jump.offset,
                f"{jump.opname} leads to {jump.target}, where no instruction starts",
            )


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
