"""The bytes of a code object -> operations, by what rows and rules say its opcodes mean.

What is one operation and stands alone becomes one where it is read: that is most of any program.
Jumps, prefixes and rules take the longer way.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from depyf.decompile.decode.by_argument import BY_ARGUMENT, ByArgument
from depyf.decompile.decode.code import Code, Version
from depyf.decompile.decode.irregular import IRREGULAR, Reader, Rule
from depyf.decompile.decode.locations import line_ranges
from depyf.decompile.decode.ops import EFFECTS, Op
from depyf.decompile.decode.raw import (
    jump_target,
    leads_nowhere,
    malformed,
    read_instructions,
    read_long,
)
from depyf.decompile.decode.rows import (
    CELL,
    CONST,
    DROPPED,
    LOCAL,
    NAME,
    RAW,
    ROWS,
    ROWS_BEFORE,
    WAYS,
    Row,
)
from depyf.decompile.decode.tables import OpcodeTable
from depyf.errors import DecompilationError

# What to do with an opcode: nothing, its row, what its argument tells, or its rule.
Meaning = Union[None, Row, ByArgument, Rule]
# A row, and how many bytes the instruction takes.
PlainRow = Tuple[str, int, Any, int]


class Meanings:
    """What the opcodes of one version mean, by their numbers.

    `plain` and `told` have the rows again and what arguments tell, of instructions that are no
    jumps; there is none for the others.
    """

    __slots__ = ("all", "plain", "told")

    def __init__(self, table: OpcodeTable) -> None:
        self.all: List[Meaning] = [_meaning(name, table) for name in table.opnames]
        self.plain: List[Optional[PlainRow]] = [
            (*meaning, width) if type(meaning) is tuple and width else None
            for meaning, width in zip(self.all, table.plain_widths)
        ]
        self.told: List[Optional[ByArgument]] = [
            meaning if type(meaning) is ByArgument and width else None
            for meaning, width in zip(self.all, table.plain_widths)
        ]


_MEANINGS: Dict[Version, Meanings] = {}


def meanings_of(table: OpcodeTable) -> Meanings:
    known = _MEANINGS.get(table.version)
    if known is None:
        known = _MEANINGS[table.version] = Meanings(table)
    return known


def _meaning(opname: str, table: OpcodeTable) -> Meaning:
    if opname in DROPPED:
        return None
    if opname in ROWS_BEFORE:
        until, row = ROWS_BEFORE[opname]
        if table.version < until:
            return row
    if opname in BY_ARGUMENT:
        return ByArgument(BY_ARGUMENT[opname], table)
    return ROWS.get(opname) or IRREGULAR.get(opname) or _unknown(opname)


def _unknown(opname: str) -> Rule:
    def rule(reader: Reader, arg: int) -> bool:
        where = f"{reader.code.qualname} at offset {reader.offset}"
        raise DecompilationError("Unknown opcode", where, opname)

    return rule


# What an argument that is used as it is is an index of.
_ANY_NUMBER = range(1 << 32)


def _operands(reader: Reader) -> List[Optional[Sequence[Any]]]:
    """By the way an argument is read: what it is an index of, None where a row has it."""
    operands: List[Optional[Sequence[Any]]] = [None] * WAYS
    operands[RAW] = _ANY_NUMBER
    operands[NAME], operands[CONST] = reader.code.names, reader.code.consts
    operands[LOCAL], operands[CELL] = reader.local_names, reader.cell_names
    return operands


def translate(reader: Reader) -> None:
    """Fill `reader.ops`."""
    code, table, append = reader.code, reader.table, reader.ops.append
    meanings, operands = meanings_of(table), _operands(reader)
    plain, told, others = meanings.plain, meanings.told, meanings.all
    widths, have_argument = table.plain_widths, table.have_argument
    bytecode = code.bytecode
    size, start, has_jumps = len(bytecode), 0, False
    if size % 2:
        raise malformed(code, size, "its length is odd")
    for _begin, until, line in chain(line_ranges(code), ((0, size, None),)):
        if until > size:
            until = size
        while start < until:
            opcode = bytecode[start]
            row = plain[opcode]
            if row is not None:
                name, how, arg, width = row
                values = operands[how]
                op = Op()
                op.name, op.offset, op.line = name, start, line
                op.arg = arg if values is None else values[bytecode[start + 1]]
                op.target = op.handler = -1
                append(op)
                start += width
                continue
            by_argument, width = told[opcode], widths[opcode]
            if by_argument is not None:
                op = Op()
                op.name, op.arg = by_argument[bytecode[start + 1]]
                op.offset, op.line = start, line
                op.target = op.handler = -1
                append(op)
                start += width
            elif not width:
                has_jumps = True
                start = _translate_long(reader, operands, start, line)
            elif others[opcode] is None:
                start += width
            else:
                rule: Any = others[opcode]
                reader.offset, reader.line, start = start, line, start + width
                reader.end = start
                if rule(reader, bytecode[start - width + 1] if opcode >= have_argument else 0):
                    start = _behind_next(reader)
    if start != size:
        raise malformed(code, start, "it ends in the middle of an instruction")
    if not reader.ops:
        raise DecompilationError("Cannot read the bytecode", code.qualname, "there is none")
    if reader.keywords:
        _name_keywords(reader)
    if has_jumps:
        _resolve_jumps(reader)
    if code.version >= (3, 13) and (code.cellvars or code.freevars):
        _find_closures(code, reader.ops)


def _translate_long(
    reader: Reader, operands: List[Optional[Sequence[Any]]], start: int, line: Optional[int]
) -> int:
    """Translate a jump, or an instruction with prefixes; returns where the next one starts."""
    table = reader.table
    opcode, arg, end = read_long(reader.code, table, start)
    meaning = meanings_of(table).all[opcode]
    if meaning is None:
        return end
    reader.offset, reader.line, reader.end = start, line, end
    reader.target = jump_target(table, opcode, arg, end)
    if reader.target < -1:
        raise leads_nowhere(reader.code, start, opcode, reader.target)
    if type(meaning) is tuple:
        name, how, fixed = meaning
        values = operands[how]
        reader.add(name, fixed if values is None else values[arg])
    elif type(meaning) is ByArgument:
        reader.add(*meaning[arg])
    else:
        rule: Any = meaning
        if rule(reader, arg):
            end = _behind_next(reader)
    reader.target = -1
    return end


def _behind_next(reader: Reader) -> int:
    """Where the next instruction ends that means anything: a rule has done with it."""
    code, table, end = reader.code, reader.table, reader.end
    meanings = meanings_of(table).all
    while end < len(code.bytecode):
        opcode, _arg, end = read_long(code, table, end)
        if meanings[opcode] is not None:
            break
    return end


def _name_keywords(reader: Reader) -> None:
    """The names of keyword arguments, an instruction of their own, become part of their call."""
    ops = reader.ops
    for place in reversed(reader.keywords):
        names = ops.pop(place)
        while place < len(ops) and ops[place].name != "CALL":
            place += 1
        if place < len(ops):
            call = ops[place]
            call.arg = (*call.arg[:2], names.arg)


def _resolve_jumps(reader: Reader) -> None:
    """Offsets that jumps lead to become indexes."""
    ops = reader.ops
    offsets = [op.offset for op in ops]
    offsets.append(-1)
    is_checked = False
    for op in ops:
        target = op.target
        if target >= 0:
            # The first operation there or behind: some instructions have become none.
            op.target = bisect_left(offsets, target, 0, len(ops))
            if offsets[op.target] != target and not is_checked:
                # It may lead to one of those, or nowhere.
                read_instructions(reader.code)
                is_checked = True
            if op.target >= len(ops):
                raise DecompilationError(
                    "Cannot read the bytecode",
                    reader.code.qualname,
                    "a jump leads behind the last instruction",
                )


def _find_closures(code: Code, ops: List[Op]) -> None:
    """From 3.13 on cells for a closure are loaded like other variables."""
    cells = frozenset(code.cellvars + code.freevars)
    for op in ops:
        if op.name == "LOAD_FAST" and op.arg in cells:
            op.name = "LOAD_CLOSURE"


assert all(row[0] in EFFECTS for row in ROWS.values())
