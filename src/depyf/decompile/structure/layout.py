"""What lines and layout tell about a test: whether it starts a loop, and which outcome is meant."""

from __future__ import annotations

from typing import Optional, Tuple

from depyf.decompile.flow.graph import BRANCH, Block


def starts_while(guard: Block, before: Block) -> bool:
    """`if a: while b`, where the copy of `b` at the end of the loop stands without `a`.

    And the copy itself, behind `if a: break`, if others come round without asking `a`.
    """
    if not is_on_another_line(before, guard):
        return False
    if any(_is_copy_of(first, guard, top) for top in guard.succs for first in top.preds):
        return True
    line = before.ops[-1].line
    return any(
        guard.index < top.index <= latch.index
        and latch.kind == BRANCH
        and {*latch.succs} == {*guard.succs}
        and all(op.line != line for op in latch.ops)
        for top in guard.succs
        for latch in top.preds
    )


def _is_copy_of(guard: Block, latch: Block, top: Block) -> bool:
    """Whether `latch` is the copy of a loop's test that some way round leads to as well."""
    if guard.kind != BRANCH or guard.succs != latch.succs or not (guard.ops and latch.ops):
        return False
    line = guard.ops[-1].line
    if not guard.index < top.index <= latch.index or latch.ops[-1].line != line:
        return False
    # The test of the loop may have several parts, which are not folded yet.
    while len(guard.preds) == 1 and _is_test_in(guard.preds[0], line):
        guard = guard.preds[0]
    return any(pred.index > guard.index for pred in guard.preds)


def _is_test_in(block: Block, line: Optional[int]) -> bool:
    return block.kind == BRANCH and bool(block.ops) and block.ops[-1].line == line


def is_on_another_line(a: Block, b: Block) -> bool:
    return bool(a.ops and b.ops) and a.ops[-1].line != b.ops[0].line


def is_meant(block: Block, outcome: Block, other: Block) -> bool:
    """Layout as a tie-break: the outcome that stands right behind is the one meant."""
    if _goes_round(block, outcome, other):
        return True
    if _goes_round(block, other, outcome) or outcome.index <= block.index:
        return False
    return other.index <= block.index or outcome.index < other.index


def _goes_round(latch: Block, top: Block, end: Block) -> bool:
    """Whether a test is the copy at the end of a `while` of the one that stands before it.

    There the outcome that enters the loop stands right behind; both are to read alike.
    """
    if top.index > latch.index or not latch.ops:
        return False
    line = latch.ops[-1].line
    return any(
        guard.kind == BRANCH
        and guard.index < top.index
        and end in guard.succs
        # The `else` of the loop stands before the copy too, but behind the loop.
        and not guard.index < end.index < top.index
        and bool(guard.ops)
        and guard.ops[-1].line == line
        for guard in top.preds
    )


def keeps_its_sense(block: Block, version: Tuple[int, int]) -> bool:
    """Before 3.14 `not a in b` compiles to another instruction than a test of `a in b`."""
    last = block.ops[-1] if block.ops else None
    return (
        last is not None
        and last.name == "COMPARE"
        and last.arg in ("in", "not in", "is", "is not")
        and version < (3, 14)
    )
