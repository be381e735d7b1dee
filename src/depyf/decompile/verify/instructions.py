"""One live code object as parallel lists over its byte offsets: family, operand, successors.

NOPs, jumps and prefixes stay as positions that lead elsewhere; an instruction that packs two
(a superinstruction, RETURN_CONST) puts the second at the odd offset after the first, which no
real instruction uses. Branches of both senses get the same shape: `follow` is where control
goes when the condition holds, `target` where it goes when it does not.
"""

from __future__ import annotations

from types import CodeType
from typing import Dict, FrozenSet, List, Optional, Tuple

from . import opcode_kinds as kinds
from .opcode_kinds import CONST, END, FLAG_BITS, FLAGGED_NAME, NAME, PREFIX, RAW

SKIPPED = -1
MISSING = -2  # no instruction starts here
NOWHERE = -1

# (offset of the handler, stack depth * 2 + whether the raising offset is pushed)
Handler = Tuple[int, int]


class Instructions:
    """The lists, all indexed by byte offset."""

    __slots__ = (
        "cells_made", "code", "families", "follow", "handlers", "operands", "start", "target",
    )  # fmt: skip

    def __init__(self, code: CodeType) -> None:
        size = len(code.co_code) + 2
        self.code = code
        self.families: List[int] = [MISSING] * size
        self.operands: List[object] = [None] * size
        self.follow: List[int] = [NOWHERE] * size
        self.target: List[int] = [NOWHERE] * size
        self.handlers: Optional[List[Optional[Handler]]] = None
        self.start = 0
        self.cells_made: Tuple[FrozenSet[str], int] = (frozenset(), 0)

    def may_raise(self, offset: int) -> bool:
        raw = self.code.co_code
        if offset & 1:
            # Of the second halves only the truth test fused into a comparison can raise.
            return raw[offset - 1] == kinds.COMPARE_OPCODE
        while raw[offset] == kinds.EXTENDED_ARG:
            offset += 2
        return not kinds.QUIET[raw[offset]]

    def settle(self, offset: int) -> int:
        """The first real instruction at or after offset; a loop of jumps becomes one of its own."""
        families, follow = self.families, self.follow
        path: List[int] = []
        visited: Dict[int, int] = {}
        while families[offset] == SKIPPED and offset not in visited:
            visited[offset] = len(path)
            path.append(offset)
            offset = follow[offset]
        if families[offset] == SKIPPED:
            offset = min(path[visited[offset] :])
            families[offset] = kinds.SPIN_FAMILY
            follow[offset] = NOWHERE
        for passed in path:
            if passed != offset:
                follow[passed] = offset
        return offset

    def describe(self, offset: int) -> str:
        family, operand = self.families[offset], self.operands[offset]
        if family < 0:
            at_end = offset >= len(self.code.co_code)
            return "the end of the code" if at_end else f"no instruction at {offset}"
        name = kinds.FAMILY_NAMES[family]
        if family <= kinds.LAST_CONST_FAMILY:
            return f"{name} {_shown_constant(operand)}"
        if isinstance(operand, tuple):
            return " ".join([name, *map(str, operand)])
        return f"{name} {operand}" if operand or isinstance(operand, str) else name


def _shown_constant(value: object) -> str:
    if isinstance(value, CodeType):
        return f"<code {value.co_name}>"
    try:
        text = repr(value)
    except Exception as error:  # a constant of the user's own type may do anything
        text = f"<{type(value).__name__}, repr failed: {type(error).__name__}>"
    return text if len(text) <= 60 else text[:57] + "..."


def _variable_pools(code: CodeType) -> Tuple[Tuple[str, ...], Tuple[str, ...]]:
    """Names by operand of LOAD_FAST and its kin, and of LOAD_DEREF and its kin."""
    if len(set(code.co_varnames)) != len(code.co_varnames):
        # No compiler does this; by name alone the two slots would pass for one.
        raise IndexError("two locals share a name")
    if kinds.VERSION < (3, 11):
        return code.co_varnames, code.co_cellvars + code.co_freevars
    plain = code.co_varnames
    others = [name for name in code.co_cellvars if name not in plain]
    others.extend(code.co_freevars)
    # LOAD_FAST of a pure cell slot pushes the cell itself (3.13's LOAD_CLOSURE); a local of an
    # inlined comprehension may have the same name, so the two must not look alike.
    marked = ["cell " + name for name in others]
    cells = [mark if name in plain else name for name, mark in zip(others, marked)]
    return (*plain, *marked), (*plain, *cells)


def read_handlers(code: CodeType) -> Optional[List[Optional[Handler]]]:
    table: bytes = getattr(code, "co_exceptiontable", b"")
    if not table:
        return None
    handlers: List[Optional[Handler]] = [None] * (len(code.co_code) + 2)
    numbers = _varints(table)
    size = len(code.co_code)
    for i in range(0, len(numbers) - 3, 4):
        start, length, target, depth = numbers[i : i + 4]
        first, end = min(2 * start, size), min(2 * (start + length), size)
        handlers[first:end] = [(min(2 * target, size), depth)] * (end - first)
    return handlers


