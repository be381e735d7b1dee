"""Finds the pops that throw away a loop's iterator: they belong to `break` and `return`.

Follows stack depths through the graph and remembers at which depths iterators lie; a POP_TOP of
such a place becomes POP_ITER, which says nothing about the program.
"""

from __future__ import annotations

from typing import Dict, List, Tuple

from depyf.decompile.decode.ops import EFFECTS, LOOPS, Op, stack_effect
from depyf.decompile.flow.graph import FOR, KEEP, Block, Graph

# Stack depth at the start of a block, and the depths at which iterators lie.
State = Tuple[int, Tuple[int, ...]]


def mark_iterator_pops(graph: Graph) -> None:
    """Rename the pops of iterators, and set every block's `depth` and `nesting`."""
    if not graph.handlers and LOOPS.isdisjoint(graph.program.kinds):
        return
    shared_finally = graph.program.code.version == (3, 8)
    states: Dict[Block, State] = {graph.entry: (0, ())}
    work = [graph.entry]

    def reach(block: Block, state: State) -> None:
        if block not in states:
            states[block] = state
            block.depth = state[0]
            block.nesting = len(state[1])
            work.append(block)

    while work:
        block = work.pop()
        state = states[block]
        if block.handler is not None:
            reach(block.handler, _handler_state(graph, block, state))
        depth, iterators = _run(block, state, shared_finally)
        if block.kind == FOR:
            # FOR_ITER itself is the last operation: it pushed the item already.
            reach(block.succs[0], (depth, iterators + (depth - 2,)))
            reach(block.succs[1], (depth - 2, iterators))
        elif block.kind == KEEP:
            reach(block.succs[0], (depth, iterators))
            reach(block.succs[1], (depth - 1, iterators))
        else:
            after = depth - 1 if block.kind == "branch" else depth
            for succ in block.succs:
                reach(succ, (after, iterators))


def _handler_state(graph: Graph, block: Block, state: State) -> State:
    handler = block.handler
    assert handler is not None
    program = graph.program
    pushes = program.handler_pushes.get(handler.index, 1)
    base = program.handler_depths.get(handler.index)
    if base is None:
        starts_with = handler.ops[0].name if handler.ops else ""
        base = state[0] - (1 if starts_with == "WITH_EXCEPT_START" else 0)
    return base + pushes, tuple(place for place in state[1] if place < base)


# All others just take values from the stack and put some there.
_SPECIAL = frozenset(("ENTER", "POP_TOP", "SWAP", "ROT", "TEST_NONE"))
# By how much the stack grows, of operations for which that is always the same.
_CHANGES = {
    name: effect[1] - effect[0]
    for name, effect in EFFECTS.items()
    if isinstance(effect, tuple) and name not in _SPECIAL
}


def _run(block: Block, state: State, shared_finally: bool) -> State:
    depth, iterators = state
    for place, op in enumerate(block.ops):
        change = _CHANGES.get(op.name)
        if change is not None or op.name not in _SPECIAL:
            if change is None:
                pops, pushes = stack_effect(op)
                change = pushes - pops
            depth += change
            if iterators and depth <= iterators[-1]:
                iterators = tuple([each for each in iterators if each < depth])
        elif op.name == "POP_TOP":
            depth -= 1
            if depth in iterators:
                op.name = "POP_ITER"
                iterators = tuple([each for each in iterators if each != depth])
                if shared_finally and place and block.ops[place - 1].name == "SWAP":
                    # The value takes the place that was kept for it. `finally` may pop it there.
                    iterators += (depth - 1,)
        elif op.name == "ENTER":
            if place and _is_placeholder(block.ops[place - 1]):
                block.ops[place - 1].name = "PLACEHOLDER"
                iterators += (depth - 1,)
        elif op.name != "TEST_NONE" and iterators:
            iterators = _shuffled(op, depth, iterators)
    return depth, iterators


def _is_placeholder(op: Op) -> bool:
    """LOAD_CONST None; SETUP_FINALLY in 3.8: `finally` has a `return`, `break` or `continue`.

    No statement starts with a value of an expression on the stack. This one keeps the place of
    what the `try` body returns; it is popped where an iterator would be, and as meaningless.
    """
    return op.name == "LOAD_CONST" and op.arg is None


def _shuffled(op: Op, depth: int, iterators: Tuple[int, ...]) -> Tuple[int, ...]:
    top, low = depth - 1, depth - op.arg
    moved: List[int] = []
    for place in iterators:
        if place < low:
            moved.append(place)
        elif op.name == "SWAP":
            moved.append(low if place == top else top if place == low else place)
        else:
            moved.append(low if place == top else place + 1)
    return tuple(sorted(moved))
