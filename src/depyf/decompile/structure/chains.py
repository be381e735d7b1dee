"""Chained comparisons: both operands of the next comparison are computed once.

The compiler keeps the right operand of `a < b` on the stack for `< c`, and where the first
comparison fails another block throws it away.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from depyf.decompile.decode.ops import Op, comparable
from depyf.decompile.expr import nodes
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.flow.graph import BRANCH, EXIT, JUMP, KEEP, Block
from depyf.decompile.structure.operands import (
    HOLE,
    Operands,
    drop,
    end_with,
    finish_value,
    same_sink,
    take_jumps,
)


def chain_start(block: Block) -> Optional[str]:
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


def compares_at_once(block: Block) -> bool:
    """Whether both operands of its first comparison lie on the stack when it starts."""
    opens_link = len(block.ops) == 3 and chain_start(block) is not None
    return opens_link or block.ops[0].name in ("COMPARE", "FOLD_CHAIN")


def _rest_of_chain(folder: Operands, a: Block, b: Block) -> Optional[List[Tuple[str, Expr]]]:
    if not folder.only_from(b, a):
        return None
    expr = folder.pure(b, hole=True)
    if expr is None:
        return None
    if expr.kind == "is none" and expr.parts is HOLE:
        return [("is", Expr("None", nodes.ATOM, "const", None, True))]
    if expr.kind != "compare" or expr.parts[0] is not HOLE:
        return None
    rest: List[Tuple[str, Expr]] = expr.parts[1]
    return rest


def _close_chain(a: Block, symbol: str, rest: List[Tuple[str, Expr]]) -> None:
    compared = a.ops[-1]
    del a.ops[-3:]
    # Its operands may stand in blocks before, which have not been folded yet.
    last = a.ops[-1] if a.ops else compared
    a.ops.append(Op.of("FOLD_CHAIN", (symbol, rest), last.offset, last.line))
    a.pure = None


def fold_chain_test(folder: Operands, a: Block) -> bool:
    symbol = chain_start(a)
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
    drop(b)
    take_jumps(a, b)
    _close_chain(a, symbol, rest)
    end_with(a, BRANCH, succs)
    _discard(cleanup)
    return True


def _discard(block: Block) -> None:
    if not block.preds:
        drop(block)


def _shape(op: Op) -> Tuple[Any, ...]:
    return op.name, comparable(op.arg)


def _same_after_pop(cleanup: Block, other: Block) -> bool:
    """Whether `cleanup` pops one value and then does what `other` does."""
    if len(cleanup.ops) == 1 and cleanup.kind == JUMP:
        return cleanup.succs[0] is other
    return (
        cleanup.kind == other.kind
        and cleanup.succs == other.succs
        and list(map(_shape, cleanup.ops[1:])) == list(map(_shape, other.ops))
    )


def fold_chain_value(folder: Operands, a: Block) -> bool:
    symbol = chain_start(a)
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
    elif b.kind == EXIT and cleanup.kind == JUMP and same_sink(None, cleanup.succs[0]):
        meet = cleanup.succs[0]
    else:
        return False
    drop(b)
    _close_chain(a, symbol, rest)
    finish_value(a, meet)
    _discard(cleanup)
    return True


def fold_chain_keep(folder: Operands, a: Block) -> bool:
    """`a < b < c and d` where the chain's value may be kept."""
    symbol = chain_start(a)
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
    drop(b)
    _close_chain(a, symbol, rest)
    end_with(a, KEEP, succs)
    _discard(cleanup)
    return True
