"""Blocks -> nested control structures, by walking the dominator tree (Ramsey, "Beyond Relooper").

A block's statement contains what only it leads to; blocks where several paths meet stand behind
the statement of the block that dominates them. Python has no labels, so every edge must be a
fall into what follows, a `break` or a `continue`, or its short target is written twice; when no
way fits, `Unstructured` sends the whole code object to a coarser method.
"""

from __future__ import annotations

from typing import Callable, Collection, Dict, List, Optional, Set, Tuple

from depyf.decompile.expr.nodes import Expr
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, JUMP, TRY, Block, Graph
from depyf.decompile.structure.branches import (
    case_chain,
    choose_arms,
    is_assertion,
    tests_around,
)
from depyf.decompile.structure.continues import continues, must_continue
from depyf.decompile.structure.dominators import (
    Loop,
    compute_dominators,
    find_loops,
    reverse_postorder,
)
from depyf.decompile.structure.handler_ends import (
    bare_return,
    broken_to,
    else_clause,
    ends_handler,
    ends_handler_only,
    ends_round,
    ends_soon,
    goes_elsewhere,
    in_star_handler,
    leads_to,
    may_meet,
    meets_under,
    without_ends_of_rounds,
)
from depyf.decompile.structure.layout import keeps_its_sense
from depyf.decompile.structure.one_round import around_finally, for_once, one_round
from depyf.decompile.structure.regions import Part, Region
from depyf.decompile.structure.returns import has_no_return
from depyf.decompile.structure.tree_loops import loop_statement
from depyf.decompile.structure.tree_nodes import (
    BREAK,
    CONTINUE,
    NO_LOOP,
    IfTree,
    Labels,
    Tree,
    TryTree,
    Unreached,
    Unstructured,
    never_falls_through,
    reaches_end,
    says_continue,
)
from depyf.decompile.structure.with_exits import returns_quietly

# Arms this deep inside each other are unfolded where `continue` allows it.
_DEEP = 8


