"""Takes apart what 3.14 computes where a conditional expression ends a function.

Each of its values has a copy of what follows, and where that copy has only constants it is one
constant: `("a" if b else "c") + "d"` returns "ad" on one way.
"""

from __future__ import annotations

import operator
from itertools import takewhile
from typing import Any, Callable, Dict, List, Tuple

from depyf.decompile.decode.ops import Op, comparable
from depyf.decompile.flow.graph import Block
from depyf.decompile.structure.returns import same_lines

_SUM_OF_TEXTS = [("LOAD_CONST", str), ("LOAD_CONST", str), ("BINARY", str)]


def unfold(blocks: List[Block]) -> None:
    """Let blocks that end in the same line have the operations that others of them have."""
    _unfold_sums(blocks)
    _unfold_signs(blocks)
    _unfold_tuples(blocks)


def _unfold_sums(blocks: List[Block]) -> None:
    """`("a" if b else "c") + "d"` has two copies of the sum; 3.14 has computed one of them."""
    for block in blocks:
        first = block.ops[:3]
        if [(op.name, type(op.arg)) for op in first] != _SUM_OF_TEXTS or first[2].arg != "+":
            continue
        for other in blocks:
            op, end = other.ops[0], first[1].arg
            if op.name != "LOAD_CONST" or not same_lines(other.ops[1:], block.ops[3:]):
                continue
            if type(op.arg) is str and op.arg.endswith(end):
                start = Op.of(op.name, op.arg[: len(op.arg) - len(end)], op.offset, op.line)
                other.ops[:1] = [start, *(each.moved(-1, -1) for each in first[1:])]


# What turns the result of a sign back into its operand.
_SIGNS: Dict[str, Callable[[int], int]] = {
    "-": operator.neg,
    "~": operator.invert,
    "+": operator.pos,
}


def _unfold_signs(blocks: List[Block]) -> None:
    """The same for `-(1 if b else 2)`."""
    for block in blocks:
        first = block.ops[:2]
        if [op.name for op in first] != ["LOAD_CONST", "UNARY"] or type(first[0].arg) is not int:
            continue
        for other in blocks:
            op, turn = other.ops[0], _SIGNS.get(first[1].arg)
            if op.name != "LOAD_CONST" or not same_lines(other.ops[1:], block.ops[2:]):
                continue
            if type(op.arg) is int and turn is not None:
                start = Op.of(op.name, turn(op.arg), op.offset, op.line)
                other.ops[:1] = [start, first[1].moved(-1, -1)]


def _unfold_tuples(blocks: List[Block]) -> None:
    """The same for `(1 if b else 2, 3)`."""
    for block in blocks:
        values = list(takewhile(lambda op: op.name == "LOAD_CONST", block.ops))
        count = len(values)
        last = block.ops[count] if 1 < count < len(block.ops) else None
        if last is None or (last.name, last.arg) != ("BUILD_TUPLE", count):
            continue
        for other in blocks:
            op = other.ops[0]
            if op.name != "LOAD_CONST" or not same_lines(other.ops[1:], block.ops[count + 1 :]):
                continue
            if type(op.arg) is tuple and _same_constants(op.arg[1:], values[1:]):
                start = Op.of(op.name, op.arg[0], op.offset, op.line)
                other.ops[:1] = [start, *(each.moved(-1, -1) for each in [*values[1:], last])]


def _same_constants(constants: Tuple[Any, ...], loads: List[Op]) -> bool:
    return comparable(constants) == comparable(tuple([op.arg for op in loads]))
