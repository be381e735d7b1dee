"""Makes edges lead where something happens: no blocks that only jump on, none that break and go on.

The compiler writes a short end of the function behind the `break` that leads to it; such a block
is cut in two, and then it is seen to lie behind the loop.
"""

from __future__ import annotations

from typing import List

from depyf.decompile.decode.ops import CONDITIONAL_JUMPS, KEEPS, LOOPS, Op, Program
from depyf.decompile.flow.graph import BRANCH, JUMP, LEAVING_QUIETLY, Block, Graph
from depyf.decompile.structure.copies import split
from depyf.decompile.structure.dominators import (
    Loop,
    compute_dominators,
    find_loops,
    reverse_postorder,
)
from depyf.decompile.structure.loop_extent import last_index

_TESTS = CONDITIONAL_JUMPS - LOOPS - KEEPS


def split_breaks(graph: Graph) -> None:
    """POP_ITER; LOAD_FAST x; RETURN -> POP_ITER | LOAD_FAST x; RETURN

    `return x` inside the loop has the value below the iterator when that is thrown away, and
    `return 1` looks the same inside and behind the loop.
    """
    if LOOPS.isdisjoint(graph.program.kinds) and not graph.handlers:
        return
    for block in graph.built:
        if block.nesting:
            place = _behind_break(block.ops)
            if place:
                split(block, place)


def _behind_break(ops: List[Op]) -> int:
    """Where a block goes on behind a `break`, 0 for nowhere."""
    for place in range(len(ops), 0, -1):
        if ops[place - 1].name == "POP_ITER" and (
            place == 1 or ops[place - 2].name not in ("SWAP", "ROT")
        ):
            leaves = all(op.name in LEAVING_QUIETLY for op in ops[place:])
            return 0 if leaves else place
    return 0


def thread_jumps(graph: Graph) -> List[Block]:
    """Let edges to an empty block lead to where it jumps; returns the blocks that are left."""
    kept = {graph.entry, *graph.handlers}
    left: List[Block] = []
    blocks = graph.blocks()
    kinds = graph.program.kinds
    if "ENTER" in kinds or not LOOPS.isdisjoint(kinds):
        _drop_marks(blocks)
    _mark_empty_clauses(graph, blocks)
    for block in blocks:
        if block.ops or block.kind != JUMP or block in kept or block.succs[0] is block:
            left.append(block)
        else:
            _remember_jump(block, graph.program)
            bypass(block, block.succs[0])
    return left


def _mark_empty_clauses(graph: Graph, blocks: List[Block]) -> None:
    """`if a: pass` with more clauses behind it is a test, and a jump past the others.

    One that leaves a loop is a `break`.
    """
    ops = graph.program.ops
    clauses = [block for block in blocks if not block.ops and _may_be_clause(block, ops)]
    loops = _loops(graph) if clauses and graph.has_loops else []
    for block in clauses:
        if any(_is_left(loop, block) for loop in loops):
            continue
        jump = ops[block.index]
        block.ops.append(Op.of("PASS", None, jump.offset, jump.line))
        _lead_to_clause(block)


def _is_left(loop: Loop, jump: Block) -> bool:
    """Whether a jump leads out of a loop; its test may stand there without coming round again."""
    test, target = jump.preds[0], jump.succs[0]
    if test in loop.body:
        return target not in loop.body
    return loop.header.index < test.index < last_index(loop) < target.index


def _loops(graph: Graph) -> List[Loop]:
    """With all their blocks: a loop that has its test at both ends is found in two halves."""
    order = reverse_postorder(graph.entry)
    compute_dominators(order, graph.has_loops)
    loops = find_loops(order) or {}
    for loop in loops.values():
        for header in loops.keys() & loop.body:
            loop.body |= loops[header].body
    return list(loops.values())