class Builder:
    """Builds one tree; some returns may be copied on the way, and loops be wide."""

    def __init__(
        self,
        graph: Graph,
        pure: Callable[[Block], Optional[Expr]],
        nest: bool,
        copied: Collection[Block] = (),
        wide_loops: bool = False,
        broken: Collection[Block] = (),
        behind_exits: Collection[Block] = (),
        left: Collection[Block] = (),
        use_continue: bool = True,
    ) -> None:
        self.pure = pure
        # Whether what follows clauses that end the round stands behind them, not under `else`.
        self.use_continue = use_continue
        # Whether loops contain everything before the place where the ways out of them meet.
        self.wide_loops = wide_loops
        # Short ends of the function that are written wherever a path leads to them.
        self.copied = copied
        # Where only a `break` leads, out of a loop that nothing else tells of.
        self.broken = set(broken)
        # Where loops break to, whatever the layout says.
        self.left = left
        # Whether `if a: rest` is preferred to `if not a: continue`, as comprehensions need it.
        self.nest = nest
        self.version = graph.program.code.version
        self.may_return = not has_no_return(graph)
        self.unwritten = ("RERAISE",) if self.may_return else ("RERAISE", "RETURN")
        blocks = reverse_postorder(graph.entry)
        compute_dominators(blocks, graph.has_loops)
        loops = find_loops(blocks) if graph.has_loops else {}
        if loops is None:
            raise Unstructured("a loop has two entries")
        self.loops: Dict[Block, Loop] = loops
        self.merges: Dict[Block, List[Block]] = {}
        self.parents: Dict[Block, Block] = {}
        self.forced: Set[Block] = set()
        self.placed: Set[Block] = set()
        self.entry = graph.entry
        # How many arms of `if` statements stand around, and in which regions they lie.
        self.depth = 0
        self.context: Tuple[object, ...] = ()
        # What stands behind an `if` that only one arm gets past, by the layout of the code.
        self.behind = tests_around(behind_exits, loops)
        for block in blocks[1:]:
            if may_meet(block) or block in self.behind:
                self._hang(block)

    def tree(self) -> Tree:
        return self.sequence(self.entry, None, NO_LOOP)

    def _hang(self, block: Block) -> None:
        """Decide under which block's statement a meeting point stands."""
        parent = self.behind.get(block) or meets_under(block, self.copied)
        if parent is None:
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
        self, start: Block, follow: Optional[Block], labels: Labels, first: bool = False
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

    def is_jump(self, block: Block, follow: Optional[Block], labels: Labels, out: Tree) -> bool:
        """Handle an edge to somewhere else; False when `block` belongs right here."""
        if block is follow:
            return True
        if block is labels.again:
            out.append(CONTINUE)
            return True
        if block is labels.out:
            out.append(BREAK)
            return True
        is_copied = block in self.copied and not self.is_short_end(block)
        if is_copied or block in self.forced or block in self.placed:
            self.duplicate(block, follow, labels, out)
            return True
        return False

    def duplicate(self, block: Block, follow: Optional[Block], labels: Labels, out: Tree) -> None:
        """Write a short end of the function, or of a handler, a second time."""
        may_return = self.may_return and not in_star_handler(self.context)
        if block.kind == EXIT and not block.ops and may_return:
            # No way gets past a `finally` body that never ends: any `return` leads there.
            block = bare_return(block)
        if self.is_short_end(block):
            out.append(block)
            return
        if ends_handler(block) or (block.kind == JUMP and not block.ops):
            out.append(block)
            behind = block.succs[0]
            if self.is_jump(behind, follow, labels, out):
                return
            if self.is_short_end(behind):
                out.append(behind)
                return
        raise Unreached(block)

    def is_short_end(self, block: Block) -> bool:
        # Behind a `try` or `with`, and inside it, only a bare return means the same.
        here = block.context == self.context or (returns_quietly(block) and self.may_return)
        return ends_soon(block) and here

    def statement(
        self,
        block: Block,
        follow: Optional[Block],
        labels: Labels,
        out: Tree,
        pending: List[Block],
        inside_loop: bool,
    ) -> Optional[Block]:
        """Append the statement of `block`; returns the block to go on with, if any."""
        if not inside_loop and block in self.loops:
            return loop_statement(self, block, follow, labels, out, pending)
        self.placed.add(block)
        merges = self.merges.pop(block, [])
        cases = case_chain(block) if block.kind == BRANCH else []
        for case in cases[1:]:
            merges.extend(self.merges.pop(case, []))
        if len(merges) > 1:
            merges.sort(key=lambda each: each.order, reverse=True)
        if self.broken and not self.broken.isdisjoint(merges):
            out.append(one_round(self, block, merges, pending))
            return None
        if block.kind == TRY:
            return self.try_statement(block, merges, follow, labels, out, pending)
        if merges:
            behind = pending[-1] if pending else follow
            merges = without_ends_of_rounds(merges, behind, labels)
        pending.extend(merges)
        if block.kind == JUMP:
            out.append(block)
            if block.succs[0] is labels.again and must_continue(block, self.version):
                out.append(CONTINUE)
                return None
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
            return for_once(self, block, local, labels, out)
        raise Unstructured("a value is kept across a jump")

    def arm(self, target: Block, follow: Optional[Block], labels: Labels) -> Tree:
        self.depth += 1
        tree = self.sequence(target, follow, labels)
        self.depth -= 1
        return tree

    def if_statement(
        self, block: Block, follow: Optional[Block], labels: Labels, out: Tree
    ) -> Optional[Block]:
        out.append(block)
        clauses: List[Tuple[Block, bool, Tree]] = []
        while True:
            then, other, negated = choose_arms(block, follow, labels, self.nest, self.copied)
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
            if len(clauses) == 1 and never_falls_through(body, self.unwritten):
                if follow is not None or not reaches_end(body):
                    out.append(IfTree(clauses, []))
                    return other
            if (
                len(clauses) == 1
                and follow is labels.again
                and says_continue(body)
                and not self.nest
            ):
                body.append(CONTINUE)
                out.append(IfTree(clauses, []))
                return other
            if not self.is_elif(block, other):
                break
            self.placed.add(other)
            block = other
        if follow is labels.again and self.depth >= _DEEP and not self.nest:
            # `continue` instead of one more `else` inside the `else` before it.
            for _block, _negated, body in clauses:
                if not never_falls_through(body):
                    body.append(CONTINUE)
            out.append(IfTree(clauses, []))
            return other
        out.append(IfTree(clauses, self.arm(other, follow, labels)))
        return None

    def is_elif(self, block: Block, other: Block) -> bool:
        return (
            other.kind == BRANCH
            and other not in self.forced
            and other not in self.placed
            and other not in self.loops
            and other not in self.merges
            and not is_assertion(other)
            and self.pure(other) is not None
        )

    def match_statement(
        self, cases: List[Block], follow: Optional[Block], labels: Labels, out: Tree
    ) -> Optional[Block]:
        """All cases of one statement; what none of them matches stands behind or in `case _`."""
        out.append(cases[0])
        self.placed.update(cases)
        clauses = [(case, False, self.arm(case.succs[0], follow, labels)) for case in cases]
        other = cases[-1].succs[1]
        is_case = bool(other.ops) and other.ops[0].name == "LAST_CASE"
        if other is follow:
            out.append(IfTree(clauses, []))
        elif not is_case and all(
            never_falls_through(body, self.unwritten) for _case, _negated, body in clauses
        ):
            out.append(IfTree(clauses, []))
            return other
        else:
            out.append(IfTree(clauses, self.arm(other, follow, labels)))
        return None

    # try and with.

    def try_statement(
        self,
        block: Block,
        merges: List[Block],
        follow: Optional[Block],
        labels: Labels,
        out: Tree,
        pending: List[Block],
    ) -> Optional[Block]:
        region = block.region
        assert isinstance(region, Region)
        if self.may_return:
            merges = [each for each in merges if not ends_handler_only(region, each, merges)]
        behind = pending[-1] if pending else follow
        left = broken_to(region, [*merges, behind], labels, self.may_return)
        if left is not None:
            out.append(around_finally(self, region, block, left, merges))
            pending.extend(each for each in merges if each.ops)
            return None
        goes_on = region.suppressed or (behind is not None and leads_to(region, behind))
        if len(merges) > 1 or goes_on:
            merges = without_ends_of_rounds(merges, behind, labels)
        orelse = else_clause(region, merges, pending, follow, self.version)
        if orelse is not None and behind is labels.again:
            others = [each for each in merges if not ends_round(each, labels)]
            reached = not self.use_continue or any(map(region.handler_reaches, others))
            if not reached and continues(region, behind, orelse, self.version):
                # The clauses end the round: what is left of it stands behind the statement.
                merges, orelse = others, None
        if orelse is not None:
            merges = [each for each in merges if each is not orelse]
        pending.extend(merges)
        local = pending[-1] if pending else follow
        elsewhere = goes_elsewhere(region, local, labels)
        local = elsewhere or local
        body_follow = orelse if orelse is not None else local
        if region.suppressed is not None:
            body_follow = block.succs[1]
        body: Tree = []
        if block.succs[0] is not body_follow:
            body = self.part(region.protected, block.succs[0], body_follow, labels)
        handler: Tree = []
        if region.kind in ("except", "star"):
            handler = self.part(region.handling, block.succs[1], local, labels)
        elif region.kind == "finally":
            handler = self.part(region.handling, block.succs[1], None, labels)
        otherwise: Tree = []
        if orelse is not None:
            self.forced.discard(orelse)
            otherwise = self.sequence(orelse, local, labels)
        out.append(TryTree(region, body, handler, otherwise))
        if elsewhere is not None:
            return elsewhere
        # Behind a `with` control goes on in one place, whether or not it swallowed an exception.
        return None if body_follow is local else body_follow if region.suppressed else None

    def part(self, part: Part, start: Block, follow: Optional[Block], labels: Labels) -> Tree:
        """What a region protects, or what handles its exceptions."""
        around, self.context = self.context, (*self.context, part)
        tree = self.sequence(start, follow, labels)
        self.context = around
        return tree
