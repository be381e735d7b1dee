"""Conditional expressions: the arms of a test that only compute a value become its operands."""

from __future__ import annotations

from depyf.decompile.expr import nodes
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.flow.graph import KEEP, Block
from depyf.decompile.structure.layout import is_on_another_line, keeps_its_sense
from depyf.decompile.structure.operands import (
    Operands,
    add_step,
    drop,
    end_with,
    finish_value,
    joined,
    same_sink,
    sink,
)

_TRUE, _FALSE = (nodes.name(text, "const") for text in ("True", "False"))


def fold_ternary_test(folder: Operands, a: Block) -> bool:
    """`if (b if a else c)`: both tests lead to the same two places."""
    b, c = a.succs
    if b is c:
        return False
    b_expr, c_expr = folder.test(b, a), folder.test(c, a)
    if b_expr is None or c_expr is None:
        return False
    b_expr, c_expr = _settle(a, b, b_expr, c), _settle(a, c, c_expr, b)
    if b.succs[0] is c.succs[1] and b.succs[1] is c.succs[0] and b.succs[0] is not b.succs[1]:
        c_expr = nodes.negate(c_expr)
    elif b.succs[0] is not c.succs[0] or b.succs[1] is not c.succs[1]:
        return False
    targets = list(b.succs)
    _choose(folder, a, b, b_expr, c_expr)
    drop(c)
    return joined(a, b, [], targets)


def _settle(a: Block, arm: Block, expr: Expr, other: Block) -> Expr:
    """`if ((b or 1) if a else c)`: the test of an arm decides nothing, that of the other does.

    On a line of its own it is a statement. Otherwise `arm` gets the outcomes of `other`.
    """
    outcome = arm.succs[0]
    settled = arm.succs[1] is outcome and other.succs[0] is not other.succs[1]
    if not settled or outcome not in other.succs or is_on_another_line(a, arm):
        return expr
    arm.set_succs(list(other.succs))
    if outcome is other.succs[0]:
        return nodes.boolean("or", expr, _TRUE)
    return nodes.boolean("and", expr, _FALSE)


def fold_ternary(folder: Operands, a: Block) -> bool:
    """`b if a else c`: both branches push a value and meet."""
    b, c = a.succs
    if b is c or not folder.may_be_value(b, a) or not folder.may_be_value(c, a):
        return False
    b_meet, c_meet = sink(b), sink(c)
    meet = b_meet or c_meet
    if b_meet is not c_meet:
        if meet is None or not _copies_return(b if b_meet is None else c, meet):
            return False
    elif meet is None and not _one_return(a, b, c):
        return False
    if meet is b or meet is c:
        return False
    # Evaluating them is the expensive part.
    if_true = folder.pure(b)
    if_false = folder.pure(c) if if_true is not None else None
    if if_true is None or if_false is None:
        return False
    _choose(folder, a, b, if_true, if_false)
    drop(b)
    drop(c)
    finish_value(a, meet)
    return True


def _choose(folder: Operands, a: Block, b: Block, if_true: Expr, if_false: Expr) -> None:
    """`b if a else c`, or `c if not a else b` where the compiler has put `c` first."""
    if a.index < a.succs[1].index < b.index and not keeps_its_sense(a, folder.version):
        add_step(a, "FOLD_NOT")
        if_true, if_false = if_false, if_true
    add_step(a, "FOLD_TERNARY", (if_true, if_false))


def _copies_return(block: Block, end: Block) -> bool:
    """Whether the block ends in a copy of the return that is all of `end`."""
    return same_sink(None, end) and block.ops[-1].line == end.ops[0].line is not None


def _one_return(test: Block, first: Block, second: Block) -> bool:
    """Whether two returns were one statement: the compiler copies a return into branches.

    An `if` on a line of its own, with a return in it and the implicit one behind it, is not.
    """
    line = first.ops[-1].line
    if line is None or line != second.ops[-1].line or first.ops[0].line != second.ops[0].line:
        return False
    return bool(test.ops) and test.ops[-1].line == first.ops[0].line


def fold_ternary_keep(folder: Operands, a: Block) -> bool:
    """`(b if a else c) or d`, where each arm tests its value by itself."""
    b, c = a.succs
    alike = b.kind == c.kind == KEEP and b.keeps_true == c.keeps_true and b.succs == c.succs
    if b is c or not alike or not folder.only_from(b, a) or not folder.only_from(c, a):
        return False
    if_true = folder.pure(b)
    if_false = folder.pure(c) if if_true is not None else None
    if if_true is None or if_false is None:
        return False
    succs = list(b.succs)
    a.keeps_true, a.in_group = b.keeps_true, b.in_group
    _choose(folder, a, b, if_true, if_false)
    drop(b)
    drop(c)
    end_with(a, KEEP, succs)
    return True
