"""What the checker needs to know about each opcode of the running interpreter, as tables.

The tables are computed once from the host's own `dis` lists, indexed by opcode: the *kind* says
how the operand is read, the *family* says which opcodes count as the same instruction.
"""

from __future__ import annotations

import dis
import sys
from typing import Dict, FrozenSet, Iterable, List, Tuple

VERSION: Tuple[int, int] = (sys.version_info[0], sys.version_info[1])

# How an operand is read. The first four index a pool of the code object (names, locals, cells,
# constants), so one expression serves them all.
NAME, LOCAL, CELL, CONST = 0, 1, 2, 3
RAW = 4
END = 5  # control never goes on to the next instruction
SKIP = 6
JUMP = 7
BRANCH = 8  # pops a condition; both senses become one instruction with two successors
FORK = 9  # two successors whose sense matters
PREFIX = 10
FLAGGED_NAME = 11  # name with flag bits below it
COMPARE = 12
PAIR = 13  # two instructions on locals packed into one
RETURN_CONST = 14
SMALL_INT = 15

# Opcodes that differ only by what the compiler's flow analysis knew, or by how a constant is kept.
_SAME_INSTRUCTION: Dict[str, str] = {
    "LOAD_FAST_CHECK": "LOAD_FAST",
    "LOAD_FAST_BORROW": "LOAD_FAST",
    "LOAD_CONST_IMMORTAL": "LOAD_CONST",
    "LOAD_CONST_MORTAL": "LOAD_CONST",
    "LOAD_SMALL_INT": "LOAD_CONST",
}
_PAIRS: Dict[str, Tuple[str, str]] = {
    "LOAD_FAST_LOAD_FAST": ("LOAD_FAST", "LOAD_FAST"),
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": ("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_LOAD_FAST": ("STORE_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": ("STORE_FAST", "STORE_FAST"),
}
_KIND_BY_NAME: Dict[str, int] = {
    "NOP": SKIP, "NOT_TAKEN": SKIP, "EXTENDED_ARG": PREFIX,
    "JUMP_FORWARD": JUMP, "JUMP_ABSOLUTE": JUMP, "JUMP_BACKWARD": JUMP,
    "JUMP_BACKWARD_NO_INTERRUPT": JUMP,
    "RETURN_VALUE": END, "RAISE_VARARGS": END, "RERAISE": END, "INTERPRETER_EXIT": END,
    "COMPARE_OP": COMPARE, "RETURN_CONST": RETURN_CONST, "LOAD_SMALL_INT": SMALL_INT,
    # In 3.14 the operand of END_ASYNC_FOR points back for monitoring only; nothing jumps there.
    "END_ASYNC_FOR": RAW,
}  # fmt: skip
_FLAG_BITS: Dict[str, int] = {
    "LOAD_GLOBAL": 1 if VERSION >= (3, 11) else 0,
    "LOAD_ATTR": 1 if VERSION >= (3, 12) else 0,
    "LOAD_SUPER_ATTR": 2,
}
# The low two bits of RESUME say after what (start, yield, yield from, await); the rest is derived.
_MASK_BY_NAME: Dict[str, int] = {"RESUME": 3, "END_ASYNC_FOR": 0}

# Instructions that cannot raise, so that their exception handler has no meaning. Stores and pops
# may run a `__del__`, but what that raises is printed, not propagated. Left out although they
# look harmless: RESUME and YIELD_VALUE (a signal handler or `throw` raises there), everything
# that builds an object, everything that calls.
_QUIET_NAMES = (
    "LOAD_CONST LOAD_CONST_IMMORTAL LOAD_CONST_MORTAL LOAD_SMALL_INT RETURN_CONST "
    "LOAD_FAST_BORROW LOAD_FAST_AND_CLEAR LOAD_FAST_LOAD_FAST LOAD_FAST_BORROW_LOAD_FAST_BORROW "
    "STORE_FAST STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST STORE_FAST_MAYBE_NULL "
    "POP_TOP COPY SWAP PUSH_NULL RETURN_VALUE IS_OP KW_NAMES PRECALL LOAD_CLOSURE "
    "POP_EXCEPT PUSH_EXC_INFO END_FOR END_SEND POP_ITER LOAD_COMMON_CONSTANT LOAD_ASSERTION_ERROR "
    "POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE "
    "POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE"
).split()
if VERSION >= (3, 12):
    _QUIET_NAMES.append("LOAD_FAST")  # an unbound local is LOAD_FAST_CHECK's business since 3.12
if VERSION >= (3, 13):
    # TO_BOOL comes before these since 3.13: they meet nothing but True and False.
    _QUIET_NAMES += ["POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE", "UNARY_NOT"]


def _family_name(name: str) -> str:
    if name.startswith("POP_JUMP_"):
        return "POP_JUMP_IF_NONE" if name.endswith("NONE") else "POP_JUMP_IF_TRUE"
    return _SAME_INSTRUCTION.get(name, name)


