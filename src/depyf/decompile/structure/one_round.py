"""Loops that never come round: nothing tells of them but a `break` that no other loop can have.

`while a: with b: break; return c` has no way back to the test. In the graph it looks like an
`if`, except that control leaves the `with` for somewhere else than what stands behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from depyf.decompile.flow.graph import BRANCH, Block
from depyf.decompile.structure.regions import Region
from depyf.decompile.structure.tree_nodes import (
    BREAK,
    Labels,
    LoopTree,
    Tree,
    TryTree,
    never_falls_through,
)

if TYPE_CHECKING:
    from depyf.decompile.structure.tree import Builder


def one_round(
    builder: Builder, block: Block, merges: List[Block], pending: List[Block]
) -> LoopTree:
    """A loop around the statement of `block`; `break` leads to one of the `merges`."""
    place = next(place for place, each in enumerate(merges) if each in builder.broken)
    behind = merges[place]
    builder.broken.discard(behind)
    builder.placed.discard(block)
    builder.forced.discard(block)
    builder.merges[block] = merges[place + 1 :]
    pending.extend(merges[: place + 1])
    labels = Labels(None, behind)
    if block.kind == BRANCH and behind in block.succs and builder.pure(block) is not None:
        builder.placed.add(block)
        negated = block.succs[0] is behind
        inside = block.succs[1] if negated else block.succs[0]
        return LoopTree("while", block, negated, _once(builder, inside, behind, labels), [])
    return LoopTree("forever", block, False, _once(builder, block, behind, labels), [])


def _once(builder: Builder, start: Block, behind: Block, labels: Labels) -> Tree:
    body = builder.sequence(start, behind, labels)
    if not never_falls_through(body):
        body.append(BREAK)
    return body


def around_finally(
    builder: Builder, region: Region, block: Block, behind: Block, merges: List[Block]
) -> LoopTree:
    """A loop around a `try` whose `finally` body ends with a `break`."""
    labels = Labels(None, behind)
    dead_end = next((each for each in merges if not each.ops), None)
    body = builder.part(region.protected, block.succs[0], dead_end or behind, labels)
    handler = builder.part(region.handling, block.succs[1], None, labels)
    suite: Tree = [TryTree(region, body, handler, [])]
    if dead_end is None:
        suite.append(BREAK)
    return LoopTree("forever", block, False, suite, [])
