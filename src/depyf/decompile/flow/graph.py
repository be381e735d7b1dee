"""A `Program` as a graph: `Block`s of operations, edges between them, one handler per block.

Only what can be reached is built. Blocks end where control may go elsewhere, where the handler
changes, and behind POP_EXCEPT, where the handling of an exception ends.
"""

from __future__ import annotations

from operator import attrgetter
from typing import AbstractSet, Any, Collection, Dict, FrozenSet, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import (
    CONDITIONAL_JUMPS,
    ENDS_BLOCK,
    EXITS,
    IN_GROUP,
    KEEPS,
    LOOPS,
    OUTSIDE,
    Op,
    Program,
)
from depyf.errors import DecompilationError

# What ends a block. JUMP has one successor, BRANCH (true, false), KEEP (where its value is
# kept, where it is popped), FOR (body, exhausted), TRY (protected, handler), EXIT none.
JUMP, BRANCH, KEEP, FOR, TRY, EXIT = "jump", "branch", "keep", "for", "try", "exit"

# Operations behind POP_EXCEPT that may stay in the handler's last block: they cannot raise and
# belong to the `return` that leaves the handler.
LEAVING_QUIETLY = frozenset(
    ("LOAD_CONST", "RETURN", "POP_TOP", "SWAP", "ROT", "STORE_FAST", "DELETE_FAST", "POP_EXCEPT")
)

_CO_OPTIMIZED = 1
_INDEX = attrgetter("index")


_NO_JUMPS: Dict[Block, int] = {}


class Block:
    """A node of the graph. `index` tells where in the program it starts: layout breaks ties."""

    __slots__ = (
        "index",
        "ops",
        "kind",
        "succs",
        "preds",
        "handler",
        "depth",
        "nesting",
        "keeps_true",
        "in_group",
        "is_async",
        "region",
        "context",
        "order",
        "idom",
        "pure",
        "rest",
        "jumps",
        "continues",
    )

    def __init__(self, index: int, ops: List[Op], kind: str, handler: Optional[Block]) -> None:
        self.index = index
        self.ops = ops
        self.kind = kind
        self.handler = handler
        # Stack depth at the start (see flow.iterators).
        self.depth = 0
        # How many `for` loops it stands in, where the stack tells (see flow.iterators).
        self.nesting: Optional[int] = None
        self.succs: List[Block] = []
        self.preds: List[Block] = []
        self.keeps_true = False
        # Whether the value of a KEEP or BRANCH block and the next one stand in parentheses.
        self.in_group = False
        self.is_async = False
        # A TRY block's region; the parts of regions that a block lies in, outermost first. Both
        # are made by a later stage.
        self.region: object = None
        self.context: Tuple[Any, ...] = ()
        self.order = -1
        self.idom: Optional[Block] = None
        # The expression that the block computes, once somebody asked (see structure.operands).
        self.pure: object = None
        # The second half, when the block was split.
        self.rest: Optional[Block] = None
        # Where a block leads by a jump on a line of its own, or a test by one that stands alone,
        # and the place of that jump: it is a `break` or `continue`, not the end of a suite.
        self.jumps = _NO_JUMPS
        # Whether the end of a handler is a `continue`; None where nothing tells.
        self.continues: Optional[bool] = False

    def __repr__(self) -> str:
        succs = " ".join(str(succ.index) for succ in self.succs)
        return f"<Block {self.index} {self.kind} -> {succs}>"

    def redirect(self, old: Block, new: Block) -> None:
        """Let every edge from here to `old` lead to `new`."""
        for place, succ in enumerate(self.succs):
            if succ is old:
                self.succs[place] = new
                old.forget(self)
                new.preds.append(self)

    def forget(self, pred: Block) -> None:
        """One edge from `pred` is gone; one that cannot be reached may be forgotten already."""
        if pred in self.preds:
            self.preds.remove(pred)

    def set_succs(self, succs: List[Block]) -> None:
        for succ in self.succs:
            succ.forget(self)
        self.succs = succs
        for succ in succs:
            succ.preds.append(self)


_NO_BLOCKS: List[Block] = []


class Graph:
    """The blocks of one program; `entry` has no predecessor outside."""

    __slots__ = ("program", "entry", "built", "handlers", "live_ops", "has_loops", "group_ends")

    def __init__(self, program: Program, entry: Block, built: Collection[Block]) -> None:
        self.program = program
        self.entry = entry
        self.built = built
        self.handlers: List[Block] = []
        # The operations that can be reached, jumps aside.
        self.live_ops = program.ops
        self.has_loops = False
        # The ends of `except*` clauses: no `return` can stand there.
        self.group_ends: Set[Block] = set()

    def blocks(self) -> List[Block]:
        """All reachable blocks in layout order."""
        return sorted(_found(self.entry)[0], key=_INDEX)

    def ends(self) -> List[Block]:
        """The blocks that leave the code object, in layout order."""
        ends = [block for block in _found(self.entry)[0] if block.kind == EXIT]
        return sorted(ends, key=_INDEX)

    def dissolve(self) -> None:
        """Nobody needs the edges any more, and without circles blocks are freed when not used.

        Otherwise all of a large graph waits for the garbage collector, which walks it meanwhile.
        """
        for block in self.built:
            block.succs = block.preds = _NO_BLOCKS
            block.idom = block.handler = block.rest = None

    def new_block(self, near: Block, ops: List[Op], kind: str) -> Block:
        """A block that stands where `near` stands and has its handler."""
        block = Block(near.index, ops, kind, near.handler)
        block.context = near.context
        block.nesting = near.nesting
        return block


