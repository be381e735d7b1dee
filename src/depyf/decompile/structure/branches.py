"""What a test decides: which arm stands first, whether it asserts, which cases belong together."""

from __future__ import annotations

from typing import Collection, List, Optional, Tuple

from depyf.decompile.expr.cases import CONDITIONS
from depyf.decompile.flow.graph import BRANCH, EXIT, Block
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
        return if_true, if_false, False
    if if_true is follow and (nest or if_true is not labels.again):
        return if_false, if_true, True
    if if_true is labels.again or if_true is labels.out:
        return if_true, if_false, False
    if if_false is labels.again or if_false is labels.out:
        return if_false, if_true, True
    if if_true in copied:
        return if_true, if_false, False
    # The compiler puts what stands under `if` first.
    if block.index < if_false.index < if_true.index:
        return if_false, if_true, True
    return if_true, if_false, False


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
