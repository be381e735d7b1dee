"""What a test decides: which arm stands first, whether it asserts, which cases belong together."""

from __future__ import annotations

from typing import Collection, Dict, List, Optional, Tuple

from depyf.decompile.expr.cases import CONDITIONS
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, Block
from depyf.decompile.structure.dominators import Loop
from depyf.decompile.structure.tree_nodes import Labels


def choose_arms(
    block: Block,
    follow: Optional[Block],
    labels: Labels,
    nest: bool,
    copied: Collection[Block],
) -> Tuple[Block, Block, bool]:
    """(what stands under `if`, what stands under `else`, whether the test is negated)."""
    if_true, if_false = block.succs
    if if_true is if_false:
        return if_true, if_false, False
    if is_assertion(block):
        return if_false, if_true, True
    if if_false is follow:
        continues = if_false is labels.again and if_true is not labels.out and not nest
        if continues and jumps_before(block, if_false, if_true):
            return if_false, if_true, True
        return if_true, if_false, False
    if if_true is follow and (nest or if_true is not labels.again):
        return if_false, if_true, True
    at_end = if_true is labels.again and if_true is follow and not _in_handler(block, if_true)
    if at_end and not jumps_before(block, if_true, if_false):
        # The test leads to the end of the suite, not to a `continue`.
        return if_false, if_true, True
    if if_true is labels.again or if_true is labels.out:
        return if_true, if_false, False
    if if_false is labels.again or if_false is labels.out:
        if block.index < if_true.index < block.jumps.get(if_false, -1):
            # if a: b() else: break
            return if_true, if_false, False
        if if_false is labels.out and _breaks_elsewhere(block, if_false, if_true, labels):
            return if_true, if_false, False
        return if_false, if_true, True
    if if_true in copied:
        return if_true, if_false, False
    # The compiler puts what stands under `if` first, or the jump there.
    if_false_first = block.index < if_false.index < if_true.index
    if if_false_first and not jumps_before(block, if_true, if_false):
        return if_false, if_true, True
    return if_true, if_false, False


def _in_handler(block: Block, target: Block) -> bool:
    """Whether a handler ends between the two."""
    return any(part.is_handler for part in block.context[len(target.context) :])


def jumps_before(block: Block, target: Block, other: Block) -> bool:
    """Whether a jump to `target` of its own stands between a test and its other outcome."""
    return block.index < block.jumps.get(target, -1) < other.index


def _breaks_elsewhere(block: Block, target: Block, other: Block, labels: Labels) -> bool:
    """Whether a test leaves a `while` by no `break` of its own, but by one that stands later."""
    header = labels.again
    in_while = header is not None and header.kind != FOR and block.context == header.context
    return in_while and not jumps_before(block, target, other)


def is_assertion(block: Block) -> bool:
    """Whether a branch is the test of an `assert` statement."""
    then, otherwise = block.succs
    if otherwise.kind != EXIT or not otherwise.ops or otherwise.ops[-1].name != "RAISE":
        return False
    first = otherwise.ops[0]
    if first.name == "LOAD_GLOBAL" and first.arg == "AssertionError":
        # 3.8 has no instruction of its own for it, but puts it right behind the test.
        return not block.index < then.index < otherwise.index
    return first.name == "LOAD_ASSERTION_ERROR"


def case_chain(block: Block) -> List[Block]:
    """The cases of the `match` statement that starts in `block`."""
    cases: List[Block] = []
    while block.kind == BRANCH and block.ops and block.ops[-1].name in CONDITIONS:
        if cases and (block.ops[0].name != "NEXT_CASE" or len(block.preds) > 1):
            break
        cases.append(block)
        block = block.succs[1]
    return cases


def is_next_case(block: Block) -> bool:
    """Whether the block goes on with a `match` statement and so stands where that does."""
    return bool(block.ops) and block.ops[0].name in ("NEXT_CASE", "LAST_CASE")


# So far up a test is looked for that decides between a block and what stands before it.
_FAR = 20


def tests_around(blocks: Collection[Block], loops: Dict[Block, Loop]) -> Dict[Block, Block]:
    """What follows an `if` statement only one arm of which gets there -> the test.

    The compiler puts the other arm, a `return` or `raise` under `else`, before such a block.
    """
    found: Dict[Block, Block] = {}
    for block in blocks:
        test = _test_around(block, loops) if block.preds and not is_next_case(block) else None
        if test is not None:
            found[block] = test
    return found


def _test_around(block: Block, loops: Dict[Block, Loop]) -> Optional[Block]:
    """The outermost test with an arm between `block` and everything that leads to it."""
    last = max([pred.index for pred in block.preds if pred.order < block.order], default=-1)
    found: Optional[Block] = None
    below, above = block, block.idom
    for _step in range(_FAR):
        if above is None or (above in loops and block in loops[above].body):
            break
        if above.kind == BRANCH and below in above.succs and below is not block:
            other = above.succs[above.succs[0] is below]
            if last < other.index < block.index and _are_together(above, block, loops):
                found = above
        below, above = above, above.idom
    return found


def _are_together(test: Block, block: Block, loops: Dict[Block, Loop]) -> bool:
    """Whether no region and no loop is left in between."""
    is_case = bool(test.ops) and test.ops[-1].name in CONDITIONS
    return (
        not is_case
        and test.context == block.context
        and not any(test in loop.body and block not in loop.body for loop in loops.values())
    )
