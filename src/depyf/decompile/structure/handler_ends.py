"""How handlers and what they protect end: which blocks stand behind them, which in them."""

from __future__ import annotations

from typing import Collection, Iterable, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op
from depyf.decompile.flow.graph import EXIT, JUMP, TRY, Block
from depyf.decompile.structure.regions import Part, Region
from depyf.decompile.structure.returns import falls_off_end
from depyf.decompile.structure.tree_nodes import Labels
from depyf.decompile.structure.with_exits import is_quiet_return, returns_quietly

# A tail of at most so many operations is written twice rather than given up.
SHORT_TAIL = 12


def ends_soon(block: Block) -> bool:
    """Whether a block ends the function and is short enough to be written twice."""
    return block.kind == EXIT and 0 < len(block.ops) <= SHORT_TAIL


def bare_return(near: Block) -> Block:
    ops = [Op.of("LOAD_CONST", None, -1, None), Op.of("RETURN", None, -1, None)]
    return Block(near.index, ops, EXIT, None)


def ends_handler_only(region: Region, block: Block, merges: List[Block]) -> bool:
    """A `return` that only handlers reach is written in each, if the body goes on elsewhere."""
    if block.kind != EXIT or len(block.ops) > SHORT_TAIL or region.kind != "except":
        return False
    if region.body_reaches(block) or not returns_quietly(block):
        return False
    only_handlers = all(region.handling in pred.context for pred in block.preds)
    left = {
        succ
        for inside in region.body_blocks
        for succ in inside.succs
        if region.protected not in succ.context
    }
    # Where some clauses go on with the body, no `else` tells it from what the others do.
    return any(
        succ not in merges or (only_handlers and region.handler_reaches(succ)) for succ in left
    )


def leads_to(region: Region, block: Block) -> bool:
    return region.body_reaches(block) or region.handler_reaches(block)


def without_ends_of_rounds(
    merges: List[Block], follow: Optional[Block], labels: Labels
) -> List[Block]:
    """`break` and `continue` are written in each handler that they end, not behind them."""
    ends = (labels.again, labels.out)
    return [
        each
        for each in merges
        if not (ends_handler(each) and _behind_handlers(each) in ends)
        or _behind_handlers(each) is follow
    ]


def ends_round(block: Block, labels: Labels) -> bool:
    """Whether a block ends a handler, and with it the round of the loop."""
    return ends_handler(block) and _behind_handlers(block) is labels.again


def ends_handler(block: Block) -> bool:
    """Whether a block ends the handling of an exception and does nothing else."""
    if block.kind != JUMP or not block.ops:
        return False
    names = [op.name for op in block.ops]
    return set(names) == {"POP_EXCEPT"} or (names in _SWALLOWED and _in_finally(block))


# How a `finally` body that leaves throws away what was raised, on 3.11 and before.
_SWALLOWED = (["POP_TOP", "POP_EXCEPT"], ["POP_TOP", "POP_TOP", "POP_TOP", "POP_EXCEPT"])


def _in_finally(block: Block) -> bool:
    part = block.context[-1] if block.context else None
    return isinstance(part, Part) and part.is_handler and part.region.kind == "finally"


def _behind_handlers(block: Block) -> Block:
    """Where control goes on when all handlers that end here have ended."""
    while ends_handler(block):
        block = block.succs[0]
    return block


def goes_elsewhere(region: Region, local: Optional[Block], labels: Labels) -> Optional[Block]:
    """What stands behind a `try` statement, if that is not `local`."""
    if local is labels.again and _breaks_often(region, labels):
        return labels.out
    return _behind_clauses(region, local, labels)


def _breaks_often(region: Region, labels: Labels) -> bool:
    """Whether more ways out of a `try` statement break the loop than start it again."""
    if labels.out is None or region.kind not in ("except", "star"):
        return False
    counts = {labels.again: 0, labels.out: 0}
    for label in counts:
        for pred in label.preds if label is not None else ():
            if region.protected in pred.context:
                counts[label] += 1
            elif region.handling in pred.context:
                counts[label] += len(pred.preds) if _ends_clauses(pred) else 1
    return counts[labels.out] > counts[labels.again] + 1