def ends_with(block: Block, name: str) -> bool:
    """Whether the code object is left here by this operation."""
    return block.kind == EXIT and bool(block.ops) and block.ops[-1].name == name


def reachable(entry: Block) -> Set[Block]:
    """Everything that control reaches from `entry`, through handlers too."""
    return _found(entry)[1]


def _found(entry: Block) -> Tuple[List[Block], Set[Block]]:
    """The same in the order in which it is reached, which is that of equals in the layout."""
    seen = {entry}
    work = [entry]
    for block in work:
        for succ in block.succs:
            if succ not in seen:
                seen.add(succ)
                work.append(succ)
        handler = block.handler
        if handler is not None and handler not in seen:
            seen.add(handler)
            work.append(handler)
    return work, seen


def build_graph(program: Program, as_covered: bool = False) -> Graph:
    """The graph of everything that can be reached from the first operation.

    A compiler may leave a test uncovered by the handler around it, and what its `__bool__` raises
    passes that handler. The same source brings that back; other source has to say it, and asks
    for tests `as_covered`.
    """
    ops = program.ops
    has_handlers = bool(program.handler_pushes)
    if not has_handlers and _JUMPS.isdisjoint(program.kinds):
        return _one_block(program)
    if has_handlers:
        _spread_handlers(ops, _CANNOT_RAISE if as_covered else _SPREADS)
    leaders = _leaders(program)
    if has_handlers:
        _add_handler_leaders(ops, leaders, bool(program.code.flags & _CO_OPTIMIZED))
    starts = sorted(leaders)
    ends = [*starts[1:], len(ops)]
    blocks: Dict[int, Block] = {}
    for start, end in zip(starts, ends):
        blocks[start] = Block(start, ops[start:end], JUMP, None)
    # Dead code may run off the end; what can be reached may not.
    behind = blocks[len(ops)] = Block(len(ops), [], EXIT, None)
    for start, end in zip(starts, ends):
        _connect(blocks, start, end, ops)
    graph = Graph(program, _entry(blocks[0]), blocks.values())
    graph.has_loops = any(0 <= ops[end - 1].target < end for end in ends)
    alive = prune(graph)
    if behind in alive:
        raise _runs_off(program)
    if len(alive) < len(starts):
        graph.live_ops = [op for block in sorted(alive, key=_INDEX) for op in block.ops]
    if has_handlers:
        _protect_lonely_jumps(alive, program.code.version >= (3, 11))
        used = {block.handler for block in alive if block.handler is not None}
        graph.handlers = sorted(used, key=_INDEX)
    return graph


_JUMPS = CONDITIONAL_JUMPS | {"JUMP"}


def _one_block(program: Program) -> Graph:
    """The graph of every third function: what stands behind the first exit is out of reach."""
    names = [op.name for op in program.ops]
    exits = [names.index(name) for name in EXITS.intersection(names)]
    if not exits:
        raise _runs_off(program)
    live = program.ops[: min(exits) + 1]
    whole = Block(0, live, EXIT, None)
    graph = Graph(program, whole, [whole])
    # The block's own operations may be replaced.
    graph.live_ops = live[:]
    return graph


def _runs_off(program: Program) -> DecompilationError:
    where = program.code.qualname
    return DecompilationError("Cannot read the bytecode", where, "control runs off its end")


def _entry(first: Block) -> Block:
    """A start without predecessors: a loop may begin at the first operation."""
    if not first.preds:
        return first
    entry = Block(-1, [], JUMP, None)
    entry.set_succs([first])
    return entry


def _protect_lonely_jumps(blocks: Set[Block], has_table: bool) -> None:
    """A jump from one place of a `try` body to another lies in it, wherever the compiler put it.

    One to the start of the body, which others enter from outside, leaves the body before. With
    an exception table others may come from a `try` inside; before, only such a body's end jumps.
    """
    for block in sorted(blocks, key=lambda each: each.index):
        if block.ops or block.kind != JUMP:
            continue
        target = block.succs[0]
        handler = target.handler
        around = [pred for pred in (*block.preds, *target.preds) if pred is not block]
        if handler is block.handler:
            continue
        # Of the way from an inner `try` to what stands behind it, the jump is still a part.
        may_be_inner = has_table and _is_covered(target, block.handler)
        if all(
            pred.handler is handler or (may_be_inner and _is_covered(pred, handler))
            for pred in around
        ):
            block.handler = handler


def _is_covered(block: Block, handler: Optional[Block]) -> bool:
    """Whether what a block raises gets to a handler, there or through those inside."""
    seen: Set[Optional[Block]] = set()
    inner = block.handler
    while inner is not handler and inner is not None and inner not in seen:
        seen.add(inner)
        inner = inner.handler
    return inner is handler