def _varints(table: bytes) -> List[int]:
    # Six bits a byte, most significant first; bit 6 says that more follow, bit 7 starts an entry.
    numbers: List[int] = []
    value = 0
    for byte in table:
        value = value << 6 | byte & 63
        if not byte & 64:
            numbers.append(value)
            value = 0
    return numbers


def _read_cell_prologue(instructions: Instructions, cells: Tuple[str, ...]) -> None:
    """Takes the leading run of MAKE_CELL and COPY_FREE_VARS, whose order is free, as one set."""
    raw = instructions.code.co_code
    made: List[str] = []
    copied = argument = offset = 0
    while offset < len(raw):
        opcode = raw[offset]
        argument = argument << 8 | raw[offset + 1]
        offset += 2
        if opcode == kinds.EXTENDED_ARG:
            continue
        if opcode not in kinds.CELL_PROLOGUE:
            break
        if opcode == kinds.MAKE_CELL:
            made.append(cells[argument])
        else:
            copied += argument
        argument = 0
        instructions.start = offset
    instructions.cells_made = (frozenset(made), copied)


def read(code: CodeType) -> Instructions:
    """The instructions of a code object; IndexError where its bytes make no sense."""
    instructions = Instructions(code)
    locals_, cells = _variable_pools(code)
    instructions.handlers = read_handlers(code)
    if kinds.CELL_PROLOGUE:
        _read_cell_prologue(instructions, cells)
    _fill(instructions, (code.co_names, locals_, cells, code.co_consts))
    return instructions


def _fill(instructions: Instructions, pools: Tuple[Tuple[object, ...], ...]) -> None:
    # One flat loop: this is where the checker spends its time.
    raw = instructions.code.co_code
    families, operands = instructions.families, instructions.operands
    follow, handlers = instructions.follow, instructions.handlers
    kind_of, family_of, size_of, mask_of = kinds.KIND, kinds.FAMILY, kinds.SIZE, kinds.MASK
    offset = first = prefix = 0
    end = len(raw)
    while offset < end:
        opcode = raw[offset]
        argument = raw[offset + 1] | prefix
        kind = kind_of[opcode]
        after = offset + size_of[opcode]
        if kind == PREFIX:
            prefix = argument << 8
            offset = after
            continue
        if prefix:
            prefix = 0
            if handlers is not None:
                handlers[first] = handlers[offset]
        families[first] = family_of[opcode]
        follow[first] = after
        if kind <= CONST:
            operands[first] = pools[kind][argument]
        elif kind == RAW:
            operands[first] = argument & mask_of[opcode]
        elif kind == FLAGGED_NAME:
            bits = FLAG_BITS[opcode]
            operands[first] = (pools[NAME][argument >> bits], argument & ((1 << bits) - 1))
        elif kind == END:
            operands[first] = argument & mask_of[opcode]
            follow[first] = NOWHERE
        else:
            _fill_irregular(instructions, pools, kind, (opcode, argument, offset, first, after))
        offset = first = after
    if offset != end:
        raise IndexError("the last instruction is cut off")


def _fill_irregular(
    instructions: Instructions,
    pools: Tuple[Tuple[object, ...], ...],
    kind: int,
    place: Tuple[int, int, int, int, int],
) -> None:
    opcode, argument, offset, first, after = place
    families, operands = instructions.families, instructions.operands
    follow, target = instructions.follow, instructions.target
    if kind == kinds.COMPARE:
        operands[first] = argument >> kinds.COMPARE_SHIFT
        if argument & kinds.COMPARE_TO_BOOL:
            _fill_second(instructions, offset, first, kinds.TO_BOOL_FAMILY, 0, after)
    elif kind == kinds.PAIR:
        one, two = kinds.PAIR_FAMILIES[opcode]
        names = pools[kinds.LOCAL]
        families[first] = one
        operands[first] = names[argument >> 4]
        _fill_second(instructions, offset, first, two, names[argument & 15], after)
    elif kind == kinds.RETURN_CONST:
        families[first] = kinds.LOAD_CONST_FAMILY
        operands[first] = pools[kinds.CONST][argument]
        _fill_second(instructions, offset, first, kinds.RETURN_FAMILY, 0, NOWHERE)
    elif kind == kinds.SMALL_INT:
        operands[first] = argument
    elif kind == kinds.SKIP:
        families[first] = SKIPPED
    else:
        destination = _destination(instructions, opcode, argument, after)
        if kind == kinds.JUMP:
            families[first] = SKIPPED
            follow[first] = destination
        elif kind == kinds.BRANCH and kinds.JUMPS_WHEN_TRUE[opcode]:
            follow[first], target[first] = destination, after
        else:
            target[first] = destination


def _destination(instructions: Instructions, opcode: int, argument: int, after: int) -> int:
    base = 0 if kinds.IS_ABSOLUTE[opcode] else after
    destination = base + argument * kinds.STRIDE[opcode]
    end = len(instructions.code.co_code)
    return destination if 0 <= destination <= end else end


def _fill_second(
    instructions: Instructions, offset: int, first: int, family: int, operand: object, after: int
) -> None:
    second = offset + 1
    instructions.follow[first] = second
    instructions.families[second] = family
    instructions.operands[second] = operand
    instructions.follow[second] = after