def _ends_clauses(block: Block) -> bool:
    """Whether several clauses end here, and not several arms in one of them."""
    tests = block.idom.ops[-1:] if block.idom is not None else []
    return ends_handler(block) and [op.name for op in tests] == ["EXC_MATCH"]


def broken_to(
    region: Region, candidates: List[Optional[Block]], labels: Labels, may_return: bool
) -> Optional[Block]:
    """Where a `finally` body goes on that swallows the exception, if no known loop is left so."""
    if region.kind != "finally":
        return None
    for each in candidates:
        if each is None or each in (labels.again, labels.out):
            continue
        if region.handler_reaches(each) and not (may_return and is_quiet_return(each)):
            return each
    return None


def may_meet(block: Block) -> bool:
    """Whether several ways meet in a block, or it leaves a region; most do neither."""
    parent = block.idom
    assert parent is not None
    return len(block.preds) > 1 or parent.context != block.context or parent.kind == TRY


def meets_under(block: Block, copied: Collection[Block]) -> Optional[Block]:
    """The block behind whose statement several ways meet in this one, if they do."""
    parent = block.idom
    assert parent is not None
    outside = left_region(parent, block)
    if outside is not None:
        return outside.entry
    is_met = sum(pred.order < block.order for pred in block.preds) > 1 and block not in copied
    return parent if is_met else None


def left_region(inner: Block, block: Block) -> Optional[Region]:
    """The outermost region that `inner` lies in and `block` does not."""
    for place, part in enumerate(inner.context):
        if place >= len(block.context) or block.context[place] is not part:
            assert isinstance(part, Part)
            return part.region
    if inner.kind == TRY and inner.succs[0] is block and inner.context == block.context:
        # What stands behind a `try` whose body does nothing.
        assert isinstance(inner.region, Region)
        return inner.region
    return None


def in_handler(block: Block, depth: int) -> bool:
    return any(isinstance(part, Part) and part.is_handler for part in block.context[depth:])


def in_star_handler(context: Iterable[object]) -> bool:
    """Where no `return` may stand."""
    return any(
        isinstance(part, Part) and part.is_handler and part.region.kind == "star"
        for part in context
    )


def _behind_clauses(region: Region, local: Optional[Block], labels: Labels) -> Optional[Block]:
    """Where all clauses of `except*` go on, if that is not `local`: no jump may stand in them."""
    if region.kind != "star":
        return None
    if local is not None and leads_to(region, local):
        # What is protected may jump to the labels.
        if region.handler_reaches(local) or local not in (labels.again, labels.out):
            return None
    left = _ways_out_of_clauses(region)
    return left.pop() if len(left) == 1 else None


def _ways_out_of_clauses(region: Region) -> Set[Block]:
    inside = _inside_clauses(region)
    return {succ for block in inside for succ in block.succs if region.handling not in succ.context}


def else_clause(
    region: Region,
    merges: List[Block],
    pending: List[Block],
    follow: Optional[Block],
    version: Tuple[int, int],
) -> Optional[Block]:
    """The block that runs only when nothing was raised, when it must be told apart."""
    if region.kind not in ("except", "star"):
        return None
    only_body = [each for each in reversed(merges) if not region.handler_reaches(each)]
    if not only_body:
        return None
    behind = pending[-1] if pending else follow
    if len(only_body) < len(merges) or (behind is not None and region.handler_reaches(behind)):
        return only_body[0]
    # Before 3.10 no clause has an implicit return of its own.
    if behind is None and version >= (3, 10) and _falls_off_end(region):
        return only_body[0]
    # No jump may stand in `except*`: where its clauses go on is behind the statement.
    return only_body[0] if region.kind == "star" and _ways_out_of_clauses(region) else None


def _inside_clauses(region: Region) -> List[Block]:
    inside = {region.handler: None}
    work = [region.handler]
    while work:
        for succ in work.pop().succs:
            if region.handling in succ.context and succ not in inside:
                inside[succ] = None
                work.append(succ)
    return list(inside)


def _falls_off_end(region: Region) -> bool:
    """Whether a clause returns because the function ends there: by no statement of its own."""
    if _ways_out_of_clauses(region):
        return False
    return any(map(falls_off_end, _inside_clauses(region)))
