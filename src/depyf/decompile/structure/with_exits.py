"""The ways out of a `with`: calls of `__exit__`, and which of them belong to a `return`.

The end of the body has one call of its own, and so has every `return` in it. Where both go on
alike, only the number of the calls, and where they stand, tells the one from the others.
"""

from __future__ import annotations

from typing import Dict, Optional, Set

from depyf.decompile.decode.ops import Program, stack_effect
from depyf.decompile.flow.graph import BRANCH, Block, ends_with
from depyf.decompile.structure.copies import Cursor, Irregular, Match

_WITH = ("BEFORE_WITH", "BEFORE_ASYNC_WITH")
QUIETLY = frozenset(("RETURN", "POP_ITER", "SWAP", "ROT", "POP_TOP", "LOAD_CONST", "POP_EXCEPT"))


def returns_quietly(block: Block) -> bool:
    """Whether a block only returns, a constant or what lies on the stack."""
    return all(op.name in QUIETLY for op in block.ops)


def is_quiet_return(block: Block) -> bool:
    return ends_with(block, "RETURN") and returns_quietly(block)


def same_return(first: Block, second: Block) -> bool:
    shapes = [[(op.name, op.arg) for op in block.ops] for block in (first, second)]
    return first.kind == second.kind and shapes[0] == shapes[1]


def match_exit_call(block: Block) -> Match:
    """`exit(None, None, None)` at the start of `block`, or where a lonely jump there leads."""
    block = Cursor(block, 0).settled().block
    place = _behind_exit_call(block)
    if place is None:
        raise Irregular("a way out of `with` that does not call __exit__")
    return Match([Cursor(block, place)])


def _behind_exit_call(block: Block) -> Optional[int]:
    """The index behind `exit(None, None, None)` at the start of `block`."""
    ops = block.ops
    place = 0
    while place < len(ops) and ops[place].name in ("SWAP", "ROT"):
        place += 1
    nones = 0
    while place < len(ops) and nones < 3:
        op = ops[place]
        if (op.name == "LOAD_CONST" and op.arg is None) or (nones and op.name == "COPY"):
            nones += 1
            place += 1
        else:
            return None
    if place >= len(ops) or ops[place].name != "CALL":
        return None
    place += 1
    if place < len(ops) and ops[place].name == "AWAIT":
        place += 1
    if place >= len(ops) or ops[place].name != "POP_TOP":
        return None
    return place + 1


def find_suppressed(handler: Block, program: Program) -> Cursor:
    """Where a `with` goes on when __exit__ swallowed the exception: its values are all popped."""
    if handler.kind != BRANCH:
        raise Irregular("a `with` handler that does not ask __exit__")
    exit_slots = next((op.arg for op in program.ops if op.name in _WITH), None)
    if exit_slots is None:
        raise Irregular("a `with` handler and no `with`")
    around = handler.depth - program.handler_pushes.get(handler.index, 1) - exit_slots
    cursor = Cursor(handler.succs[0], 0)
    depth = cursor.block.depth
    while depth > around:
        cursor = cursor.settled()
        op = cursor.op()
        if op is None or op.name not in ("POP_TOP", "POP_EXCEPT"):
            raise Irregular("a `with` handler that does not end")
        depth -= stack_effect(op)[0]
        cursor = cursor.next()
    return cursor.settled()


def written_returns(
    behind: Dict[Block, Block], falls: Optional[Set[int]], warm: Set[Block], cold_too: bool
) -> Set[Block]:
    """The returns of a `with` body among what stands behind its calls of `__exit__`.

    `behind` tells that by the block a call starts in, `falls` where control falls into a call,
    if the bytecode says so. Otherwise it does in the last one, except that what only handlers
    lead to (not `warm`) may stand behind everything: those count where `cold_too` is set.
    """
    calls = [call for call, after in behind.items() if is_quiet_return(after)]
    if falls is not None:
        returns = [call for call in calls if call.index not in falls]
    else:
        ordinary = [call for call in calls if call in warm] or calls
        last = max(ordinary, key=lambda call: call.index, default=None)
        line = behind[last].ops[-1].line if last is not None else None
        returns = [
            call
            for call in calls
            if call is not last
            and (cold_too or call in warm)
            # Copies of the body's end go on in one line.
            and (line is None or behind[call].ops[-1].line != line)
        ]
    return {behind[call] for call in returns}


def reachable_without_handlers(entry: Block) -> Set[Block]:
    seen = {entry}
    work = [entry]
    while work:
        for succ in work.pop().succs:
            if succ not in seen:
                seen.add(succ)
                work.append(succ)
    return seen