def _may_be_clause(block: Block, ops: List[Op]) -> bool:
    """Whether a block is a jump, on a line of its own, that follows a test and leads forward."""
    if block.kind != JUMP or block.index <= 0 or any(pred.kind != BRANCH for pred in block.preds):
        return False
    test, jump, target = ops[block.index - 1], ops[block.index], block.succs[0]
    if test.name not in _TESTS or jump.name != "JUMP":
        return False
    if target.context != block.context[: len(target.context)]:
        return False
    has_own_line = test.line is not None and jump.line is not None and jump.line > test.line
    return has_own_line and target.index > block.index + 1


def _lead_to_clause(clause: Block) -> None:
    """`if a or b: pass`: the jump of the first test may lead past the clause at once."""
    target = clause.succs[0]
    tests = list(clause.preds)
    for test in tests:
        for earlier in test.preds:
            if earlier.kind == BRANCH and earlier.succs[0] is target and earlier not in tests:
                earlier.redirect(target, clause)
                tests.append(earlier)


def _remember_jump(block: Block, program: Program) -> None:
    """Let the tests before a lone jump know of it.

    One in the line where the loop begins ends the loop. And from 3.12 on a test cannot jump
    backwards: a jump in its own line is only the other half of it.
    """
    if not 0 < block.index < len(program.ops):
        return
    test, jump = program.ops[block.index - 1 : block.index + 1]
    goes_back = block.succs[0].index <= block.index
    other_half = program.code.version >= (3, 12) and jump.line == test.line
    if goes_back and (other_half or (jump.line or 0) < (test.line or 0)):
        return
    for pred in block.preds:
        if pred.kind == BRANCH:
            first = pred.jumps.get(block, block.index)
            pred.jumps = {**pred.jumps, block.succs[0]: first}


_MARKS = frozenset(("ENTER", "POP_ITER"))


def _drop_marks(blocks: List[Block]) -> None:
    """Drop ENTER and the pops of iterators; some `break`s leave LEAVE_LOOP behind."""
    marked = [block for block in blocks if not _MARKS.isdisjoint([op.name for op in block.ops])]
    outer_breaks = {block for block in marked if _breaks_outer_loop(block)}
    breaks = {block for block in marked if _is_break(block)}
    for block in marked:
        _drop_iterator_pops(block)
        if any(op.name == "ENTER" for op in block.ops):
            block.ops[:] = [op for op in block.ops if op.name not in ("ENTER", "PLACEHOLDER")]
        # A chained comparison that fails drops a value before it breaks: that is no statement.
        acts = any(op.name != "POP_TOP" for op in block.ops)
        if block in outer_breaks or (block in breaks and acts):
            # What follows the loop is not to be joined with the `break` that leads there.
            block.ops.append(Op.of("LEAVE_LOOP", None, -1, None))


def _is_break(block: Block) -> bool:
    """Throws the iterator away and goes on, without a value to return."""
    names = [op.name for op in block.ops[-2:]]
    return block.kind == JUMP and names[-1:] == ["POP_ITER"] and names[0] != "SWAP"


def _breaks_outer_loop(block: Block) -> bool:
    """A `break` that stands behind a loop and is reached by that loop's own `break`."""
    if block.kind != JUMP or [op.name for op in block.ops] != ["POP_ITER"]:
        return False
    return any(pred.ops and pred.ops[-1].name == "POP_ITER" for pred in block.preds)


def bypass(block: Block, target: Block) -> None:
    for pred in list(dict.fromkeys(block.preds)):
        pred.redirect(block, target)
    block.set_succs([])


def _drop_iterator_pops(block: Block) -> None:
    """`break` and `return` throw the iterator away; where they lead nobody has it.

    POP_ITER; …  and, below a value to return, SWAP 2; POP_ITER.
    """
    kept: List[Op] = []
    for op in block.ops:
        if op.name != "POP_ITER":
            kept.append(op)
        elif kept and kept[-1].name == "SWAP" and kept[-1].arg == 2:
            kept.pop()
    block.ops[:] = kept
