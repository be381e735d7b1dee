"""The ways to build a tree that are tried in turn, until one has a place for every block."""

from __future__ import annotations

import contextlib
from typing import Callable, Collection, Iterator, List, Optional, Tuple

from depyf.decompile.expr.nodes import Expr
from depyf.decompile.flow.graph import Block, Graph
from depyf.decompile.structure.handler_ends import SHORT_TAIL, ends_handler
from depyf.decompile.structure.tree import Builder
from depyf.decompile.structure.tree_nodes import Tree, Unreached, Unstructured

# So many returns are tried one by one before all of them are written more than once.
_FEW = 4


def _is_short_return(block: Block) -> bool:
    if ends_handler(block):
        # `break` or `return` in a handler, where the function ends behind it.
        block = block.succs[0]
    return 0 < len(block.ops) <= SHORT_TAIL and block.ops[-1].name == "RETURN"


def build_tree(
    graph: Graph,
    pure: Callable[[Block], Optional[Expr]],
    nest: bool,
    behind_exits: Collection[Block],
) -> Tree:
    """The tree of `graph`, or `Unstructured`."""
    if behind_exits:
        with contextlib.suppress(Unstructured):
            return Builder(graph, pure, nest, behind_exits=behind_exits).tree()
    try:
        return Builder(graph, pure, nest).tree()
    except Unstructured as error:
        if any(block.continues is not False for block in graph.built):
            with contextlib.suppress(Unstructured):
                return Builder(graph, pure, nest, use_continue=False).tree()
        for copied, wide_loops in _other_ways(graph):
            try:
                return Builder(graph, pure, nest, copied, wide_loops).tree()
            except Unstructured:
                continue
        # By `break`, out of loops that the graph knows, or of loops that never come round.
        tree = _by_breaks(error, lambda left: Builder(graph, pure, nest, left=left)) or _by_breaks(
            error, lambda broken: Builder(graph, pure, nest, broken=broken)
        )
        if tree is None:
            raise
        return tree


def _by_breaks(
    error: Unstructured, builder: Callable[[Collection[Block]], Builder]
) -> Optional[Tree]:
    """Let loops break to what no other statement leads to."""
    targets: List[Block] = []
    while isinstance(error, Unreached) and error.block not in targets and len(targets) < _FEW:
        targets.append(error.block)
        try:
            return builder(targets).tree()
        except Unstructured as again:
            error = again
    return None


def _other_ways(graph: Graph) -> Iterator[Tuple[Collection[Block], bool]]:
    """Which ends to write more than once, one of a few or all, and whether to widen loops.

    Several `return` statements, or several `continue` in handlers, may have become one block that
    stands nowhere.
    """
    yield (), True
    shared = [block for block in graph.blocks() if len(block.preds) > 1]
    returns = [block for block in shared if _is_short_return(block)]
    yield from _one_or_all(returns)
    ends = [block for block in shared if ends_handler(block) and block not in returns]
    yield from _one_or_all(ends)
    if returns and ends:
        yield frozenset(returns + ends), False


def _one_or_all(ends: List[Block]) -> Iterator[Tuple[Collection[Block], bool]]:
    if 1 < len(ends) <= _FEW:
        for block in ends:
            yield (block,), False
    if ends:
        yield frozenset(ends), False
        yield frozenset(ends), True
