"""What a block computes, as an operand of the block before it, and how one takes another in.

A block is `pure` when its operations compute one value and nothing else. The rules that fold
conditions ask for that value, and rewrite blocks with the few steps below.
"""

from __future__ import annotations

from typing import Any, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op, stack_effect
from depyf.decompile.expr import nodes
from depyf.decompile.expr.evaluator import Evaluator, NotAnExpression
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import Scope
from depyf.decompile.flow.graph import BRANCH, EXIT, JUMP, Block, Graph

_NO_EXPRESSION = object()
HOLE = Expr("<hole>", nodes.ATOM, "hole", None, True)
_STATEMENTS = frozenset(
    (
        "STORE_ATTR STORE_SUBSCR STORE_SLICE DELETE_FAST DELETE_NAME DELETE_GLOBAL DELETE_DEREF"
        " DELETE_ATTR DELETE_SUBSCR POP_TOP RAISE RERAISE POP_EXCEPT IMPORT_NAME BEFORE_WITH"
        " BEFORE_ASYNC_WITH PUSH_EXC_INFO LOAD_BUILD_CLASS UNPACK UNPACK_EX"
    ).split()
)
_NAME_STORES = frozenset(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))


class Operands:
    """The values of the blocks of one graph."""

    def __init__(self, graph: Graph, scope: Scope) -> None:
        self.graph = graph
        self.scope = scope
        self.version = scope.code.version
        self.handlers: Set[Block] = set(graph.handlers)

    def only_from(self, block: Block, pred: Block) -> bool:
        return (
            len(block.preds) == 1
            and block.preds[0] is pred
            and block.context == pred.context
            and block not in self.handlers
        )

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
        if holds_statement(ops):
            return None
        evaluator = Evaluator(self.scope, [HOLE] if hole else [], pure=True)
        try:
            evaluator.run(ops)
        except NotAnExpression:
            return None
        if len(evaluator.stack) != 1 or evaluator.stack[0].kind in _NO_OPERAND:
            return None
        return evaluator.stack[0]

    def may_be_value(self, block: Block, pred: Block) -> bool:
        """Whether `block` could compute a value for what follows, behind `pred` alone."""
        return (block.kind == JUMP or block.kind == EXIT) and self.only_from(block, pred)

    def test(self, block: Block, pred: Block) -> Optional[Expr]:
        if block.kind != BRANCH or not self.only_from(block, pred):
            return None
        return self.pure(block)


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


def holds_statement(ops: List[Op]) -> bool:
    previous = ""
    for op in ops:
        if op.name in _STATEMENTS or (op.name in _NAME_STORES and previous != "COPY"):
            return True
        previous = op.name
    return False


def ends_statement(ops: List[Op]) -> bool:
    return holds_statement(ops[-1:]) and not (len(ops) > 1 and _binds_on_the_way(ops))


def _binds_on_the_way(ops: List[Op]) -> bool:
    """Whether the last operation is that of `:=`."""
    return ops[-1].name in _NAME_STORES and ops[-2].name == "COPY"


# What takes its first operands from before a test, and its last one from behind it.
_TAKES_OPERANDS = frozenset(
    (
        "BINARY INPLACE COMPARE SUBSCR SLICE CALL CALL_KW CALL_EX BUILD_TUPLE BUILD_LIST BUILD_SET"
        " BUILD_MAP BUILD_CONST_KEY_MAP BUILD_STRING BUILD_SLICE LIST_EXTEND LIST_APPEND SET_UPDATE"
        " SET_ADD DICT_UPDATE DICT_MERGE MAP_ADD STORE_SUBSCR"
    ).split()
)


def end_of_operand(ops: List[Op]) -> int:
    """Where the first operand of an operation ends that has others from before; 0 for none."""
    depth = end = 0
    for place, op in enumerate(ops):
        if not depth and place:
            return 0
        pops, pushes = stack_effect(op)
        if pops > depth:
            return end if op.name in _TAKES_OPERANDS else 0
        depth += pushes - pops
        if depth == 1:
            end = place + 1
    return 0


def absorb(block: Block, succ: Block) -> None:
    """`block` takes over how `succ` ends."""
    block.kind, block.keeps_true, block.is_async = succ.kind, succ.keeps_true, succ.is_async
    block.in_group = succ.in_group
    block.pure = None
    targets = list(succ.succs)
    take_jumps(block, succ)
    succ.set_succs([])
    block.set_succs(targets)


def take_jumps(block: Block, other: Block) -> None:
    """`block` leads where `other` did, by the same jumps."""
    if other.jumps:
        block.jumps = {**block.jumps, **other.jumps}


def add_step(block: Block, name: str, arg: Any = None) -> None:
    line = block.ops[-1].line if block.ops else None
    offset = block.ops[-1].offset if block.ops else -1
    block.ops.append(Op.of(name, arg, offset, line))
    block.pure = None


def end_with(block: Block, kind: str, succs: List[Block]) -> None:
    block.kind = kind
    block.pure = None
    block.set_succs(succs)


def drop(block: Block) -> None:
    block.set_succs([])


def end_group(a: Block, b: Block) -> None:
    """`b` went to `a`: if that was the last one in the parentheses, they end."""
    if a.in_group and not b.in_group:
        add_step(a, "FOLD_GROUP")
    a.in_group = b.in_group


def joined(a: Block, b: Block, steps: List[Tuple[str, Any]], succs: List[Block]) -> bool:
    drop(b)
    take_jumps(a, b)
    for name, arg in steps:
        add_step(a, name, arg)
    end_group(a, b)
    end_with(a, BRANCH, succs)
    return True


def finish_value(a: Block, meet: Optional[Block]) -> None:
    if meet is None:
        add_step(a, "RETURN")
        end_with(a, EXIT, [])
    else:
        end_with(a, JUMP, [meet])


def sink(block: Block) -> Optional[Block]:
    """Where control takes the value of a block: another block, or None for `return`."""
    return block.succs[0] if block.kind == JUMP else None


def same_sink(place: Optional[Block], kept: Block) -> bool:
    if place is None:
        return kept.kind == EXIT and len(kept.ops) == 1 and kept.ops[0].name == "RETURN"
    return place is kept
