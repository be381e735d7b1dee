"""How ways out of regions end: in jumps, in returns that only unwind, in handlers that return."""

from __future__ import annotations

from typing import List, Optional, Set

from depyf.decompile.decode.ops import Op
from depyf.decompile.flow.graph import EXIT, JUMP, Block
from depyf.decompile.structure.chains import chain_start
from depyf.decompile.structure.with_exits import QUIETLY, is_quiet_return, returns_quietly

_UNWINDING = frozenset(("POP_EXCEPT", "POP_ITER", "SWAP", "ROT", "POP_TOP"))


def puts_value_below(ops: List[Op]) -> bool:
    return [op.name for op in ops] == ["SWAP", "POP_ITER"]


def behind_jumps(block: Block) -> Block:
    for _step in range(20):
        if block.ops or block.kind != JUMP:
            break
        block = block.succs[0]
    return block


def returns_a_value(block: Block) -> Optional[Op]:
    """The RETURN at the end of a way that only unwinds the stack below the value."""
    for _step in range(20):
        for op in block.ops:
            if op.name == "RETURN":
                return op
            if op.name not in _UNWINDING:
                return None
        if block.kind != JUMP:
            return None
        block = block.succs[0]
    return None


def join_return(block: Block) -> None:
    """POP_ITER | LOAD_CONST; RETURN: what was between the two was a copy.

    Where other paths lead to the second block as well, the first one is a `break`.
    """
    if not is_quiet_return(block) or len(block.preds) > 1 or block.ops[0].name != "LOAD_CONST":
        return
    for pred in list(block.preds):
        if pred.kind == JUMP and pred.ops and returns_quietly(pred):
            pred.ops.extend(block.ops)
            pred.kind = EXIT
            pred.set_succs([])


def _leads_to_return(block: Block, returned: Block) -> bool:
    """The end of a handler, or what unwinds the stack below a value that another block made."""
    if block.ops[-1].name == "POP_EXCEPT":
        return True
    has_value = returned.ops[0].name != "LOAD_CONST"
    unwinds = has_value and all(op.name in _UNWINDING for op in block.ops)
    # Where a chained comparison fails, what is thrown away is one of its operands.
    return unwinds and not any(map(chain_start, block.preds))


def return_from_handlers(block: Block, closed: Set[Block]) -> None:
    """POP_EXCEPT | POP_EXCEPT | LOAD_CONST; RETURN: the `return` stands in the handlers it ends.

    It cannot stand in blocks that are `closed`.
    """
    work = [block]
    while work:
        returned = work.pop()
        for pred in list(dict.fromkeys(returned.preds)):
            if pred.kind != JUMP or not pred.ops or pred in closed:
                continue
            if _leads_to_return(pred, returned):
                pred.ops.extend(returned.ops)
                pred.kind = EXIT
                pred.set_succs([])
                if all(op.name in QUIETLY for op in pred.ops):
                    work.append(pred)


def lines_of(handler: Block) -> List[int]:
    """The source lines of a handler."""
    seen = {handler}
    work = [handler]
    lines: List[int] = []
    while work:
        block = work.pop()
        lines.extend(
            op.line for op in block.ops if op.line is not None and op.name != "PUSH_EXC_INFO"
        )
        if block.ops and block.ops[-1].name == "POP_EXCEPT":
            continue
        for succ in block.succs:
            if succ not in seen:
                seen.add(succ)
                work.append(succ)
    return lines
