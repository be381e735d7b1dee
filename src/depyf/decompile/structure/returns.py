"""Undoes the copying of returns: the compiler writes a short `return` at the end of every path.

Copies of one statement carry its line, and a function's implicit `return None` the line of the
statement before it. Both become one block again, where the paths meet.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from depyf.decompile.decode.ops import LOOPS, stack_effect
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, Block, Graph
from depyf.decompile.structure.copies import split

_LONGEST = 8
_CO_OPTIMIZED = 1
_ENDS = frozenset(("RETURN", "RERAISE"))


def has_no_return(graph: Graph) -> bool:
    """Modules and classes: every return there is the implicit one."""
    return not graph.program.code.flags & _CO_OPTIMIZED


def share_returns(graph: Graph, ends: List[Block]) -> bool:
    """Let paths that end in copies of one return end in the same block."""
    always_implicit = has_no_return(graph)
    groups: Dict[Tuple[Any, ...], List[Tuple[Block, int]]] = {}
    # Otherwise no `break` leads to the end of the function: what looks like one is a `return`.
    ends_with_loop = not LOOPS.isdisjoint(graph.program.kinds) and any(
        block.kind == FOR and block.succs[1].kind == EXIT for block in graph.blocks()
    )
    for block in ends:
        if not block.ops:
            continue
        found: Optional[Tuple[Tuple[Any, ...], int]] = None
        if block.ops[-1].name in ("RETURN", "RAISE"):
            found = _tail(block, always_implicit, ends_with_loop)
        elif block.ops[-1].name == "RERAISE":
            # The end of a `finally` body, whichever path led there.
            found = ("reraise",), len(block.ops) - 1
        if found is not None:
            key, place = found
            groups.setdefault((block.context, *key), []).append((block, place))
    shared = False
    for key, copies in groups.items():
        # The end of a module or class is a place of its own: a `break` may lead there.
        if len(copies) > 1 or (always_implicit and "implicit" in key):
            _share(graph, copies)
            shared = True
    return shared


def share_copied_ends(graph: Graph, ends: List[Block]) -> bool:
    """Let paths that end in copies of the same statements, line by line, end in the same block."""
    groups: Dict[Tuple[Any, ...], List[Block]] = {}
    for block in ends:
        if len(block.ops) > 2 and block.ops[-1].name in _ENDS:
            shape = tuple([(op.name, _comparable(op.arg), op.line) for op in block.ops[:-1]])
            groups.setdefault((block.context, block.ops[-1].name, shape), []).append(block)
    shared = False
    for blocks in groups.values():
        if len(blocks) > 1 and all(op.line is not None for op in blocks[0].ops[:-1]):
            shared = True
            for block in blocks[:-1]:
                for pred in list(dict.fromkeys(block.preds)):
                    pred.redirect(block, blocks[-1])
    return shared


def _tail(
    block: Block, always_implicit: bool, ends_with_loop: bool
) -> Optional[Tuple[Tuple[Any, ...], int]]:
    """What makes the block's return comparable with others, and where it starts."""
    ops = block.ops
    place = _start_of_return(block)
    if place is None:
        return None
    tail = ops[place:]
    shape = tuple((op.name, _comparable(op.arg)) for op in tail)
    if always_implicit and tail[-1].name == "RETURN":
        # A class whose methods use `super()` hands its cell over before it returns.
        return ("implicit", shape), place
    if [op.name for op in tail] == ["LOAD_CONST", "RETURN"] and tail[0].arg is None:
        leaves_loop = place > 0 and ops[place - 1].name == "POP_ITER"
        if _is_implicit(block, place) and (ends_with_loop or not leaves_loop):
            return ("implicit",), place
    line = tail[-1].line
    if line is None or any(op.line != line for op in tail):
        return None
    return (line, shape), place


def _comparable(arg: Any) -> Any:
    try:
        hash(arg)
    except TypeError:
        return id(arg)
    return (type(arg), arg)


def _start_of_return(block: Block) -> Optional[int]:
    """Where the computation of the returned value starts in the block."""
    needed = 0
    for length, op in enumerate(reversed(block.ops), 1):
        if length > _LONGEST or op.name == "INLINED_COMPREHENSION":
            return None
        pops, pushes = (1, 1) if op.name == "TEST_NONE" else stack_effect(op)
        needed += pops - pushes
        if needed == 0:
            return len(block.ops) - length
    return None


def _is_implicit(block: Block, place: int) -> bool:
    line = block.ops[place].line
    if place:
        return line is None or block.ops[place - 1].line == line
    for pred in block.preds:
        last = pred.ops[-1].line if pred.ops else None
        if line is not None and not (last == line and not _chooses(pred, block)):
            return False
    return True


def _chooses(pred: Block, block: Block) -> bool:
    """Whether a test leads to the block as to its own body, which stands right behind it."""
    if pred.kind != BRANCH or pred.succs[1] is block:
        return False
    return block.index < pred.succs[1].index


def _share(graph: Graph, copies: List[Tuple[Block, int]]) -> None:
    shared: Optional[Block] = None
    # The last copy stands where the statement stood.
    for block, place in sorted(copies, key=lambda copy: copy[0].index, reverse=True):
        if place == 0 and block is not graph.entry:
            tail = block
        else:
            tail = split(block, place)
        if shared is None:
            shared = tail
            continue
        for pred in list(dict.fromkeys(tail.preds)):
            pred.redirect(tail, shared)
