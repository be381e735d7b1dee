"""Which locals may still be read after each instruction.

A variable that nothing reads any more need not agree with anything: forgetting it keeps states
small and lets loops meet. The analysis errs towards alive.
"""

from __future__ import annotations

from typing import Dict, List

from .instructions import SKIPPED, Instructions
from .opcode_kinds import FAMILY_NAMES, VERSION

# The slot of a variable may come to hold its cell, then the instructions on cells read it.
_READS = frozenset(
    "LOAD_FAST LOAD_FAST_AND_CLEAR DELETE_FAST MAKE_CELL LOAD_CLOSURE LOAD_DEREF STORE_DEREF "
    "DELETE_DEREF LOAD_CLASSDEREF LOAD_FROM_DICT_OR_DEREF".split()
)
_WRITES = frozenset({"STORE_FAST", "LOAD_FAST_AND_CLEAR", "DELETE_FAST", "STORE_FAST_MAYBE_NULL"})
_BEGINS_BLOCK = frozenset({"SETUP_FINALLY", "SETUP_WITH", "SETUP_ASYNC_WITH"})


class Liveness:
    """`alive_at[offset]` has a bit for every variable that may be read from there on."""

    __slots__ = ("alive_at", "bits")

    def __init__(self, instructions: Instructions) -> None:
        cells = set(instructions.cells_made[0])
        names = [name for name in instructions.code.co_varnames if name not in cells]
        self.bits: Dict[str, int] = {name: 1 << i for i, name in enumerate(names)}
        self.alive_at = _solve(instructions, self.bits)

    def dead(self, offset: int) -> List[str]:
        alive = self.alive_at[offset] if offset >= 0 else 0
        return [name for name, bit in self.bits.items() if not alive & bit]


def _solve(instructions: Instructions, bits: Dict[str, int]) -> List[int]:
    families = instructions.families
    ways = [_successors(instructions, offset) for offset in range(len(families))]
    _add_jumps_of_old(instructions, ways)
    gains, losses = [0] * len(families), [0] * len(families)
    for offset, family in enumerate(families):
        bit = bits.get(str(instructions.operands[offset]), 0)
        if family >= 0 and bit:
            gains[offset] = bit if FAMILY_NAMES[family] in _READS else 0
            losses[offset] = bit if FAMILY_NAMES[family] in _WRITES else 0
    alive = [0] * len(families)
    changed = True
    while changed:
        changed = False
        for offset in range(len(families) - 1, -1, -1):
            after = 0
            for way in ways[offset]:
                after |= alive[way]
            new = after & ~losses[offset] | gains[offset]
            if new != alive[offset]:
                alive[offset] = new
                changed = True
    return alive


def _successors(instructions: Instructions, offset: int) -> List[int]:
    family = instructions.families[offset]
    if family < 0 and family != SKIPPED:
        return []
    found = [instructions.follow[offset], instructions.target[offset]]
    handlers = instructions.handlers
    handler = handlers[offset] if handlers is not None else None
    if handler is not None:
        found.append(handler[0])
    return [way for way in found if way >= 0]


def _add_jumps_of_old(instructions: Instructions, ways: List[List[int]]) -> None:
    """Before 3.11 handlers and the ends of `finally` are found at run time: assume all of them."""
    if VERSION >= (3, 11):
        return
    named = [FAMILY_NAMES[f] if f >= 0 else "" for f in instructions.families]
    handlers = [instructions.target[i] for i, name in enumerate(named) if name in _BEGINS_BLOCK]
    returns = [instructions.follow[i] for i, name in enumerate(named) if name == "CALL_FINALLY"]
    for offset, name in enumerate(named):
        if name:
            ways[offset] += handlers
        if name == "END_FINALLY":
            ways[offset] += returns