_CANNOT_RAISE = frozenset(("JUMP", "RETURN"))
_SPREADS = (CONDITIONAL_JUMPS - {"FOR_ITER", "ASYNC_FOR_ITER"}) | _CANNOT_RAISE


def _spread_handlers(ops: List[Op], spreads: FrozenSet[str]) -> None:
    """Jumps and returns go with what stands before them.

    A compiler that turns a conditional jump round leaves it, and the jump behind it, uncovered.
    """
    previous: Optional[Op] = None
    targets = {op.target for op in ops if op.target >= 0}
    for index, op in enumerate(ops):
        if previous is None or op.name not in spreads or op.arg is OUTSIDE:
            pass
        elif op.name == "JUMP" and index in targets and op.handler != previous.handler:
            # Others come here from outside what stands before.
            pass
        elif previous.name not in ENDS_BLOCK or (
            op.name == "JUMP" and previous.name in CONDITIONAL_JUMPS
        ):
            op.handler = previous.handler
        previous = op


def _leaders(program: Program) -> Set[int]:
    ops = program.ops
    behind = [index for index, op in enumerate(ops, 1) if op.name in ENDS_BLOCK]
    leaders = {0, *behind, *[ops[index - 1].target for index in behind]}
    if not LOOPS.isdisjoint(program.kinds):
        # A `for` that never comes round may be all that a `while` around it has: two headers.
        leaders.update([index - 1 for index in behind if ops[index - 1].name in LOOPS])
    leaders -= {-1, len(ops)}
    return leaders


def _add_handler_leaders(ops: List[Op], leaders: Set[int], may_return: bool) -> None:
    handler = -1
    for index, op in enumerate(ops):
        if op.handler != handler:
            leaders.add(index)
            handler = op.handler
        if op.handler >= 0:
            leaders.add(op.handler)
        if op.name == "POP_EXCEPT" and index + 1 < len(ops):
            if not (may_return and _leaves_quietly(ops, index + 1)):
                leaders.add(index + 1)


def _leaves_quietly(ops: List[Op], index: int) -> bool:
    while ops[index].name in LEAVING_QUIETLY:
        if ops[index].name == "RETURN":
            return True
        if ops[index].name == "STORE_FAST" and ops[index + 1].name != "DELETE_FAST":
            # A statement behind the handler, not the end of `except … as name`.
            return False
        if ops[index].name == "DELETE_FAST" and ops[index - 1].name != "STORE_FAST":
            # So is `del name`.
            return False
        index += 1
    return False


def _connect(blocks: Dict[int, Block], start: int, end: int, ops: List[Op]) -> None:
    block = blocks[start]
    last = ops[end - 1]
    handler = ops[start].handler
    block.handler = blocks[handler] if handler >= 0 else None
    name = last.name
    if name == "JUMP":
        block.ops.pop()
        block.set_succs([blocks[last.target]])
        if _has_line_of_its_own(last, block.ops):
            block.jumps = {block.succs[0]: end - 1}
    elif name in CONDITIONAL_JUMPS:
        block.ops.pop()
        _connect_conditional(block, last, blocks[end], blocks[last.target])
    elif name in EXITS:
        block.kind = EXIT
    else:
        block.set_succs([blocks[end]])


def _has_line_of_its_own(jump: Op, before: List[Op]) -> bool:
    """Whether a jump stands below everything that leads to it."""
    line = jump.line
    if line is None or (before and line == before[-1].line):
        return False
    return all(op.line is None or op.line < line for op in before)


def _connect_conditional(block: Block, last: Op, follow: Block, target: Block) -> None:
    name = last.name
    if name in ("FOR_ITER", "ASYNC_FOR_ITER"):
        block.kind, block.is_async = FOR, name == "ASYNC_FOR_ITER"
        # Kept for its offset and line.
        block.ops.append(last)
        block.set_succs([follow, target])
    elif name in KEEPS:
        block.kind, block.keeps_true = KEEP, name == "KEEP_IF_TRUE"
        block.in_group = last.arg is IN_GROUP
        block.set_succs([target, follow])
    else:
        block.kind = BRANCH
        block.in_group = last.arg is IN_GROUP
        if name in ("JUMP_IF_NONE", "JUMP_IF_NOT_NONE"):
            block.ops.append(Op.of("TEST_NONE", None, last.offset, last.line))
        jumps_when_true = name in ("JUMP_IF_TRUE", "JUMP_IF_NONE")
        block.set_succs([target, follow] if jumps_when_true else [follow, target])


def prune(graph: Graph) -> Set[Block]:
    """Forget predecessors that cannot be reached; returns the blocks that can."""
    alive = reachable(graph.entry)
    forget_dead(alive)
    return alive


def forget_dead(alive: AbstractSet[Block]) -> None:
    """Forget predecessors that are not among the blocks that can be reached."""
    for block in alive:
        for pred in block.preds:
            if pred not in alive:
                block.preds = [each for each in block.preds if each in alive]
                break
