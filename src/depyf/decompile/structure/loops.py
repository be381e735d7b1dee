"""Undoes loop inversion: a `while` whose test was copied to its end gets one test again."""

from __future__ import annotations

from typing import List, Optional

from depyf.decompile.decode.ops import Op, comparable, stack_effect
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.flow.graph import BRANCH, JUMP, Block, Graph
from depyf.decompile.structure.copies import split
from depyf.decompile.structure.loop_extent import ways_from


def restore_loop_tests(graph: Graph) -> None:
    """if c: do { … } while c -> while c"""
    if not graph.has_loops:
        return
    for latch in graph.blocks():
        if latch.kind != BRANCH:
            continue
        for target in latch.succs:
            if target.index <= latch.index:
                guard = _guard(latch, target)
                if guard is not None:
                    _share_test(graph, guard, latch, target)
                    break


def _guard(latch: Block, target: Block) -> Optional[Block]:
    for pred in target.preds:
        if pred is latch or pred.kind != BRANCH or pred.succs != latch.succs:
            continue
        if pred.context != latch.context or pred.index >= target.index:
            # One inside the loop is a test of its own: `if a: continue`.
            continue
        length = _test_length(pred)
        if length and _same_tail(pred.ops, latch.ops, length):
            return pred
    return None


def _test_length(block: Block) -> int:
    """How many operations at the end compute the tested value; 0 when that cannot be told."""
    needed = 1
    for length, op in enumerate(reversed(block.ops), 1):
        pops, pushes = stack_effect(op)
        needed += pops - pushes
        if needed == 0:
            return length
        if needed < 0:
            return 0
    return 0


def _same_tail(first: List[Op], second: List[Op], length: int) -> bool:
    if len(second) < length:
        return False
    return all(
        one.name == two.name and _same(one.arg, two.arg)
        for one, two in zip(first[-length:], second[-length:])
    )


def _same(one: object, two: object) -> bool:
    if isinstance(one, Expr) and isinstance(two, Expr):
        return one.text == two.text
    if isinstance(one, (tuple, list)) and isinstance(two, (tuple, list)):
        return len(one) == len(two) and all(_same(a, b) for a, b in zip(one, two))
    return comparable(one) == comparable(two)


def _starts_round_around(guard: Block, latch: Block, body: Block) -> bool:
    """`while True: while a: …; b()`: what stands behind the loop leads back to its first test."""
    again = [pred for pred in guard.preds if pred.index > latch.index]
    if not again:
        return False
    behind = [succ for succ in guard.succs if succ is not body]
    inside = ways_from(body, (guard, *behind))
    return any(pred in behind or pred not in inside for pred in again)


def _share_test(graph: Graph, guard: Block, latch: Block, body: Block) -> None:
    length = _test_length(guard)
    is_first = guard is graph.entry or _starts_round_around(guard, latch, body)
    if len(guard.ops) > length or is_first:
        test = split(guard, len(guard.ops) - length)
    else:
        test = guard
    del latch.ops[len(latch.ops) - length :]
    latch.kind = JUMP
    latch.pure = None
    latch.set_succs([test])
