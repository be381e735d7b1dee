"""Which locals may still be read after each instruction.

A variable that nothing reads any more need not agree with anything: forgetting it keeps states
small and lets loops meet. The analysis errs towards alive.
"""

from __future__ import annotations

from typing import Dict, List

from .instructions import SKIPPED, Instructions
from .opcode_kinds import FAMILY_NAMES, VERSION, families_named

# The slot of a variable may come to hold its cell, then the instructions on cells read it.
_READS = families_named(
    "LOAD_FAST LOAD_FAST_AND_CLEAR DELETE_FAST MAKE_CELL LOAD_CLOSURE LOAD_DEREF STORE_DEREF "
    "DELETE_DEREF LOAD_CLASSDEREF LOAD_FROM_DICT_OR_DEREF"
)
_WRITES = families_named("STORE_FAST LOAD_FAST_AND_CLEAR DELETE_FAST STORE_FAST_MAYBE_NULL")
_TOUCHES = _READS | _WRITES
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
    operands = instructions.operands
    ways = _successors(instructions)
    _add_jumps_of_old(instructions, ways)
    # Backwards, because what is alive comes from behind. Other offsets lead nowhere.
    steps, goes_back = [], False
    for offset in sorted(ways, reverse=True):
        goes_back = goes_back or min(ways[offset], default=offset + 1) <= offset
        family, gained, lost = instructions.families[offset], 0, 0
        if family in _TOUCHES:
            bit = bits.get(str(operands[offset]), 0)
            gained = bit if family in _READS else 0
            lost = bit if family in _WRITES else 0
        steps.append((offset, ways[offset], ~lost, gained))
    alive = [0] * len(operands)
    changed = True
    while changed:
        # Where no way leads back, once over is enough.
        changed = False
        for offset, leads_to, kept, gained in steps:
            after = 0
            for way in leads_to:
                after |= alive[way]
            after = after & kept | gained
            if after != alive[offset]:
                alive[offset] = after
                changed = goes_back
    return alive


def _successors(instructions: Instructions) -> Dict[int, List[int]]:
    """Of every offset where an instruction starts, those where control may go from it."""
    follow, target, handlers = instructions.follow, instructions.target, instructions.handlers
    ways: Dict[int, List[int]] = {}
    for offset, family in enumerate(instructions.families):
        if family >= 0 or family == SKIPPED:
            found = ways[offset] = [follow[offset]] if follow[offset] >= 0 else []
            if target[offset] >= 0:
                found.append(target[offset])
            handler = handlers[offset] if handlers is not None else None
            if handler is not None and handler[0] >= 0:
                found.append(handler[0])
    return ways


def _add_jumps_of_old(instructions: Instructions, ways: Dict[int, List[int]]) -> None:
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
