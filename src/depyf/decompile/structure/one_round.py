"""Loops that never come round: nothing tells of them but a `break` that no other loop can have.

`while a: with b: break; return c` has no way back to the test. In the graph it looks like an
`if`, except that control leaves the `with` for somewhere else than what stands behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from depyf.decompile.flow.graph import BRANCH, EXIT, Block
from depyf.decompile.structure.loop_extent import is_behind, ways_from
from depyf.decompile.structure.regions import Region
from depyf.decompile.structure.tree_nodes import (
    BREAK,
    CONTINUE,
    Labels,
    LoopTree,
    Tree,
    TryTree,
    drop_last_continue,
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


def for_once(
    builder: Builder, block: Block, follow: Optional[Block], labels: Labels, out: Tree
) -> Optional[Block]:
    """A `for` whose body always leaves: it never comes back to its header."""
    body_start, exhausted = block.succs
    broken = _only_by_break(block, follow, labels)
    if broken is not None:
        builder.unhang(broken)
        builder.forced.discard(broken)
        body = builder.sequence(body_start, block, Labels(block, broken))
        otherwise = builder.sequence(exhausted, broken, labels)
        out.append(LoopTree("for", block, False, body, otherwise))
        return broken
    if _leaves_both(body_start, exhausted, labels):
        # `break`, with `continue` in the `else` clause, and a `break` behind the loop.
        body = builder.sequence(body_start, block, Labels(block, labels.out))
        out.append(LoopTree("for", block, False, body, [CONTINUE]))
        return labels.out
    # `break` leads where the loop is exhausted, or where control falls behind the loop.
    ways = ways_from(body_start, (exhausted, labels.again)) if exhausted is not follow else ()
    goes_on = follow not in ways and exhausted in (labels.again, labels.out)
    returns = (exhausted.kind == EXIT or exhausted is labels.out) and follow in ways
    if exhausted is follow or goes_on or (exhausted in builder.forced and not returns):
        body = builder.sequence(body_start, block, Labels(block, exhausted))
        drop_last_continue(body)
        out.append(LoopTree("for", block, False, body, []))
        return exhausted if exhausted is not follow else None
    if follow not in ways and labels.again in ways:
        # Behind the loop the next round of the loop around it begins.
        follow = labels.again
    body = builder.sequence(body_start, block, Labels(block, follow))
    out.append(LoopTree("for", block, False, body, builder.sequence(exhausted, follow, labels)))
    return follow if follow is labels.again else None


def _only_by_break(header: Block, follow: Optional[Block], labels: Labels) -> Optional[Block]:
    """Where the iterator is gone: `for a in b: break`, with a `return` or `raise` under `else`."""
    body_start, exhausted = header.succs
    around = (follow, labels.again, labels.out)
    ways = ways_from(body_start, (exhausted, *around)).difference(around)
    behind = [block for block in ways if is_behind(header, block)]
    broken = min(behind, key=lambda block: block.order, default=None)
    others = ways_from(exhausted, around)
    leaves = exhausted in around[1:] or follow not in others
    return broken if leaves and broken not in others else None


def _leaves_both(body_start: Block, exhausted: Block, labels: Labels) -> bool:
    """Whether the body of a `for` leads out of the loop around it, and its end does not."""
    if exhausted is not labels.again or labels.out is None:
        return False
    ways = ways_from(body_start, (exhausted, labels.out))
    return labels.out in ways and exhausted not in ways
