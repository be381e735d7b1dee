"""What belongs to a loop, and where the ways out of it lead.

The graph knows the blocks that come back to the header. What stands in the loop's text besides
them, such as `if a: b(); break`, is told by layout, by the iterators on the stack and by where
the ways out meet.
"""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import Callable, Collection, Dict, List, Optional, Set, Tuple

from depyf.decompile.expr.nodes import Expr
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, JUMP, TRY, Block, ends_with
from depyf.decompile.structure.branches import is_next_case
from depyf.decompile.structure.dominators import Loop, dominates
from depyf.decompile.structure.handler_ends import in_handler
from depyf.decompile.structure.layout import keeps_its_sense
from depyf.decompile.structure.tree_nodes import Labels
from depyf.decompile.structure.with_exits import is_quiet_return


def natural_exit(
    loop: Loop, pure: Callable[[Block], Optional[Expr]], version: Tuple[int, int]
) -> Optional[Block]:
    """Where a `for` is exhausted or the test of a `while` fails."""
    header = loop.header
    if header.kind == FOR:
        return header.succs[1] if header.succs[1] not in loop.body else None
    if header.kind != BRANCH or pure(header) is None:
        return None
    out_of_loop = [succ for succ in header.succs if succ not in loop.body]
    if len(out_of_loop) != 1 or _ends_inside(loop, out_of_loop[0]):
        return None
    # `while True: if a is not None: break`, where `while a is None` is another instruction.
    negated = out_of_loop[0] is header.succs[0]
    return None if negated and keeps_its_sense(header, version) else out_of_loop[0]


def _ends_inside(loop: Loop, block: Block) -> bool:
    """`while True: if a: return b` has the `return`, or `b; break`, where `while` has its body."""
    if len(block.preds) > 1 or not block.ops:
        # A `break` leads there.
        return False
    return loop.header.index < block.index < last_index(loop)


def last_index(loop: Loop) -> int:
    """Where the loop ends; handlers stand behind everything."""
    depth = len(loop.header.context)
    last = max(loop.body, key=_INDEX)
    if not _is_cold(last, depth):
        return last.index
    return max(each.index for each in loop.body if not _is_cold(each, depth))


_INDEX = attrgetter("index")


def extend(
    loops: Dict[Block, Loop],
    header: Block,
    natural: Optional[Block],
    may_return: bool,
    left: Collection[Block],
) -> int:
    """Add to the loop what stands in it but never comes back: `if a: b(); break`.

    These blocks lie between the loop's own, or handle exceptions of its body, or are in a loop
    with such a block. Returns the index of the loop's last block.
    """
    loop = loops[header]
    depth = len(header.context)
    last = last_index(loop)
    shallowest = 0
    if natural is not None and natural.index > last:
        outside = len(natural.context)
        if natural.context == header.context[:outside]:
            last = natural.index - 1
            # A loop at the end of a `try` or `with` body leads out of it; it lies in there itself.
            shallowest = depth if outside < depth else 0
    behind: Optional[Set[Block]] = None
    work = [succ for block in loop.body for succ in block.succs if succ not in loop.body]
    while work:
        block = work.pop()
        if block in loop.body or block is natural or not dominates(header, block):
            continue
        if block in left:
            continue
        if is_behind(header, block) or _ends_all(header, block, may_return):
            continue
        # Where the loop's end jumps back, `b(); break` may stand behind its last block.
        to_end = block.kind == JUMP and block.succs[0] is natural and len(block.preds) == 1
        in_layout = header.index < block.index <= last and len(block.context) >= shallowest
        inside = len(block.context) > depth or in_layout
        inside = inside or _is_inside(header, block)
        if not (inside or to_end or is_next_case(block)):
            continue
        if behind is None:
            behind = _behind(natural, header)
        if block not in behind:
            added = loops[block].body if block in loops else (block,)
            loop.body.update(added)
            work.extend(succ for each in added for succ in each.succs)
    return last


def _is_cold(block: Block, depth: int) -> bool:
    """Whether only exceptions lead there: such blocks may stand behind everything else."""
    jumps_on = block.kind == JUMP and not block.ops
    return in_handler(block, depth) or (
        jumps_on and all(_leads_there_cold(pred, block, depth) for pred in block.preds)
    )


def _leads_there_cold(pred: Block, block: Block, depth: int) -> bool:
    """By the end of a handler, or where `__exit__` swallowed an exception."""
    return in_handler(pred, depth) or (pred.kind == TRY and pred.succs[1] is block)


def ways_out(loop: Loop, natural: Optional[Block]) -> Set[Block]:
    """Where control goes that leaves the loop before it ends by itself."""
    header = loop.header
    found: Set[Block] = set()
    for block in loop.body:
        if natural is not None and block is header:
            continue
        found.update(
            succ
            for succ in block.succs
            if succ not in loop.body and succ.context == header.context[: len(succ.context)]
        )
    return found


