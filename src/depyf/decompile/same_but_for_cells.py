"""Are two compilations of one source the same but for variables that became cells?

Both come from the same compiler and the same statements, so they must agree instruction by
instruction; where a variable was added to the cells, its accesses are named differently.
"""

from __future__ import annotations

import dis
import types
from typing import AbstractSet, Iterator, Tuple

_PROLOGUE = ("MAKE_CELL", "COPY_FREE_VARS", "EXTENDED_ARG", "CACHE", "NOP")
# How a local is accessed that is in no cell, and how it is when it is in one.
_DEREF = {
    "LOAD_FAST": "LOAD_DEREF",
    "LOAD_FAST_CHECK": "LOAD_DEREF",
    "LOAD_FAST_BORROW": "LOAD_DEREF",
    "STORE_FAST": "STORE_DEREF",
    "DELETE_FAST": "DELETE_DEREF",
}
Step = Tuple[str, object]


def difference(plain: types.CodeType, made: types.CodeType, added: AbstractSet[str]) -> str | None:
    """What else differs than the access to the variables `added`, or None."""
    ones, others = list(_steps(plain, added)), list(_steps(made, added))
    for (name, operand), (other_name, other_operand) in zip(ones, others):
        if name != other_name or not _same(operand, other_operand):
            return f"{name} {operand!r} became {other_name} {other_operand!r}"
    return None if len(ones) == len(others) else "the number of instructions changed"


def _same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and one == other)


def _steps(code: types.CodeType, added: AbstractSet[str]) -> Iterator[Step]:
    """Instructions by name; jumps name the number of the instruction they lead to."""
    found = list(dis.get_instructions(code))
    numbers = {}
    count = 0
    for instruction in found:
        numbers[instruction.offset] = count
        count += sum(1 for _ in _parts(instruction, added))
    jumps = {*dis.hasjrel, *dis.hasjabs}
    for instruction in found:
        for name, operand in _parts(instruction, added):
            is_jump = instruction.opcode in jumps
            yield name, numbers.get(instruction.argval) if is_jump else operand


def _parts(instruction: dis.Instruction, added: AbstractSet[str]) -> Iterator[Step]:
    """One step, or two where the compiler fused accesses of two locals."""
    name, operand = instruction.opname, instruction.argval
    if name in _PROLOGUE:
        return
    if isinstance(operand, tuple) and name.count("_FAST") == 2:
        middle = name.index("_FAST") + len("_FAST")
        if name.startswith("LOAD_FAST_BORROW"):
            middle = len("LOAD_FAST_BORROW")
        for part, variable in zip((name[:middle], name[middle + 1 :]), operand):
            yield _access(part, variable, added)
    else:
        yield _access(name, operand, added)


def _access(name: str, operand: object, added: AbstractSet[str]) -> Step:
    if name == "LOAD_CLASSDEREF":
        return name, operand
    if operand in added and isinstance(operand, str):
        return _DEREF.get(name, name), operand
    return name.replace("_BORROW", ""), operand
