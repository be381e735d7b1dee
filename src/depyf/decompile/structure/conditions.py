"""Folds the graph until conditions are expressions: and, or, not, ternaries, chained comparisons.

A block whose operations compute one value and nothing else (`pure`) and that only one other block
leads to can become an operand of that block. Rules are applied until none fits any more; each
takes a block away, so the work is linear in the size of the graph.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import cases, nodes
from depyf.decompile.expr.evaluator import Evaluator, NotAnExpression
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import Scope
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, JUMP, KEEP, Block, Graph

_NO_EXPRESSION = object()
_HOLE = Expr("<hole>", nodes.ATOM, "hole", None, True)
_STATEMENTS = frozenset(
    (
        "STORE_ATTR STORE_SUBSCR STORE_SLICE DELETE_FAST DELETE_NAME DELETE_GLOBAL DELETE_DEREF"
        " DELETE_ATTR DELETE_SUBSCR POP_TOP RAISE RERAISE POP_EXCEPT IMPORT_NAME BEFORE_WITH"
        " BEFORE_ASYNC_WITH PUSH_EXC_INFO LOAD_BUILD_CLASS UNPACK UNPACK_EX"
    ).split()
)
_NAME_STORES = frozenset(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))


class Folder:
    """Applies the rules to one graph."""

    def __init__(self, graph: Graph, scope: Scope) -> None:
        self.graph = graph
        self.scope = scope
        self.version = scope.code.version
        self.handlers = set(graph.handlers)
        # Blocks that wait to be merged, the last first.
        self.postponed: List[Block] = []

    def run(self) -> None:
        work = self.graph.blocks()
        queued = set(work)
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
        for block in reversed(self.postponed):
            while block.kind == JUMP and block.succs and self.merge(block, may_wait=False):
                pass

    def step(self, block: Block) -> bool:
        if block.kind == JUMP:
            return self.merge(block)
        preds = block.preds
        if len(preds) == 1 and preds[0].kind != JUMP and _chain_start(preds[0]):
            # The second half of a chained comparison waits for the first.
            rules = _CHAIN_RULES.get(block.kind, ())
        elif block.kind == BRANCH and block.ops and block.ops[-1].name in cases.CONDITIONS:
            return _fold_guard(self, block)
        else:
            rules = _RULES.get(block.kind, ())
        for rule in rules:  # noqa: SIM110  (a generator costs as much as a rule)
            if rule(self, block):
                return True
        return False

    def only_from(self, block: Block, pred: Block) -> bool:
        return (
            len(block.preds) == 1
            and block.preds[0] is pred
            and block.context == pred.context
            and block not in self.handlers
        )

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
        if block.ops and block.ops[-1].name in ("POP_EXCEPT", "LEAVE_LOOP"):
            return False
        if may_wait and len(succ.ops) > _LONG_BLOCK and _holds_statement(succ.ops):
            self.postponed.append(block)
            return False
        if not block.ops:
            block.index = succ.index
        elif _starts_with_test(succ):
            # The value was finished before it is tested: `(a and b) and c`.
            _append(block, "FOLD_GROUP")
        absorb(block, succ)
        block.ops.extend(succ.ops)
        return True

    def pure(self, block: Block, hole: bool = False) -> Optional[Expr]:
        """The expression that `block` computes; with `hole`, from one value on the stack."""
        if hole:
            return self._compute(block, hole)
        known: Any = block.pure
        if known is None:
            known = block.pure = self._compute(block, hole) or _NO_EXPRESSION
        return None if known is _NO_EXPRESSION else known

    def _compute(self, block: Block, hole: bool) -> Optional[Expr]:
        ops = block.ops
        if block.kind == EXIT:
            if not ops or ops[-1].name != "RETURN":
                return None
            ops = ops[:-1]
        if _holds_statement(ops):
            return None
        evaluator = Evaluator(self.scope, [_HOLE] if hole else [], pure=True)
        try:
            evaluator.run(ops)
        except NotAnExpression:
            return None
        if len(evaluator.stack) != 1 or evaluator.stack[0].kind in _NO_OPERAND:
            return None
        return evaluator.stack[0]

    def value(self, block: Block, pred: Block) -> Optional[Tuple[Expr, Optional[Block]]]:
        """A value and where control takes it: a block, or None for `return`."""
        if not self.only_from(block, pred) or block.kind not in (JUMP, EXIT):
            return None
        expr = self.pure(block)
        if expr is None:
            return None
        return expr, block.succs[0] if block.kind == JUMP else None

    def test(self, block: Block, pred: Block) -> Optional[Expr]:
        if block.kind != BRANCH or not self.only_from(block, pred):
            return None
        return self.pure(block)


# A block of more operations is not copied into the one before it at once.
_LONG_BLOCK = 500


def _holds_statement(ops: List[Op]) -> bool:
    previous = ""
    for op in ops:
        if op.name in _STATEMENTS or (op.name in _NAME_STORES and previous != "COPY"):
            return True
        previous = op.name
    return False


def _starts_with_test(block: Block) -> bool:
    """Whether the block first of all tests the value that lies on the stack."""
    if block.ops:
        return block.ops[0].name in ("FOLD_AND", "FOLD_OR", "FOLD_TERNARY", "FOLD_NOT")
    return block.kind in (KEEP, BRANCH)


_NO_OPERAND = frozenset(
    (
        "func",
        "class",
        "decorated",
        "import",
        "null",
        "iter",
        "hole",
        "inplace",
        "exception match",
        "case",
    )
)


def absorb(block: Block, succ: Block) -> None:
    """`block` takes over how `succ` ends."""
    block.kind, block.keeps_true, block.is_async = succ.kind, succ.keeps_true, succ.is_async
    block.pure = None
    targets = list(succ.succs)
    succ.set_succs([])
    block.set_succs(targets)


def _append(block: Block, name: str, arg: Any = None) -> None:
    line = block.ops[-1].line if block.ops else None
    offset = block.ops[-1].offset if block.ops else -1
    block.ops.append(Op(name, arg, offset, line))
    block.pure = None


def _end(block: Block, kind: str, succs: List[Block]) -> None:
    block.kind = kind
    block.pure = None
    block.set_succs(succs)


def _drop(block: Block) -> None:
    block.set_succs([])


# Rules for a block that ends with a test.


def _fold_guard(folder: Folder, a: Block) -> bool:
    """`case pattern if guard`: both fail to the same place. Nothing else is a part of a case."""
    guard, failed = a.succs
    expr = folder.test(guard, a)
    if expr is None or guard is failed:
        return False
    if guard.succs[1] is failed:
        return _joined(a, guard, [("CASE_GUARD", expr)], list(guard.succs))
    if guard.succs[0] is failed and nodes.can_negate(expr):
        return _joined(a, guard, [("CASE_GUARD", nodes.negate(expr))], [guard.succs[1], failed])
    return False


def _fold_tests(folder: Folder, a: Block) -> bool:
    """Two tests that share an outcome."""
    a_true, a_false = a.succs
    if a_true is a_false:
        return False
    b = a_true
    expr = folder.test(b, a)
    if expr is not None:
        b_true, b_false = b.succs
        if b_false is a_false:
            return _joined(a, b, [("FOLD_AND", expr)], [b_true, b_false])
        if b_true is a_false:
            if _negates_first(folder, a, b, expr):
                return _joined(a, b, [("FOLD_NOT", None), ("FOLD_OR", expr)], [b_true, b_false])
            if nodes.can_negate(expr):
                return _joined(a, b, [("FOLD_AND", nodes.negate(expr))], [b_false, b_true])
    b = a_false
    expr = folder.test(b, a)
    if expr is not None:
        b_true, b_false = b.succs
        if b_true is a_true:
            return _joined(a, b, [("FOLD_OR", expr)], [b_true, b_false])
        if b_false is a_true:
            if _negates_first(folder, a, b, expr):
                return _joined(a, b, [("FOLD_NOT", None), ("FOLD_AND", expr)], [b_true, b_false])
            if nodes.can_negate(expr):
                return _joined(a, b, [("FOLD_OR", nodes.negate(expr))], [b_false, b_true])
    return False


def _negates_first(folder: Folder, a: Block, b: Block, expr: Expr) -> bool:
    """Which of two tests is negated: layout says, unless one of them cannot be."""
    if keeps_its_sense(a, folder.version):
        return False
    return _falls_into(b, b.succs[0]) or not nodes.can_negate(expr)


def keeps_its_sense(block: Block, version: Tuple[int, int]) -> bool:
    """Before 3.14 `not a in b` compiles to another instruction than a test of `a in b`."""
    last = block.ops[-1] if block.ops else None
    return (
        last is not None
        and last.name == "COMPARE"
        and last.arg in ("in", "not in", "is", "is not")
        and version < (3, 14)
    )


def _falls_into(block: Block, succ: Block) -> bool:
    """Layout as a tie-break: the outcome that stands right behind is the one meant."""
    others = [each.index for each in block.succs if each.index > block.index]
    return bool(others) and succ.index == min(others)


def _joined(a: Block, b: Block, steps: List[Tuple[str, Any]], succs: List[Block]) -> bool:
    _drop(b)
    for name, arg in steps:
        _append(a, name, arg)
    _end(a, BRANCH, succs)
    return True


def _fold_ternary_test(folder: Folder, a: Block) -> bool:
    """`if (b if a else c)`: both tests lead to the same two places."""
    b, c = a.succs
    if b is c:
        return False
    b_expr, c_expr = folder.test(b, a), folder.test(c, a)
    if b_expr is None or c_expr is None:
        return False
    if b.succs[0] is c.succs[1] and b.succs[1] is c.succs[0] and b.succs[0] is not b.succs[1]:
        c_expr = nodes.negate(c_expr)
    elif b.succs[0] is not c.succs[0] or b.succs[1] is not c.succs[1]:
        return False
    targets = list(b.succs)
    _drop(c)
    return _joined(a, b, [("FOLD_TERNARY", (b_expr, c_expr))], targets)


def _fold_ternary(folder: Folder, a: Block) -> bool:
    """`b if a else c`: both branches push a value and meet."""
    if a.succs[0] is a.succs[1]:
        return False
    if_true = folder.value(a.succs[0], a)
    if_false = folder.value(a.succs[1], a) if if_true is not None else None
    if if_true is None or if_false is None or if_true[1] is not if_false[1]:
        return False
    meet = if_true[1]
    if meet is None and not _one_return(a.succs[0], a.succs[1]):
        return False
    if meet is not None and (meet in a.succs):
        return False
    for succ in list(a.succs):
        _drop(succ)
    _append(a, "FOLD_TERNARY", (if_true[0], if_false[0]))
    _finish_value(a, meet)
    return True


def _finish_value(a: Block, meet: Optional[Block]) -> None:
    if meet is None:
        _append(a, "RETURN")
        _end(a, EXIT, [])
    else:
        _end(a, JUMP, [meet])


def _one_return(first: Block, second: Block) -> bool:
    """Whether two returns were one statement: the compiler copies a return into branches."""
    line = first.ops[-1].line
    return (
        line is not None and line == second.ops[-1].line and first.ops[0].line == second.ops[0].line
    )


def _fold_test_into_keep(folder: Folder, a: Block) -> bool:
    """`a and b or c`: the first test jumps past the second, whose value may be kept."""
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
            _append(a, "FOLD_NOT")
        _append(a, "FOLD_AND" if b.keeps_true else "FOLD_OR", expr)
        a.keeps_true = b.keeps_true
        succs = list(b.succs)
        _drop(b)
        _end(a, KEEP, succs)
        return True
    return False


# Rules for a block that keeps its value or goes on.


def _fold_keep(folder: Folder, a: Block) -> bool:
    """`a and b`, `a or b`: the value is kept or replaced by the next one."""
    kept, following = a.succs
    if kept is following or not folder.only_from(following, a):
        return False
    word = "FOLD_OR" if a.keeps_true else "FOLD_AND"
    if following.kind == KEEP:
        if following.keeps_true != a.keeps_true or following.succs[0] is not kept:
            return False
        expr = folder.pure(following)
        if expr is None:
            return False
        succs = list(following.succs)
        _drop(following)
        _append(a, word, expr)
        _end(a, KEEP, succs)
        return True
    value = folder.value(following, a)
    if value is None or not _same_sink(value[1], kept):
        return False
    _drop(following)
    _append(a, word, value[0])
    _finish_value(a, value[1])
    return True


def _same_sink(sink: Optional[Block], kept: Block) -> bool:
    if sink is None:
        return kept.kind == EXIT and len(kept.ops) == 1 and kept.ops[0].name == "RETURN"
    return sink is kept


# Chained comparisons: both operands of the next comparison are computed once.


def _chain_start(block: Block) -> Optional[str]:
    """The symbol of a comparison whose right operand stays on the stack for the next one."""
    ops = block.ops
    if len(ops) < 3 or ops[-1].name != "COMPARE":
        return None
    first, second, third = ops[-3:]
    shapes = (first.name, first.arg, second.name, second.arg)
    if shapes in (("SWAP", 2, "COPY", 2), ("COPY", 1, "ROT", 3)):
        symbol: str = third.arg
        return symbol
    return None


def _rest_of_chain(folder: Folder, a: Block, b: Block) -> Optional[List[Tuple[str, Expr]]]:
    if not folder.only_from(b, a):
        return None
    expr = folder.pure(b, hole=True)
    if expr is None:
        return None
    if expr.kind == "is none" and expr.parts is _HOLE:
        return [("is", Expr("None", nodes.ATOM, "const", None, True))]
    if expr.kind != "compare" or expr.parts[0] is not _HOLE:
        return None
    rest: List[Tuple[str, Expr]] = expr.parts[1]
    return rest


def _close_chain(a: Block, symbol: str, rest: List[Tuple[str, Expr]]) -> None:
    del a.ops[-3:]
    _append(a, "FOLD_CHAIN", (symbol, rest))


def _fold_chain_test(folder: Folder, a: Block) -> bool:
    symbol = _chain_start(a)
    if symbol is None:
        return False
    b, cleanup = a.succs
    if b.kind != BRANCH or not cleanup.ops or cleanup.ops[0].name != "POP_TOP":
        return False
    rest = _rest_of_chain(folder, a, b)
    if rest is None:
        return False
    succs = list(b.succs)
    if not _same_after_pop(cleanup, succs[1]):
        # A test against None has both senses: `… is not None` goes on where it is not.
        if b.ops[-1].name != "TEST_NONE" or not _same_after_pop(cleanup, succs[0]):
            return False
        succs.reverse()
        rest = [("is not", rest[0][1])]
    _drop(b)
    _close_chain(a, symbol, rest)
    _end(a, BRANCH, succs)
    _discard(cleanup)
    return True


def _discard(block: Block) -> None:
    if not block.preds:
        _drop(block)


def _same_after_pop(cleanup: Block, other: Block) -> bool:
    """Whether `cleanup` pops one value and then does what `other` does."""
    if len(cleanup.ops) == 1 and cleanup.kind == JUMP:
        return cleanup.succs[0] is other
    return (
        cleanup.kind == other.kind
        and cleanup.succs == other.succs
        and [(op.name, op.arg) for op in cleanup.ops[1:]] == [(op.name, op.arg) for op in other.ops]
    )


def _fold_chain_value(folder: Folder, a: Block) -> bool:
    symbol = _chain_start(a)
    if symbol is None or a.keeps_true:
        return False
    cleanup, b = a.succs
    names = [(op.name, op.arg) for op in cleanup.ops[:2]]
    if names != [("SWAP", 2), ("POP_TOP", None)]:
        return False
    rest = _rest_of_chain(folder, a, b)
    if rest is None:
        return False
    if b.kind == JUMP and cleanup.kind == JUMP and len(cleanup.ops) == 2:
        meet: Optional[Block] = b.succs[0]
        if cleanup.succs[0] is not meet:
            return False
    elif b.kind == EXIT and cleanup.kind == EXIT and len(cleanup.ops) == 3:
        meet = None
    elif b.kind == EXIT and cleanup.kind == JUMP and _same_sink(None, cleanup.succs[0]):
        meet = cleanup.succs[0]
    else:
        return False
    _drop(b)
    _close_chain(a, symbol, rest)
    _finish_value(a, meet)
    _discard(cleanup)
    return True


def _fold_chain_keep(folder: Folder, a: Block) -> bool:
    """`a < b < c and d` where the chain's value may be kept."""
    symbol = _chain_start(a)
    if symbol is None or a.kind != KEEP:
        return False
    cleanup, b = a.succs
    if b.kind != KEEP or b.keeps_true or cleanup.kind != JUMP:
        return False
    if [(op.name, op.arg) for op in cleanup.ops] != [("SWAP", 2), ("POP_TOP", None)]:
        return False
    rest = _rest_of_chain(folder, a, b)
    if rest is None or cleanup.succs[0] is not b.succs[0]:
        return False
    succs = list(b.succs)
    _drop(b)
    _close_chain(a, symbol, rest)
    _end(a, KEEP, succs)
    _discard(cleanup)
    return True


Rule = Callable[[Folder, Block], bool]
_CHAIN_RULES: Dict[str, Tuple[Rule, ...]] = {
    BRANCH: (_fold_chain_test,),
    KEEP: (_fold_chain_value, _fold_chain_keep),
}
_RULES: Dict[str, Tuple[Rule, ...]] = {
    BRANCH: (
        _fold_chain_test,
        _fold_tests,
        _fold_ternary_test,
        _fold_ternary,
        _fold_test_into_keep,
    ),
    KEEP: (_fold_chain_value, _fold_chain_keep, _fold_keep),
}


def fold_conditions(graph: Graph, scope: Scope) -> None:
    """Fold until no rule fits."""
    Folder(graph, scope).run()
