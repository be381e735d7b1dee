"""Tells a `continue` in a handler, with more of the round behind the statement, from `else`.

Both lead from the end of the handler to the next round. But a `continue` has a line of its own,
and before 3.10 the handler goes on behind it, out of reach.
"""

from __future__ import annotations

from typing import Iterable, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op, Program
from depyf.decompile.flow.graph import JUMP, Block
from depyf.decompile.structure.regions import Region

# What has the line of the statement before it, or of the `continue` that it is a part of.
_ENDS = frozenset(("POP_EXCEPT", "RERAISE", "JUMP", "RETURN"))
_UNIT = 2
# What a handler starts with: the exception is thrown away, or bound to a name.
_HEAD = frozenset(("POP_TOP", "STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))


def mark_continues(blocks: Iterable[Block], program: Program) -> None:
    """Look at all ends of handlers before those that go on alike become one."""
    ends = [
        block
        for block in blocks
        if block.kind == JUMP and block.ops and block.ops[-1].name == "POP_EXCEPT"
    ]
    rounds = [block for block in ends if block.succs[0].index <= block.index]
    if rounds:
        lines = _lines_of_statements(program.ops)
        for block in rounds:
            block.continues = _is_continue(block, lines, program)


def _lines_of_statements(ops: List[Op]) -> Set[Optional[int]]:
    """All lines but those that nothing but a `continue` stands in."""
    left_out: Set[int] = set()
    for place, op in enumerate(ops):
        if op.name in _ENDS:
            left_out.add(place)
            if op.name == "RETURN" and place and ops[place - 1].name == "LOAD_CONST":
                left_out.add(place - 1)
        elif op.name.startswith("DELETE_") and _unbinds(ops[place - 2 : place + 1]):
            left_out.update(range(place - 2, place + 1))
    return {op.line for place, op in enumerate(ops) if place not in left_out}


def _unbinds(ops: List[Op]) -> bool:
    """Whether the name of a clause is unbound: LOAD_CONST None; STORE e; DELETE e."""
    if len(ops) < 3:
        return False
    load, store, delete = ops
    if load.name != "LOAD_CONST" or load.arg is not None or store.arg != delete.arg:
        return False
    return store.name == "STORE_" + delete.name[len("DELETE_") :]


def together(ends: List[Block]) -> Optional[bool]:
    """What holds for several ends that become one."""
    found = {end.continues for end in ends}
    return False if False in found else True if True in found else None


def _is_continue(block: Block, lines: Set[Optional[int]], program: Program) -> Optional[bool]:
    *before, end = block.ops
    if end.line in lines:
        return False
    if before and all(op.name in _HEAD and op.line == before[0].line for op in before):
        # Nothing but `pass` or `continue`.
        return _goes_on_out_of_reach(block, program)
    return end.line is not None


def _goes_on_out_of_reach(block: Block, program: Program) -> Optional[bool]:
    if program.code.version >= (3, 10):
        return None
    place = block.index + len(block.ops)
    jump, *behind = program.ops[place : place + 2]
    # What cannot be reached has left a gap.
    return jump.name == "JUMP" and any(op.offset > jump.offset + _UNIT for op in behind)


def continues(
    region: Region, again: Optional[Block], rest: Block, version: Tuple[int, int]
) -> bool:
    """Whether all clauses that lead to the next round do so by `continue`, and `rest` follows."""
    if region.kind != "except" or again is None:
        return False
    ends = [pred for pred in again.preds if region.handling in pred.context]
    found = together(ends) if ends else False
    if found is None:
        # Only 3.11 puts an `else` before the handlers, and only that.
        return version != (3, 11) or rest.index > region.handler.index
    return found


def must_continue(block: Block, version: Tuple[int, int]) -> bool:
    """Whether a `continue` is written even where the round ends anyway.

    3.8 unbinds the name of a clause by a `finally` body, which jumps and ends do not share.
    """
    return version < (3, 9) and bool(block.continues)
