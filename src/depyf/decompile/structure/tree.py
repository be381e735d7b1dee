"""Blocks -> nested control structures, by walking the dominator tree (Ramsey, "Beyond Relooper").

A block's statement contains what only it leads to; blocks where several paths meet stand behind
the statement of the block that dominates them. Python has no labels, so every edge must be a
fall into what follows, a `break` or a `continue`, or its short target is written twice; when no
way fits, `Unstructured` sends the whole code object to a coarser method.
"""

from __future__ import annotations

from collections import Counter
from typing import Callable, Collection, Dict, Iterator, List, Optional, Set, Tuple, Union

from depyf.decompile.expr.cases import CONDITIONS
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, JUMP, TRY, Block, Graph
from depyf.decompile.structure.conditions import keeps_its_sense
from depyf.decompile.structure.dominators import (
    Loop,
    compute_dominators,
    dominates,
    find_loops,
    reverse_postorder,
)
from depyf.decompile.structure.regions import Part, Region
from depyf.decompile.structure.returns import has_no_return
from depyf.errors import DepyfError


class Unstructured(DepyfError):
    """Control flow for which this method has no statement."""


class Jump:
    """`break` or `continue`."""

    __slots__ = ("word",)

    def __init__(self, word: str) -> None:
        self.word = word


BREAK, CONTINUE = Jump("break"), Jump("continue")


class IfTree:
    """`clauses` are (block, negated, body). The first block stands before the tree already."""

    __slots__ = ("clauses", "orelse")

    def __init__(self, clauses: List[Tuple[Block, bool, Tree]], orelse: Tree) -> None:
        self.clauses = clauses
        self.orelse = orelse


class LoopTree:
    """`while True` without `test`, `while` with a block as test, `for` with a FOR block."""

    __slots__ = ("kind", "header", "negated", "body", "orelse")

    def __init__(self, kind: str, header: Block, negated: bool, body: Tree, orelse: Tree) -> None:
        self.kind = kind
        self.header = header
        self.negated = negated
        self.body = body
        self.orelse = orelse


class TryTree:
    __slots__ = ("region", "body", "handler", "orelse")

    def __init__(self, region: Region, body: Tree, handler: Tree, orelse: Tree) -> None:
        self.region = region
        self.body = body
        self.handler = handler
        self.orelse = orelse


Node = Union[Block, Jump, IfTree, LoopTree, TryTree]
Tree = List[Node]


class _Labels:
    """Where `continue` and `break` lead, if there is a loop."""

    __slots__ = ("again", "out")

    def __init__(self, again: Optional[Block], out: Optional[Block]) -> None:
        self.again = again
        self.out = out


_NO_LOOP = _Labels(None, None)
# A tail of at most so many operations is written twice rather than given up.
_SHORT_TAIL = 12
_FEW = 4


