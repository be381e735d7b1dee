"""Undoes the copying of what follows a conditional expression when a function ends soon after.

`raise E(a if c else b)` is compiled as two branches, each with a copy of the call and the raise.
The copies carry the same lines and use values from before the branch: they become one block
again, where the branches meet with one value each.
"""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

from depyf.decompile.decode.ops import Op, stack_effect
from depyf.decompile.flow.graph import JUMP, KEEP, Block, Graph
from depyf.decompile.structure.chains import chain_start
from depyf.decompile.structure.copies import split
from depyf.decompile.structure.jumps import bypass
from depyf.decompile.structure.returns import has_no_return

# Values that are only a part of an expression: no branch ends with them.
_HALVES = frozenset(("FORMAT", "CONVERT", "PUSH_NULL", "LOAD_METHOD", "BUILD_INTERPOLATION"))


def share_tails(graph: Graph, ends: List[Block]) -> bool:
    """Join the ends of blocks that leave the function in the middle of one expression."""
    groups: Dict[Tuple[Any, ...], List[Tuple[Block, List[int]]]] = {}
    for block in ends:
        if len(block.ops) > 1:
            places = _places_in_chain(block) or _places(block.ops)
            if places:
                last = block.ops[-1]
                key = (block.context, block.handler, last.name, last.line)
                groups.setdefault(key, []).append((block, places))
    shared = False
    for copies in groups.values():
        while len(copies) > 1:
            copies = _share(copies)
            shared = True
    return shared


def _places(ops: List[Op]) -> List[int]:
    """Where the block has computed one value, before it takes values that it has not made.

    At its very start, if it takes such values first of all: then another block computed one.
    """
    depth = 0
    places: List[int] = []
    for place, op in enumerate(ops):
        pops, pushes = (1, 1) if op.name == "TEST_NONE" else stack_effect(op)
        if pops > depth:
            return places if place else [0]
        depth += pushes - pops
        if depth == 1 and op.name not in _HALVES:
            places.append(place + 1)
    return []


def _places_in_chain(block: Block) -> List[int]:
    """The same at the end of a chained comparison, which starts with one or two values."""
    if not block.preds or not all(p.kind == KEEP and chain_start(p) for p in block.preds):
        return []
    depth = 2 if _ends_chain(block) else 1
    for place, op in enumerate(block.ops):
        if depth == 1 and place:
            return [place]
        pops, pushes = (1, 1) if op.name == "TEST_NONE" else stack_effect(op)
        depth += pushes - pops
    return []


def _ends_chain(block: Block) -> bool:
    """Whether a comparison has failed here, and its right operand is dropped."""
    return [(op.name, op.arg) for op in block.ops[:2]] == [("SWAP", 2), ("POP_TOP", None)]


def _share(copies: List[Tuple[Block, List[int]]]) -> List[Tuple[Block, List[int]]]:
    """Join the last of `copies` with those that end like it; returns what is left."""
    last, last_places = copies[-1]
    rest: List[Tuple[Block, List[int]]] = []
    shared = None
    for block, places in reversed(copies[:-1]):
        length = _common_tail(block, places, last, last_places) if shared is None else 0
        if shared is not None and _same(block.ops[-len(shared.ops) :], shared.ops):
            place = len(block.ops) - len(shared.ops)
            length = len(shared.ops) if place in places else 0
        if not length:
            rest.insert(0, (block, places))
            continue
        if shared is None:
            shared = _tail_of(last, length)
        tail = _tail_of(block, length)
        for pred in list(tail.preds):
            pred.redirect(tail, shared)
    return rest


def _common_tail(block: Block, places: List[int], other: Block, other_places: List[int]) -> int:
    """The length of the shortest end that both have in common, 0 for none."""
    for place in reversed(places):
        length = len(block.ops) - place
        other_place = len(other.ops) - length
        if (place or other_place) and other_place in other_places:
            if _same(block.ops[place:], other.ops[other_place:]):
                return length
    return 0


def _same(first: List[Op], second: List[Op]) -> bool:
    return [_shape(op) for op in first] == [_shape(op) for op in second] and all(
        op.line is not None for op in first
    )


def _shape(op: Op) -> Tuple[Any, ...]:
    return op.name, type(op.arg), op.arg, op.line


def share_last_statements(graph: Graph, ends: List[Block]) -> bool:
    """Modules and classes have no `return`: their last statements cannot stay copied."""
    if not has_no_return(graph):
        return False
    groups: Dict[Tuple[Any, ...], List[Block]] = {}
    for block in ends:
        if len(block.ops) > 2:
            key = (block.context, tuple((op.name, op.line) for op in block.ops[-3:]))
            groups.setdefault(key, []).append(block)
    shared = False
    for blocks in groups.values():
        length = _common_statements(blocks) if len(blocks) > 1 else 0
        if length:
            shared = True
            tail = _tail_of(blocks[-1], length)
            for block in blocks[:-1]:
                bypass(_tail_of(block, length), tail)
    return shared


def _common_statements(blocks: List[Block]) -> int:
    """The length of the longest end that all blocks share and that needs nothing on the stack."""
    longest = min(len(block.ops) for block in blocks)
    first = blocks[0].ops
    for length in range(longest, 2, -1):
        tail = first[-length:]
        if _needs_nothing(tail) and all(_same(block.ops[-length:], tail) for block in blocks):
            return length
    return 0


def _needs_nothing(ops: List[Op]) -> bool:
    depth = 0
    for op in ops:
        pops, pushes = (1, 1) if op.name == "TEST_NONE" else stack_effect(op)
        if pops > depth:
            return False
        depth += pushes - pops
    return True


def _tail_of(block: Block, length: int) -> Block:
    return block if len(block.ops) == length else split(block, len(block.ops) - length)


def share_handler_ends(graph: Graph) -> None:
    """Let all ways out of one handler that go on in the same place leave it in one block."""
    if "POP_EXCEPT" not in graph.program.kinds:
        return
    groups: Dict[Tuple[Any, ...], List[Block]] = {}
    for block in graph.blocks():
        if block.kind == JUMP and block.ops and block.ops[-1].name == "POP_EXCEPT":
            groups.setdefault((block.context, block.succs[0]), []).append(block)
    for blocks in groups.values():
        if len(blocks) > 1:
            # The last one stands where the handler's text ends.
            shared = _end_of_handler(blocks[-1])
            for block in blocks[:-1]:
                bypass(_end_of_handler(block), shared)


def _end_of_handler(block: Block) -> Block:
    if len(block.ops) == 1:
        return block
    return split(block, len(block.ops) - 1)
