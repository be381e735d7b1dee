"""Folds the graph until conditions are expressions: and, or, not, ternaries, chained comparisons.

A block whose operations compute one value and nothing else (`pure`) and that only one other block
leads to can become an operand of that block. Rules are applied until none fits any more; nearly
each takes a block away, so the work is about linear in the size of the graph.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import takewhile
from typing import Callable, Dict, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import KEEPS
from depyf.decompile.expr import cases, nodes
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import Scope
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, JUMP, KEEP, Block, Graph
from depyf.decompile.structure.branches import is_assertion, jumps_before
from depyf.decompile.structure.chains import (
    chain_start,
    compares_at_once,
    fold_chain_keep,
    fold_chain_test,
    fold_chain_value,
)
from depyf.decompile.structure.copies import split
from depyf.decompile.structure.layout import (
    is_meant,
    is_on_another_line,
    keeps_its_sense,
    starts_while,
)
from depyf.decompile.structure.operands import (
    Operands,
    absorb,
    add_step,
    drop,
    end_group,
    end_of_operand,
    end_with,
    ends_statement,
    finish_value,
    holds_statement,
    joined,
    same_sink,
    sink,
)
from depyf.decompile.structure.ternaries import fold_ternary, fold_ternary_keep, fold_ternary_test


class Folder(Operands):
    """Applies the rules to one graph."""

    def __init__(self, graph: Graph, scope: Scope) -> None:
        super().__init__(graph, scope)
        # Blocks that wait to be merged, the last first.
        self.postponed: List[Block] = []
        # What stands behind a `return` or `raise`.
        self.behind_exits: Set[Block] = set()
        # Where loops jump back from, and where to.
        self.rounds: List[Tuple[int, int]] = []
        kinds = graph.program.kinds
        self.has_keeps = not kinds.isdisjoint(KEEPS)
        # A chain keeps a copy. What was made of a frame may have others than its bytecode.
        self.has_chains = "COPY" in kinds or scope.options.facts is not None
        self.rules = _RULES if self.has_keeps or self.has_chains else _RULES_OF_PLAIN_TESTS

    def run(self, blocks: List[Block]) -> None:
        """`blocks` are all of the graph, in layout order."""
        self.behind_exits.update(
            [block for before, block in zip(blocks, blocks[1:]) if before.kind == EXIT]
        )
        if self.graph.has_loops:
            self.rounds = sorted(
                (block.index, succ.index)
                for block in blocks
                for succ in block.succs
                if succ.index <= block.index
            )
        self.fold(list(blocks))
        if self.has_keeps:
            while self.fold(_spread_tests(self)):
                pass
        for block in reversed(self.postponed):
            while block.kind == JUMP and block.succs and self.merge(block, may_wait=False):
                pass

    def fold(self, work: List[Block]) -> bool:
        """Apply rules until none fits; False when there was nothing to do."""
        queued = set(work)
        started = bool(work)
        while work:
            block = work.pop()
            queued.discard(block)
            if block is not self.graph.entry and not block.preds and block not in self.handlers:
                continue
            changed = False
            while self.step(block):
                changed = True
            if changed:
                for pred in block.preds:
                    if pred not in queued:
                        queued.add(pred)
                        work.append(pred)
        return started

    def step(self, block: Block) -> bool:
        if block.kind == JUMP:
            return self.merge(block)
        if block.kind not in _RULES:
            return False
        rules = self.rules[block.kind]
        if self.goes_on_chain(block):
            # The second half of a chained comparison waits for the first.
            rules = _CHAIN_RULES[block.kind]
        elif block.kind == BRANCH and block.ops and block.ops[-1].name in cases.CONDITIONS:
            return _fold_guard(self, block)
        for rule in rules:  # noqa: SIM110  (a generator costs as much as a rule)
            if rule(self, block):
                return True
        return False

    def goes_on_chain(self, block: Block) -> bool:
        """Whether a block compares with what a comparison before it has left on the stack.

        One that computes a value of its own is a part of the next operand: `a < b < (c or d)`.
        """
        preds = block.preds
        if len(preds) > 1:
            # Its operand is a choice that has not been folded yet.
            return bool(block.ops) and compares_at_once(block)
        if not self.has_chains or not preds or preds[0].kind == JUMP:
            return False
        if not chain_start(preds[0]):
            return False
        return self.pure(block) is None

    def merge(self, block: Block, may_wait: bool = True) -> bool:
        """Two blocks that always run one after the other are one.

        Statements in the second are no part of any condition. So a long one may wait until all
        conditions are folded: blocks come last first, and each would copy all that follow it.
        """
        succ = block.succs[0]
        if (
            not self.only_from(succ, block)
            or succ.kind == FOR
            or succ.kind == "try"
            or succ is block
        ):
            return False
        last = block.ops[-1].name if block.ops else ""
        if last in ("POP_EXCEPT", "LEAVE_LOOP"):
            return False
        if last == "LAST_CASE" and _guard_last_case(self, block, succ):
            return True
        if succ in self.behind_exits and succ.index > block.index and ends_statement(block.ops):
            # It follows an `if` whose other arm stands in between.
            return False
        if self.rounds and self.breaks(block, succ):
            return False
        if may_wait and len(succ.ops) > _LONG_BLOCK and holds_statement(succ.ops):
            self.postponed.append(block)
            return False
        if not block.ops:
            block.index = succ.index
        elif _starts_with_test(succ):
            # The value was finished before it is tested: `(a and b) and c`.
            add_step(block, "FOLD_GROUP")
        absorb(block, succ)
        block.ops.extend(succ.ops)
        return True

    def breaks(self, block: Block, succ: Block) -> bool:
        """Whether a loop ends in between: what a `break` does stands in it, the rest behind."""
        start, end = block.index, succ.index
        if end <= start or not ends_statement(block.ops):
            return False
        behind = self.rounds[bisect_right(self.rounds, (start, end)) :]
        return any(again <= start for last, again in takewhile(lambda each: each[0] < end, behind))


# A block of more operations is not copied into the one before it at once.
_LONG_BLOCK = 500


def _starts_with_test(block: Block) -> bool:
    """Whether the block first of all tests the value that lies on the stack."""
    if block.ops:
        return block.ops[0].name in ("FOLD_AND", "FOLD_OR", "FOLD_TERNARY", "FOLD_NOT")
    return block.kind in (KEEP, BRANCH)


# Rules for a block that ends with a test.


def _fold_guard(folder: Folder, a: Block) -> bool:
    """`case pattern if guard`: both fail to the same place. Nothing else is a part of a case."""
    guard, failed = a.succs
    expr = folder.test(guard, a)
    if expr is None or guard is failed:
        return False
    if guard.succs[1] is failed:
        return joined(a, guard, [("CASE_GUARD", expr)], list(guard.succs))
    if guard.succs[0] is failed and nodes.can_negate(expr):
        return joined(a, guard, [("CASE_GUARD", nodes.negate(expr))], [guard.succs[1], failed])
    return False


def _guard_last_case(folder: Folder, case: Block, test: Block) -> bool:
    """`case x if guard`: on its line the last case may still fail, an `if` in it stands below."""
    expr = folder.test(test, case)
    op = case.ops[-1]
    if expr is None or op.line is None or not test.ops or is_assertion(test):
        return False
    if any(each.line != op.line for each in test.ops):
        return False
    # The body stands next, or a `break` that is all of it; a case that fails may end the round.
    places = [test.jumps.get(each, each.index) for each in test.succs]
    body, failed = test.succs
    if (places[1] < test.index, places[1]) < (places[0] < test.index, places[0]):
        if not nodes.can_negate(expr):
            return False
        expr, body, failed = nodes.negate(expr), failed, body
    op.name = "NEXT_CASE"
    return joined(case, test, [("CASE_GUARD", expr)], [body, failed])


def _fold_tests(folder: Folder, a: Block) -> bool:
    """Two tests that share an outcome."""
    a_true, a_false = a.succs
    if a_true is a_false or _waits_for_group(a):
        return False
    b = a_true
    expr = folder.test(b, a)
    if expr is not None and not starts_while(b, a):
        b_true, b_false = b.succs
        if _jumps_between(a, a_false, b):
            return False
        if b_false is a_false:
            return joined(a, b, [("FOLD_AND", expr)], [b_true, b_false])
        if b_true is a_false:
            if is_assertion(b) and is_on_another_line(a, b):
                # if a: assert b
                return False
            if _negates_first(folder, a, b, expr):
                return joined(a, b, [("FOLD_NOT", None), ("FOLD_OR", expr)], [b_true, b_false])
            if nodes.can_negate(expr):
                return joined(a, b, [("FOLD_AND", nodes.negate(expr))], [b_false, b_true])
    b = a_false
    expr = folder.test(b, a)
    if expr is not None and not starts_while(b, a):
        b_true, b_false = b.succs
        if _jumps_between(a, a_true, b):
            return False
        if b_true is a_true:
            return joined(a, b, [("FOLD_OR", expr)], [b_true, b_false])
        if b_false is a_true:
            if _negates_first(folder, a, b, expr):
                return joined(a, b, [("FOLD_NOT", None), ("FOLD_AND", expr)], [b_true, b_false])
            if nodes.can_negate(expr):
                return joined(a, b, [("FOLD_OR", nodes.negate(expr))], [b_false, b_true])
    return False


def _jumps_between(a: Block, target: Block, b: Block) -> bool:
    """`if a: continue` and `if b`, which are not one condition though they share an outcome.

    `if (1 if a else b)` has such a jump too, in the same line.
    """
    return jumps_before(a, target, b) and is_on_another_line(a, b)


def _negates_first(folder: Folder, a: Block, b: Block, expr: Expr) -> bool:
    """Which of two tests is negated: layout says, unless one of them cannot be."""
    if keeps_its_sense(a, folder.version):
        return False
    return is_meant(b, *b.succs) or not nodes.can_negate(expr)


def _fold_test_into_keep(folder: Folder, a: Block) -> bool:
    """`a and b or c`: the first test jumps past the second, whose value may be kept."""
    if _waits_for_group(a):
        return False
    for sense in (0, 1):
        b, other = a.succs[sense], a.succs[1 - sense]
        if b.kind != KEEP or b.succs[1] is not other or not folder.only_from(b, a) or b is other:
            continue
        expr = folder.pure(b)
        if expr is None:
            continue
        reached_when_true = sense == 0
        if reached_when_true != b.keeps_true:
            if keeps_its_sense(a, folder.version):
                continue
            add_step(a, "FOLD_NOT")
        add_step(a, "FOLD_AND" if b.keeps_true else "FOLD_OR", expr)
        a.keeps_true, a.in_group = b.keeps_true, b.in_group
        succs = list(b.succs)
        drop(b)
        end_with(a, KEEP, succs)
        return True
    return False


def _fold_settled(folder: Folder, a: Block) -> bool:
    """`(a or True) and b`, `b if a or True else c`: the test is made, and decides nothing.

    On a line of its own it is a statement.
    """
    b, other = a.succs
    if b is not other or b.preds != [a, a] or b.context != a.context or b in folder.handlers:
        return False
    if b.kind == FOR:
        return False
    place = end_of_operand(b.ops)
    if place:
        # What follows uses values from before the test: `x += b if a or True else c`.
        split(b, place)
    elif is_on_another_line(a, b):
        return False
    expr = folder.pure(b)
    if expr is None or (b.kind == EXIT and expr.text == "None"):
        return False
    add_step(a, "FOLD_OR", _TRUE)
    if b.kind in (BRANCH, KEEP):
        add_step(a, "FOLD_AND", expr)
    else:
        add_step(a, "FOLD_TERNARY", (expr, _NONE))
        if b.kind == EXIT:
            add_step(a, "RETURN")
    absorb(a, b)
    return True


def _fold_settled_operand(folder: Folder, a: Block) -> bool:
    """`a and (b or True)`, where others come to the same place: the test of `b` decides nothing."""
    for sense, (word, settling, constant) in enumerate(_SETTLED_OPERANDS):
        b, other = a.succs[sense], a.succs[1 - sense]
        if b.kind != BRANCH or b.succs[0] is not b.succs[1] or is_on_another_line(a, b):
            continue
        behind = b.succs[0]
        expr = folder.test(b, a) if b is not other and len(behind.preds) > 2 else None
        if expr is not None:
            step = word, nodes.boolean(settling, expr, constant)
            return joined(a, b, [step], [other, behind] if sense else [behind, other])
    return False


_TRUE, _FALSE, _NONE = (nodes.name(text, "const") for text in ("True", "False", "None"))
# Behind a test that is true, and behind one that is false.
_SETTLED_OPERANDS = (("FOLD_AND", "or", _TRUE), ("FOLD_OR", "and", _FALSE))


# Rules for a block that keeps its value or goes on.


def _fold_keep(folder: Folder, a: Block) -> bool:
    """`a and b`, `a or b`: the value is kept or replaced by the next one."""
    kept, following = a.succs
    if kept is following or not folder.only_from(following, a) or _waits_for_group(a):
        return False
    word = "FOLD_OR" if a.keeps_true else "FOLD_AND"
    if following.kind == KEEP:
        if following.keeps_true != a.keeps_true or following.succs[0] is not kept:
            return False
        expr = folder.pure(following)
        if expr is None:
            return False
        succs = list(following.succs)
        drop(following)
        add_step(a, word, expr)
        end_group(a, following)
        end_with(a, KEEP, succs)
        return True
    meet = sink(following)
    if not folder.may_be_value(following, a):
        return False
    if not same_sink(meet, kept) and not _keeps_alike(meet, a, word):
        return False
    expr = folder.pure(following)
    if expr is None:
        return False
    drop(following)
    add_step(a, word, expr)
    finish_value(a, meet)
    return True


def _spread_tests(folder: Folder) -> List[Block]:
    """Let the values that meet in a test of `and` or `or` be tested by themselves.

    `(a if b else (c and d)) or e`: where `c` is false the compiler passes the test by, so the
    ways do not meet before it. Returns the blocks that rules may fit now.
    """
    changed: Dict[Block, None] = {}
    for test in folder.graph.blocks():
        if test.kind != KEEP or test.ops or len(test.preds) < 2:
            continue
        for value in list(dict.fromkeys(test.preds)):
            if value.kind == JUMP and value.context == test.context and folder.pure(value):
                value.keeps_true, value.in_group = test.keeps_true, test.in_group
                end_with(value, KEEP, list(test.succs))
                changed.update(dict.fromkeys([*value.preds, value]))
        if not test.preds:
            drop(test)
    return list(changed)


def _waits_for_group(b: Block) -> bool:
    """`(a or b) or c`: `b` goes to `a` before the rest comes to them."""
    if b.kind == KEEP and not b.ops:
        # `(a or (b if c else d)) or e`: what is tested comes together first.
        kept = b.succs[0]
        return any(
            a.in_group and a.kind == KEEP and a.succs[0] is kept and a.keeps_true == b.keeps_true
            for a in kept.preds
            if a.index < b.index
        )
    for a in b.preds:
        if a.in_group and a.kind == b.kind and b in a.succs:
            outcome = a.succs[a.succs[0] is b]
            if outcome is b.succs[a.succs[0] is b] and a.keeps_true == b.keeps_true:
                return True
    return False


def _keeps_alike(meet: Optional[Block], a: Block, word: str) -> bool:
    """`(a and b if c else d) and e`: what `a` keeps, the end where both meet would keep too."""
    if meet is None or not meet.ops or meet.ops[0].name != word:
        return False
    if meet.kind == JUMP:
        return meet.succs[0] is a.succs[0] and all(op.name == word for op in meet.ops)
    return [op.name for op in meet.ops[1:]] == ["RETURN"] and same_sink(None, a.succs[0])


Rule = Callable[[Folder, Block], bool]
_CHAIN_RULES: Dict[str, Tuple[Rule, ...]] = {
    BRANCH: (fold_chain_test,),
    KEEP: (fold_chain_value, fold_chain_keep),
}
_RULES: Dict[str, Tuple[Rule, ...]] = {
    BRANCH: (
        fold_chain_test,
        _fold_tests,
        fold_ternary_test,
        fold_ternary,
        _fold_test_into_keep,
        fold_ternary_keep,
        _fold_settled,
        _fold_settled_operand,
    ),
    KEEP: (fold_chain_value, fold_chain_keep, _fold_keep),
}
# Where no value is kept: those of them that may fit.
_RULES_OF_PLAIN_TESTS: Dict[str, Tuple[Rule, ...]] = {
    BRANCH: (
        _fold_tests,
        fold_ternary_test,
        fold_ternary,
        _fold_settled,
        _fold_settled_operand,
    ),
    KEEP: (),
}