class _Builder:
    def __init__(
        self,
        graph: Graph,
        pure: Callable[[Block], Optional[Expr]],
        nest: bool,
        copied: Collection[Block] = (),
        wide_loops: bool = False,
    ) -> None:
        self.pure = pure
        # Whether loops contain everything before the place where the ways out of them meet.
        self.wide_loops = wide_loops
        # Short ends of the function that are written wherever a path leads to them.
        self.copied = copied
        # Whether `if a: rest` is preferred to `if not a: continue`, as comprehensions need it.
        self.nest = nest
        self.version = graph.program.code.version
        self.may_return = not has_no_return(graph)
        blocks = reverse_postorder(graph.entry)
        compute_dominators(blocks)
        loops = find_loops(blocks)
        if loops is None:
            raise Unstructured("a loop has two entries")
        self.loops: Dict[Block, Loop] = loops
        self.merges: Dict[Block, List[Block]] = {}
        self.parents: Dict[Block, Block] = {}
        self.forced: Set[Block] = set()
        self.placed: Set[Block] = set()
        self.entry = graph.entry
        for block in blocks[1:]:
            self._hang(block)

    def tree(self) -> Tree:
        return self.sequence(self.entry, None, _NO_LOOP)

    def _hang(self, block: Block) -> None:
        """Decide under which block's statement a meeting point stands."""
        parent = block.idom
        assert parent is not None
        outside = _left_region(parent, block)
        if outside is not None:
            assert outside.entry is not None
            parent = outside.entry
        elif sum(pred.order < block.order for pred in block.preds) < 2 or block in self.copied:
            return
        self.merges.setdefault(parent, []).append(block)
        self.parents[block] = parent
        self.forced.add(block)

    def unhang(self, block: Block) -> None:
        """Somebody else places the block."""
        parent = self.parents.pop(block, None)
        if parent is not None and block in self.merges.get(parent, ()):
            self.merges[parent].remove(block)

    def sequence(
        self, start: Block, follow: Optional[Block], labels: _Labels, first: bool = False
    ) -> Tree:
        """Everything from `start` on; falling off its end must mean going to `follow`."""
        out: Tree = []
        pending: List[Block] = []
        current: Optional[Block] = start
        while True:
            if current is not None:
                local = pending[-1] if pending else follow
                if first or not self.is_jump(current, local, labels, out):
                    placed_before = len(pending)
                    current = self.statement(current, follow, labels, out, pending, first)
                    assert len(pending) >= placed_before or current is None
                    first = False
                    continue
            if not pending:
                return out
            current = pending.pop()
            if current.kind in (EXIT, JUMP) and never_falls_through(out):
                # Every way there has a copy of it already.
                current = None
                continue
            current = self.statement(current, follow, labels, out, pending, False)

    def is_jump(self, block: Block, follow: Optional[Block], labels: _Labels, out: Tree) -> bool:
        """Handle an edge to somewhere else; False when `block` belongs right here."""
        if block is follow:
            return True
        if block is labels.again:
            out.append(CONTINUE)
            return True
        if block is labels.out:
            out.append(BREAK)
            return True
        if block in self.forced or block in self.placed:
            self.duplicate(block, follow, labels, out)
            return True
        return False

    def duplicate(self, block: Block, follow: Optional[Block], labels: _Labels, out: Tree) -> None:
        """Write a short end of the function, or of a handler, a second time."""
        if block.kind == EXIT and len(block.ops) <= _SHORT_TAIL:
            out.append(block)
        elif _ends_handler(block) or (block.kind == JUMP and not block.ops):
            out.append(block)
            if not self.is_jump(block.succs[0], follow, labels, out):
                raise Unstructured(f"no statement leads to the block at {block.index}")
        else:
            raise Unstructured(f"no statement leads to the block at {block.index}")

    def statement(
        self,
        block: Block,
        follow: Optional[Block],
        labels: _Labels,
        out: Tree,
        pending: List[Block],
        inside_loop: bool,
    ) -> Optional[Block]:
        """Append the statement of `block`; returns the block to go on with, if any."""
        if not inside_loop and block in self.loops:
            return self.loop(block, follow, labels, out, pending)
        self.placed.add(block)
        merges = self.merges.pop(block, [])
        cases = case_chain(block)
        for case in cases[1:]:
            merges.extend(self.merges.pop(case, []))
        if merges:
            merges.sort(key=lambda each: each.order, reverse=True)
        if block.kind == TRY:
            return self.try_statement(block, merges, follow, labels, out, pending)
        if len(merges) > 1:
            behind = pending[-1] if pending else follow
            merges = _without_ends_of_rounds(merges, behind, labels)
        pending.extend(merges)
        if block.kind == JUMP:
            out.append(block)
            return block.succs[0]
        if block.kind == EXIT:
            out.append(block)
            return None
        local = pending[-1] if pending else follow
        if cases:
            return self.match_statement(cases, local, labels, out)
        if block.kind == BRANCH:
            return self.if_statement(block, local, labels, out)
        if block.kind == FOR:
            return self.loop_without_repeat(block, local, labels, out)
        raise Unstructured("a value is kept across a jump")

    def arm(self, target: Block, follow: Optional[Block], labels: _Labels) -> Tree:
        return self.sequence(target, follow, labels)

    def if_statement(
        self, block: Block, follow: Optional[Block], labels: _Labels, out: Tree
    ) -> Optional[Block]:
        out.append(block)
        clauses: List[Tuple[Block, bool, Tree]] = []
        while True:
            then, other, negated = _choose_arms(block, follow, labels, self.nest, self.copied)
            if negated and keeps_its_sense(block, self.version):
                if clauses or (other is not follow and then.kind != EXIT):
                    then, other, negated = other, then, False
            if then is follow and then is labels.again and other is not follow:
                body: Tree = [CONTINUE]
            else:
                body = self.arm(then, follow, labels)
            clauses.append((block, negated, body))
            if other is follow:
                out.append(IfTree(clauses, []))
                return None
            if len(clauses) == 1 and never_falls_through(body):
                out.append(IfTree(clauses, []))
                return other
            if not self.is_elif(block, other):
                break
            self.placed.add(other)
            block = other
        out.append(IfTree(clauses, self.arm(other, follow, labels)))
        return None

    def is_elif(self, block: Block, other: Block) -> bool:
        return (
            other.kind == BRANCH
            and other not in self.forced
            and other not in self.placed
            and other not in self.loops
            and other not in self.merges
            and not _is_assertion(other)
            and self.pure(other) is not None
        )

    def match_statement(
        self, cases: List[Block], follow: Optional[Block], labels: _Labels, out: Tree
    ) -> Optional[Block]:
        """All cases of one statement; what none of them matches stands behind or in `case _`."""
        out.append(cases[0])
        self.placed.update(cases)
        clauses = [(case, False, self.arm(case.succs[0], follow, labels)) for case in cases]
        other = cases[-1].succs[1]
        is_case = bool(other.ops) and other.ops[0].name == "LAST_CASE"
        if other is follow:
            out.append(IfTree(clauses, []))
        elif not is_case and all(never_falls_through(body) for _case, _negated, body in clauses):
            out.append(IfTree(clauses, []))
            return other
        else:
            out.append(IfTree(clauses, self.arm(other, follow, labels)))
        return None

    # Loops.

    def loop(
        self,
        header: Block,
        follow: Optional[Block],
        labels: _Labels,
        out: Tree,
        pending: List[Block],
    ) -> Optional[Block]:
        loop = self.loops[header]
        last = self.extend(loop)
        if self.wide_loops:
            _widen(loop)
        merges = sorted(self.merges.pop(header, []), key=lambda each: each.order)
        inside = [each for each in merges if each in loop.body]
        outside = [each for each in merges if each not in loop.body]
        local = pending[-1] if pending else follow
        natural = self.natural_exit(header, loop)
        target, orelse = self.loop_exits(loop, last, natural, outside, local, labels)
        if target is not None and target in (local, labels.again, labels.out):
            # Nothing stands behind the loop that is not there anyway: the rest is inside.
            kept = [each for each in outside if each in (target, orelse, natural)]
            inside = sorted(set(inside + outside) - set(kept), key=lambda each: each.order)
            loop.body.update(inside)
            outside = kept
        if inside:
            self.merges[header] = inside
        after = list(outside)
        if target is not None and target is not local and target not in after:
            if not (target is labels.again or target is labels.out):
                after.append(target)
        after = [each for each in after if each is not orelse]
        if target in after and after[0] is not target:
            after.remove(target)
            after.insert(0, target)
        for each in after:
            self.unhang(each)
        pending.extend(reversed(after))
        self.forced.update(after)
        out.append(self.loop_tree(header, natural, target, orelse, local, labels, pending))
        # What stands behind the loop comes from `pending`, or is where control falls anyway.
        if target is not None and target is not local and not after:
            return target
        return None

    def loop_tree(
        self,
        header: Block,
        natural: Optional[Block],
        target: Optional[Block],
        orelse: Optional[Block],
        local: Optional[Block],
        labels: _Labels,
        pending: List[Block],
    ) -> LoopTree:
        inner = _Labels(header, target)
        negated = False
        if natural is None:
            kind = "forever"
            body = self.sequence(header, header, inner, first=True)
        else:
            self.placed.add(header)
            kind = "for" if header.kind == FOR else "while"
            start, negated = header.succs[0], False
            if start is natural:
                start, negated = header.succs[1], True
            if header in self.merges:
                # Meeting points of the body itself.
                inside = sorted(self.merges.pop(header), key=lambda each: each.order)
                body = self.meeting_points(start, inside, header, inner)
            else:
                body = self.sequence(start, header, inner)
        _drop_last_continue(body)
        otherwise: Tree = []
        if orelse is not None:
            self.forced.discard(orelse)
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
                otherwise = self.sequence(orelse, behind, labels)
        return LoopTree(kind, header, negated, body, otherwise)

    def meeting_points(
        self, start: Block, points: List[Block], follow: Block, labels: _Labels
    ) -> Tree:
        """A body whose header dominates places where its paths meet."""
        if start is points[0]:
            self.forced.discard(start)
        out = self.sequence(start, points[0] if start is not points[0] else follow, labels)
        for place, point in enumerate(points):
            if point in self.placed:
                continue
            behind = points[place + 1] if place + 1 < len(points) else follow
            self.forced.discard(point)
            out.extend(self.sequence(point, behind, labels))
        return out

    def natural_exit(self, header: Block, loop: Loop) -> Optional[Block]:
        """Where a `for` is exhausted or the test of a `while` fails."""
        if header.kind == FOR:
            return header.succs[1] if header.succs[1] not in loop.body else None
        if header.kind != BRANCH or self.pure(header) is None:
            return None
        out_of_loop = [succ for succ in header.succs if succ not in loop.body]
        return out_of_loop[0] if len(out_of_loop) == 1 else None

    def extend(self, loop: Loop) -> int:
        """Add to the loop what stands in it but never comes back: `if a: b(); break`.

        These blocks lie between the loop's own, or handle exceptions of its body. Returns the
        index of the loop's last block.
        """
        header = loop.header
        depth = len(header.context)
        last = max(each.index for each in loop.body if not _in_handler(each, depth))
        natural = self.natural_exit(header, loop)
        if natural is not None and natural.index > last and natural.context == header.context:
            last = natural.index - 1
        behind: Optional[Set[Block]] = None
        work = [succ for block in loop.body for succ in block.succs if succ not in loop.body]
        while work:
            block = work.pop()
            if block in loop.body or block is natural or not dominates(header, block):
                continue
            if _is_behind(header, block):
                continue
            # Where the loop's end jumps back, `b(); break` may stand behind its last block.
            to_end = block.kind == JUMP and block.succs[0] is natural and len(block.preds) == 1
            inside = len(block.context) > depth or header.index < block.index <= last
            inside = inside or _is_inside(header, block)
            if not (inside or to_end or _is_next_case(block)):
                continue
            if behind is None:
                behind = _behind(natural, header)
            if block not in behind:
                loop.body.add(block)
                work.extend(block.succs)
        return last

    def loop_exits(
        self,
        loop: Loop,
        last: int,
        natural: Optional[Block],
        outside: List[Block],
        follow: Optional[Block],
        labels: _Labels,
    ) -> Tuple[Optional[Block], Optional[Block]]:
        """(where `break` leads, what the `else` clause starts with)."""
        header = loop.header
        broken: Set[Block] = set()
        for block in loop.body:
            if natural is not None and block is header:
                continue
            broken.update(
                succ
                for succ in block.succs
                if succ not in loop.body and succ.context == header.context[: len(succ.context)]
            )
        if natural is not None and natural in broken:
            return natural, None
        candidates = [
            each
            for each in broken
            if each is follow
            or each in outside
            or each is labels.out
            or (each is labels.again and follow is not each)
            or _is_behind(header, each)
            or (each.index > last and not self.leaves_function(each))
        ]
        if natural is not None and not candidates:
            late = [each for each in broken if each.index > last and each.index > natural.index]
            if late and self.leaves_function(natural) and natural.index > last:
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

    def leaves_function(self, block: Block) -> bool:
        return block.kind == EXIT

    def loop_without_repeat(
        self, block: Block, follow: Optional[Block], labels: _Labels, out: Tree
    ) -> Optional[Block]:
        """A `for` whose body always leaves: it never comes back to its header."""
        body_start, exhausted = block.succs
        # `break` leads where the loop is exhausted, or where control falls behind the loop.
        if exhausted is follow or exhausted in self.forced:
            body = self.sequence(body_start, block, _Labels(block, exhausted))
            _drop_last_continue(body)
            out.append(LoopTree("for", block, False, body, []))
            return exhausted if exhausted is not follow else None
        body = self.sequence(body_start, block, _Labels(block, follow))
        out.append(LoopTree("for", block, False, body, self.sequence(exhausted, follow, labels)))
        return None

    # try and with.

    def try_statement(
        self,
        block: Block,
        merges: List[Block],
        follow: Optional[Block],
        labels: _Labels,
        out: Tree,
        pending: List[Block],
    ) -> Optional[Block]:
        region = block.region
        assert isinstance(region, Region)
        if self.may_return:
            merges = [each for each in merges if not _ends_handler_only(region, each, merges)]
        behind = pending[-1] if pending else follow
        if len(merges) > 1 or (behind is not None and _leads_to(region, behind)):
            merges = _without_ends_of_rounds(merges, behind, labels)
        orelse = self.else_clause(region, merges, pending, follow)
        if orelse is not None:
            merges = [each for each in merges if each is not orelse]
        pending.extend(merges)
        local = pending[-1] if pending else follow
        breaks = local is labels.again and _breaks_often(region, labels)
        if breaks:
            local = labels.out
        body_follow = orelse if orelse is not None else local
        if region.suppressed is not None:
            body_follow = block.succs[1]
        body = (
            self.sequence(block.succs[0], body_follow, labels)
            if block.succs[0] is not body_follow
            else []
        )
        handler: Tree = []
        if region.kind in ("except", "star"):
            handler = self.sequence(block.succs[1], local, labels)
        elif region.kind == "finally":
            handler = self.sequence(block.succs[1], None, labels)
        otherwise: Tree = []
        if orelse is not None:
            self.forced.discard(orelse)
            otherwise = self.sequence(orelse, local, labels)
        out.append(TryTree(region, body, handler, otherwise))
        if breaks:
            return labels.out
        # Behind a `with` control goes on in one place, whether or not it swallowed an exception.
        return None if body_follow is local else body_follow if region.suppressed else None

    def else_clause(
        self,
        region: Region,
        merges: List[Block],
        pending: List[Block],
        follow: Optional[Block],
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
        return None


def _widen(loop: Loop) -> None:
    """Add to a loop what its ways out do before they meet: `if a: b(); break` at its end."""
    header = loop.header
    ways = [
        succ
        for block in loop.body
        for succ in block.succs
        if succ not in loop.body and succ.kind != EXIT and dominates(header, succ)
    ]
    met = Counter(block for way in dict.fromkeys(ways) for block in _reached(way, header))
    most = max(met.values(), default=0)
    if most < 2:
        return
    # Some ways may never get there: they raise or return.
    behind = min((each for each in met if met[each] == most), key=lambda each: each.order)
    for way in ways:
        if way is not behind:
            loop.body |= _reached(way, behind)
    if header.kind == BRANCH:
        # `if a: return` rather than `while not a` with `return` in its `else` clause.
        loop.body.update(succ for succ in header.succs if succ.kind == EXIT)


def _reached(start: Block, limit: Block) -> Set[Block]:
    """What can be reached from `start`, but not through `limit`."""
    found = {start}
    work = [start]
    while work:
        block = work.pop()
        if block is not limit:
            new = [succ for succ in block.succs if succ not in found]
            found.update(new)
            work.extend(new)
    return found - {limit} if start is not limit else found


def _is_short_return(block: Block) -> bool:
    return 0 < len(block.ops) <= _SHORT_TAIL and block.ops[-1].name == "RETURN"


def _is_behind(header: Block, block: Block) -> bool:
    """Whether the iterator of a `for` loop is gone where `block` starts."""
    if header.kind != FOR or header.nesting is None or block.nesting is None:
        return False
    return block.nesting <= header.nesting


def _is_inside(header: Block, block: Block) -> bool:
    """Whether the iterator of a `for` loop is still there where `block` starts."""
    return header.kind == FOR and block.nesting is not None and not _is_behind(header, block)


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


def case_chain(block: Block) -> List[Block]:
    """The cases of the `match` statement that starts in `block`."""
    cases: List[Block] = []
    while block.kind == BRANCH and block.ops and block.ops[-1].name in CONDITIONS:
        if cases and (block.ops[0].name != "NEXT_CASE" or len(block.preds) > 1):
            break
        cases.append(block)
        block = block.succs[1]
    return cases


def _is_next_case(block: Block) -> bool:
    """Whether the block goes on with a `match` statement and so stands where that does."""
    return bool(block.ops) and block.ops[0].name in ("NEXT_CASE", "LAST_CASE")


def _ends_handler_only(region: Region, block: Block, merges: List[Block]) -> bool:
    """A `return` that only handlers reach is written in each, if the body goes on elsewhere."""
    if block.kind != EXIT or len(block.ops) > _SHORT_TAIL or region.kind not in ("except", "star"):
        return False
    if region.body_reaches(block):
        return False
    return any(
        region.protected not in succ.context and succ not in merges
        for inside in region.body_blocks
        for succ in inside.succs
    )


def _leads_to(region: Region, block: Block) -> bool:
    return region.body_reaches(block) or region.handler_reaches(block)


def _without_ends_of_rounds(
    merges: List[Block], follow: Optional[Block], labels: _Labels
) -> List[Block]:
    """`break` and `continue` are written in each handler that they end, not behind them."""
    ends = (labels.again, labels.out)
    return [
        each
        for each in merges
        if not (_ends_handler(each) and _behind_handlers(each) in ends)
        or _behind_handlers(each) is follow
    ]


def _ends_handler(block: Block) -> bool:
    """Whether a block ends the handling of an exception and does nothing else."""
    return (
        block.kind == JUMP and bool(block.ops) and all(op.name == "POP_EXCEPT" for op in block.ops)
    )


def _behind_handlers(block: Block) -> Block:
    """Where control goes on when all handlers that end here have ended."""
    while _ends_handler(block):
        block = block.succs[0]
    return block


def _breaks_often(region: Region, labels: _Labels) -> bool:
    """Whether more ways out of a `try` statement break the loop than start it again."""
    if labels.out is None or region.kind not in ("except", "star"):
        return False
    counts = {labels.again: 0, labels.out: 0}
    for label in counts:
        for pred in label.preds if label is not None else ():
            if region.protected in pred.context:
                counts[label] += 1
            elif region.handling in pred.context:
                counts[label] += len(pred.preds) if _ends_handler(pred) else 1
    return counts[labels.out] > counts[labels.again] + 1


def _left_region(inner: Block, block: Block) -> Optional[Region]:
    """The outermost region that `inner` lies in and `block` does not."""
    for place, part in enumerate(inner.context):
        if place >= len(block.context) or block.context[place] is not part:
            assert isinstance(part, Part)
            return part.region
    return None


def _in_handler(block: Block, depth: int) -> bool:
    return any(isinstance(part, Part) and part.is_handler for part in block.context[depth:])


def _is_assertion(block: Block) -> bool:
    """Whether a branch is the test of an `assert` statement."""
    then, otherwise = block.succs
    if otherwise.kind != EXIT or not otherwise.ops or otherwise.ops[-1].name != "RAISE":
        return False
    first = otherwise.ops[0]
    if first.name == "LOAD_GLOBAL" and first.arg == "AssertionError":
        # 3.8 has no instruction of its own for it, but puts it right behind the test.
        return not block.index < then.index < otherwise.index
    return first.name == "LOAD_ASSERTION_ERROR"


def _choose_arms(
    block: Block,
    follow: Optional[Block],
    labels: _Labels,
    nest: bool,
    copied: Collection[Block],
) -> Tuple[Block, Block, bool]:
    """(what stands under `if`, what stands under `else`, whether the test is negated)."""
    if_true, if_false = block.succs
    if if_true is if_false:
        return if_true, if_false, False
    if _is_assertion(block):
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


def _drop_last_continue(tree: Tree) -> None:
    if tree and tree[-1] is CONTINUE:
        tree.pop()


def never_falls_through(tree: Tree) -> bool:
    """Whether control cannot leave the end of `tree`."""
    if not tree:
        return False
    last = tree[-1]
    if isinstance(last, Jump):
        return True
    if isinstance(last, Block):
        return last.kind == EXIT
    if isinstance(last, IfTree):
        return bool(last.orelse) and all(
            never_falls_through(body)
            for body in [last.orelse, *(clause[2] for clause in last.clauses)]
        )
    if isinstance(last, TryTree):
        if last.region.kind == "finally":
            return never_falls_through(last.body)
        if last.region.kind in ("with", "async with"):
            return False
        ends = last.orelse if last.orelse else last.body
        return never_falls_through(ends) and never_falls_through(last.handler)
    if isinstance(last, LoopTree):
        return last.kind == "forever" and not _breaks(last.body)
    return False


def _breaks(tree: Tree) -> bool:
    """Whether a `break` of the loop around `tree` stands in it."""
    for node in tree:
        if node is BREAK:
            return True
        if isinstance(node, IfTree):
            if _breaks(node.orelse) or any(_breaks(clause[2]) for clause in node.clauses):
                return True
        elif isinstance(node, TryTree):
            if _breaks(node.body) or _breaks(node.handler) or _breaks(node.orelse):
                return True
        elif isinstance(node, LoopTree) and _breaks(node.orelse):
            return True
    return False


def build_tree(graph: Graph, pure: Callable[[Block], Optional[Expr]], nest: bool) -> Tree:
    """The tree of `graph`, or `Unstructured`."""
    try:
        return _Builder(graph, pure, nest).tree()
    except Unstructured:
        for copied, wide_loops in _other_ways(graph):
            try:
                return _Builder(graph, pure, nest, copied, wide_loops).tree()
            except Unstructured:
                continue
        raise


def _other_ways(graph: Graph) -> Iterator[Tuple[Collection[Block], bool]]:
    """Which returns to write more than once, one of a few or all, and whether to widen loops.

    Several `return` statements may have become one block that stands nowhere.
    """
    yield (), True
    shared = [block for block in graph.blocks() if len(block.preds) > 1 and _is_short_return(block)]
    if 1 < len(shared) <= _FEW:
        for block in shared:
            yield (block,), False
    if shared:
        yield frozenset(shared), False
        yield frozenset(shared), True
