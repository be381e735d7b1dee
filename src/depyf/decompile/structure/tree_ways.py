"""The ways to build a tree that are tried in turn, until one has a place for every block."""

from __future__ import annotations

import contextlib
from typing import Callable, Collection, Iterator, List, Optional, Tuple

from depyf.decompile.expr.nodes import Expr
from depyf.decompile.flow.graph import Block, Graph
from depyf.decompile.structure.handler_ends import SHORT_TAIL
from depyf.decompile.structure.tree import Builder
from depyf.decompile.structure.tree_nodes import Tree, Unreached, Unstructured

# So many returns are tried one by one before all of them are written more than once.
_FEW = 4


def _is_short_return(block: Block) -> bool:
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