def _kind(opcode: int, name: str) -> int:
    if name in _KIND_BY_NAME:
        return _KIND_BY_NAME[name]
    if name in _PAIRS:
        return PAIR
    if name.startswith("POP_JUMP_"):
        return BRANCH
    if opcode in dis.hasjrel or opcode in dis.hasjabs:
        return FORK
    if opcode in dis.hasname:
        return FLAGGED_NAME if _FLAG_BITS.get(name) else NAME
    pools = ((LOCAL, dis.haslocal), (CELL, dis.hasfree), (CONST, dis.hasconst))
    for kind, opcodes in pools:
        if opcode in opcodes:
            return kind
    return RAW


def _number_families(names: Iterable[str]) -> List[str]:
    # Constants come first: the walk tells them by one comparison with LAST_CONST_FAMILY.
    families = ["LOAD_CONST", "KW_NAMES", "LOAD_FAST", "STORE_FAST", "RETURN_VALUE", "TO_BOOL"]
    return families + sorted({_family_name(name) for name in names} - set(families))


def _cache_units(opcode: int, name: str) -> int:
    table = getattr(dis, "_inline_cache_entries", None)
    if table is None:
        return 0
    # A list by opcode in 3.11 and 3.12, a dict by name since 3.13.
    return int(table.get(name, 0) if isinstance(table, dict) else table[opcode])


def _takes_argument(opcode: int) -> bool:
    has_argument = getattr(dis, "hasarg", None)
    return opcode in has_argument if has_argument else opcode >= dis.HAVE_ARGUMENT


_NAMES: List[str] = list(dis.opname[:256])
FAMILY_NAMES: List[str] = [*_number_families(_NAMES), "a loop of jumps alone"]
_FAMILY_NUMBER: Dict[str, int] = {name: i for i, name in enumerate(FAMILY_NAMES)}
LAST_CONST_FAMILY = 1
LOAD_CONST_FAMILY = _FAMILY_NUMBER["LOAD_CONST"]
RETURN_FAMILY = _FAMILY_NUMBER["RETURN_VALUE"]
TO_BOOL_FAMILY = _FAMILY_NUMBER["TO_BOOL"]
SPIN_FAMILY = len(FAMILY_NAMES) - 1


def families_named(names: str) -> FrozenSet[int]:
    """The numbers of those that this Python has."""
    return frozenset(_FAMILY_NUMBER[name] for name in names.split() if name in _FAMILY_NUMBER)


NAMED_STORE_FAMILIES = families_named("STORE_NAME STORE_GLOBAL STORE_DEREF")
MAKE_FUNCTION_FAMILY = _FAMILY_NUMBER["MAKE_FUNCTION"]

KIND: List[int] = [_kind(i, name) for i, name in enumerate(_NAMES)]
FAMILY: List[int] = [_FAMILY_NUMBER[_family_name(name)] for name in _NAMES]
SIZE: List[int] = [2 + 2 * _cache_units(i, name) for i, name in enumerate(_NAMES)]
MASK: List[int] = [
    _MASK_BY_NAME.get(name, -1) if _takes_argument(i) else 0 for i, name in enumerate(_NAMES)
]
FLAG_BITS: List[int] = [_FLAG_BITS.get(name, 0) for name in _NAMES]
JUMPS_WHEN_TRUE: List[bool] = [
    name.endswith(("_IF_TRUE", "_IF_NONE")) for name in _NAMES
]  # fmt: skip
QUIET: List[bool] = [name in _QUIET_NAMES for name in _NAMES]
PAIR_FAMILIES: Dict[int, Tuple[int, int]] = {
    i: (_FAMILY_NUMBER[_PAIRS[name][0]], _FAMILY_NUMBER[_PAIRS[name][1]])
    for i, name in enumerate(_NAMES)
    if name in _PAIRS
}

# A jump's destination is base + arg * STRIDE; base is 0 for absolute jumps.
_UNIT = 2 if VERSION >= (3, 10) else 1
STRIDE: List[int] = [-_UNIT if "BACKWARD" in name else _UNIT for name in _NAMES]
IS_ABSOLUTE: List[bool] = [i in dis.hasjabs for i in range(256)]

# COMPARE_OP keeps a mask for the specialiser under the operator since 3.12, and since 3.13 a bit
# that asks for the result's truth, which is the same as a TO_BOOL that follows.
COMPARE_SHIFT = 5 if VERSION >= (3, 13) else 4 if VERSION >= (3, 12) else 0
COMPARE_TO_BOOL = 16 if VERSION >= (3, 13) else 0
COMPARE_OPCODE = dis.opmap["COMPARE_OP"]
EXTENDED_ARG = dis.EXTENDED_ARG
CELL_PROLOGUE = tuple(
    dis.opmap[name] for name in ("COPY_FREE_VARS", "MAKE_CELL") if name in dis.opmap
)
MAKE_CELL = dis.opmap.get("MAKE_CELL", -1)