def without_detours(loop: Loop, broken: Set[Block]) -> Set[Block]:
    """Add to the loop ways out that all lead to another one: `if a: b(); break` at its end."""
    kept = set(broken)
    for way in sorted(broken, key=lambda each: each.order):
        others = kept - {way}
        if others and way.kind != EXIT and dominates(loop.header, way):
            inside, landings = _dominated(way)
            if len(landings) == 1 and landings <= others:
                kept = others
                loop.body |= inside
    return kept


def _dominated(start: Block) -> Tuple[Set[Block], Set[Block]]:
    """What only `start` leads to, and where the ways from there land."""
    inside, landings = {start}, set()
    work = [start]
    while work:
        for succ in work.pop().succs:
            if succ in inside:
                continue
            if dominates(start, succ):
                inside.add(succ)
                work.append(succ)
            else:
                landings.add(succ)
    return inside, landings


def loop_exits(
    loop: Loop,
    broken: Set[Block],
    last: int,
    natural: Optional[Block],
    outside: List[Block],
    follow: Optional[Block],
    labels: Labels,
    may_return: bool,
    left: Collection[Block],
) -> Tuple[Optional[Block], Optional[Block]]:
    """(where `break` leads, what the `else` clause starts with)."""
    header = loop.header
    if natural is not None and natural in broken:
        return natural, None
    if natural is follow and may_return and all(map(is_quiet_return, broken)):
        # Behind the loop stands what stands there anyway: the others are `return` statements.
        return natural, None
    candidates = [
        each
        for each in broken
        if each is follow
        or each in outside
        or each in left
        or each is labels.out
        or (each is labels.again and follow is not each)
        or is_behind(header, each)
        or (each.index > last and each.kind != EXIT)
        or _ends_all(header, each, may_return)
    ]
    if natural is not None and not candidates:
        late = [each for each in broken if each.index > last and each.index > natural.index]
        if is_quiet_return(natural):
            # What only handlers lead to stands late wherever it was written.
            depth = len(header.context)
            late = [each for each in late if not all(in_handler(p, depth) for p in each.preds)]
        if late and natural.kind == EXIT and natural.index > last:
            candidates = late
    if not candidates:
        if natural is None and broken:
            late = [each for each in broken if each.index > last]
            return (min(late, key=lambda each: each.index) if late else None), None
        return natural, None
    if follow in candidates and follow is not None:
        target = follow
    else:
        target = min(
            candidates, key=lambda each: (each not in outside, each.index <= last, each.index)
        )
    return target, natural


def _ends_all(header: Block, block: Block, may_return: bool) -> bool:
    """The end of a module, of a class, or of the `finally` body that the loop stands in.

    No statement does that, so a loop can only break there.
    """
    if ends_with(block, "RERAISE"):
        return len(block.context) <= len(header.context)
    return not may_return and ends_with(block, "RETURN")


def widen(loop: Loop) -> None:
    """Add to a loop what its ways out do before they meet: `if a: b(); break` at its end."""
    header = loop.header
    left = [succ for block in loop.body for succ in block.succs if succ not in loop.body]
    # The end of the function is where ways meet only if others than the loop's own lead there.
    ways = [
        succ
        for succ in left
        if dominates(header, succ) and (succ.kind != EXIT or not loop.body.issuperset(succ.preds))
    ]
    met = Counter(block for way in dict.fromkeys(ways) for block in reached(way, header))
    most = max(met.values(), default=0)
    if most > 1:
        # Some ways may never get there: they raise or return.
        behind = min((each for each in met if met[each] == most), key=lambda each: each.order)
        for way in ways:
            if way is not behind:
                loop.body |= reached(way, behind)
    if header.kind == BRANCH:
        # `if a: return` rather than `while not a` with `return` in its `else` clause.
        loop.body.update(succ for succ in header.succs if succ.kind == EXIT)


def reached(start: Block, limit: Block) -> Set[Block]:
    """What can be reached from `start`, but not through `limit`."""
    found = ways_from(start, (limit,))
    return found - {limit} if start is not limit else found


def ways_from(start: Block, limits: Collection[Optional[Block]]) -> Set[Block]:
    """What can be reached from `start`, the limits included, but not what is only behind them."""
    found = {start}
    work = [start]
    while work:
        block = work.pop()
        if block not in limits:
            new = [succ for succ in block.succs if succ not in found]
            found.update(new)
            work.extend(new)
    return found


def is_behind(header: Block, block: Block) -> bool:
    """Whether the iterator of a `for` loop is gone where `block` starts."""
    if header.kind != FOR or header.nesting is None or block.nesting is None:
        return False
    return block.nesting <= header.nesting


def _is_inside(header: Block, block: Block) -> bool:
    """Whether the iterator of a `for` loop, or of one inside, is still there at `block`."""
    if header.kind == FOR:
        return block.nesting is not None and not is_behind(header, block)
    return (block.nesting or 0) > (header.nesting or 0)


def _behind(natural: Optional[Block], header: Block) -> Set[Block]:
    """What a loop leads to when it ends by itself, short of starting it again."""
    if natural is None:
        return set()
    found = {header, natural}
    work = [natural]
    while work:
        for succ in work.pop().succs:
            if succ not in found:
                found.add(succ)
                work.append(succ)
    return found
