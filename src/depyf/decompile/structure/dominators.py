"""Orders, dominators and loops of a graph, by the algorithm of Cooper, Harvey and Kennedy."""

from __future__ import annotations

from typing import Dict, List, Optional, Set

from depyf.decompile.flow.graph import Block


class Loop:
    """A natural loop: its header and every block that reaches the header again."""

    __slots__ = ("header", "body", "parent")

    def __init__(self, header: Block) -> None:
        self.header = header
        self.body: Set[Block] = {header}
        self.parent: Optional[Loop] = None


def reverse_postorder(entry: Block) -> List[Block]:
    """Blocks before their successors, except along loops; sets each block's `order`."""
    seen = {entry}
    result: List[Block] = []
    stack = [(entry, iter(entry.succs))]
    while stack:
        block, successors = stack[-1]
        for succ in successors:
            if succ not in seen:
                seen.add(succ)
                stack.append((succ, iter(succ.succs)))
                break
        else:
            result.append(block)
            stack.pop()
    result.reverse()
    for order, block in enumerate(result):
        block.order = order
    return result


def compute_dominators(blocks: List[Block], has_loops: bool) -> None:
    """Set `idom` of blocks given in reverse postorder; without loops one round settles all."""
    entry = blocks[0]
    alive = set(blocks)
    for block in blocks:
        block.idom = None
    entry.idom = entry
    changed = True
    while changed:
        changed = False
        for block in blocks[1:]:
            new: Optional[Block] = None
            for pred in block.preds:
                if pred in alive and pred.idom is not None:
                    new = pred if new is None else _meet(pred, new)
            if new is not block.idom:
                block.idom = new
                changed = has_loops


def _meet(a: Block, b: Block) -> Block:
    while a is not b:
        while a.order > b.order:
            assert a.idom is not None
            a = a.idom
        while b.order > a.order:
            assert b.idom is not None
            b = b.idom
    return a


def dominates(a: Block, b: Block) -> bool:
    while b.order > a.order:
        assert b.idom is not None
        b = b.idom
    return a is b


def find_loops(blocks: List[Block]) -> Optional[Dict[Block, Loop]]:
    """Loops by header; None when the graph has a loop with two entries."""
    loops: Dict[Block, Loop] = {}
    alive = set(blocks)
    for block in reversed(blocks):
        for pred in block.preds:
            if pred not in alive or pred.order < block.order:
                continue
            if not dominates(block, pred):
                return None
            loop = loops.setdefault(block, Loop(block))
            _collect(loop, pred, alive)
    return loops


def _collect(loop: Loop, latch: Block, alive: Set[Block]) -> None:
    work = [latch]
    while work:
        block = work.pop()
        if block not in loop.body:
            loop.body.add(block)
            work.extend(pred for pred in block.preds if pred in alive)
