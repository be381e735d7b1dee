"""A loop of the graph as a statement: what is inside, where `break` leads, what `else` holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from depyf.decompile.flow.graph import FOR, Block
from depyf.decompile.structure.loop_extent import (
    extend,
    loop_exits,
    natural_exit,
    ways_out,
    widen,
    without_detours,
)
from depyf.decompile.structure.tree_nodes import (
    CONTINUE,
    Labels,
    LoopTree,
    Tree,
    Unstructured,
    drop_last_continue,
)

if TYPE_CHECKING:
    from depyf.decompile.structure.tree import Builder


def loop_statement(
    builder: Builder,
    header: Block,
    follow: Optional[Block],
    labels: Labels,
    out: Tree,
    pending: List[Block],
) -> Optional[Block]:
    """Append a loop; returns the block to go on with behind it, if `pending` does not tell."""
    loop = builder.loops[header]
    natural = natural_exit(loop, builder.pure, builder.version)
    last = extend(builder.loops, header, natural, builder.may_return, builder.left)
    if builder.wide_loops:
        widen(loop)
    merges = sorted(builder.merges.pop(header, []), key=lambda each: each.order)
    inside = [each for each in merges if each in loop.body]
    outside = [each for each in merges if each not in loop.body]
    local = pending[-1] if pending else follow
    natural = natural_exit(loop, builder.pure, builder.version)
    broken = ways_out(loop, natural) - set(builder.copied)
    if natural is None:
        broken = without_detours(loop, broken)
    target, orelse = loop_exits(
        loop, broken, last, natural, outside, local, labels, builder.may_return, builder.left
    )
    if target is not None and target in (local, labels.again, labels.out):
        # Nothing stands behind the loop that is not there anyway: the rest is inside.
        kept = [each for each in outside if each in (target, orelse, natural)]
        inside = sorted(set(inside + outside) - set(kept), key=lambda each: each.order)
        loop.body.update(inside)
        outside = kept
    if inside:
        builder.merges[header] = inside
    after = list(outside)
    if target is not None and target is not local and target not in after:
        if not (target is labels.again or target is labels.out):
            after.append(target)
    after = [each for each in after if each is not orelse]
    if target in after and after[0] is not target:
        after.remove(target)
        after.insert(0, target)
    for each in after:
        builder.unhang(each)
    pending.extend(reversed(after))
    builder.forced.update(after)
    out.append(_loop_tree(builder, header, natural, target, orelse, local, labels, pending))
    # What stands behind the loop comes from `pending`, or is where control falls anyway.
    if target is not None and target is not local and not after:
        return target
    return None


def _loop_tree(
    builder: Builder,
    header: Block,
    natural: Optional[Block],
    target: Optional[Block],
    orelse: Optional[Block],
    local: Optional[Block],
    labels: Labels,
    pending: List[Block],
) -> LoopTree:
    inner = Labels(header, target)
    negated = False
    if natural is None:
        kind = "forever"
        body = builder.sequence(header, header, inner, first=True)
    else:
        builder.placed.add(header)
        kind = "for" if header.kind == FOR else "while"
        start, negated = header.succs[0], False
        if start is natural:
            start, negated = header.succs[1], True
        if header in builder.merges:
            # Meeting points of the body itbuilder.
            inside = sorted(builder.merges.pop(header), key=lambda each: each.order)
            body = _meeting_points(builder, start, inside, header, inner)
        else:
            body = builder.sequence(start, header, inner)
    drop_last_continue(body)
    otherwise: Tree = []
    if orelse is not None:
        builder.forced.discard(orelse)
        behind = pending[-1] if pending else local
        if behind is local and target is not None:
            # Nothing but a `break` or `continue` of the loop around stands behind this one.
            behind = target
        if orelse is behind and target is not behind:
            # What stands behind the loop is only for `break`.
            if orelse is not labels.again:
                raise Unstructured("a loop that ends by itself goes on where it cannot")
            otherwise = [CONTINUE]
        else:
            otherwise = builder.sequence(orelse, behind, labels)
    return LoopTree(kind, header, negated, body, otherwise)


def _meeting_points(
    builder: Builder, start: Block, points: List[Block], follow: Block, labels: Labels
) -> Tree:
    """A body whose header dominates places where its paths meet."""
    if start is points[0]:
        builder.forced.discard(start)
    out = builder.sequence(start, points[0] if start is not points[0] else follow, labels)
    for place, point in enumerate(points):
        if point in builder.placed:
            continue
        behind = points[place + 1] if place + 1 < len(points) else follow
        builder.forced.discard(point)
        out.extend(builder.sequence(point, behind, labels))
    return out
