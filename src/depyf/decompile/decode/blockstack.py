"""Before 3.11: block instructions -> one handler per operation, as the exception table has it.

SETUP_* and POP_BLOCK push and pop blocks; following control from the start gives every
instruction one block stack. 3.8 shares one copy of a `finally` body between all its entries
(CALL_FINALLY calls it like a subroutine); following it once per entry yields the copies that
3.9 and later write out, so that the stages behind this one see a single form.
"""

from __future__ import annotations

from typing import Collection, Dict, List, NamedTuple, Optional, Set, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import EXITS, Op
from depyf.errors import DecompilationError

BLOCK_OPS = frozenset(
    (
        "SETUP_FINALLY",
        "SETUP_WITH",
        "SETUP_ASYNC_WITH",
        "POP_BLOCK",
        "BEGIN_FINALLY",
        "CALL_FINALLY",
        "END_FINALLY",
        "POP_FINALLY",
        "WITH_CLEANUP_START",
        "WITH_CLEANUP_FINISH",
        "POP_EXCEPT",
    )
)

# How a `finally` body was entered: by an exception, by falling into it, or by a call from an
# instruction whose index follows.
_RAISED, _FELL, _CALLED = "raised", "fell", "called"
Entry = Tuple[str, int]
Context = Tuple[Entry, ...]
State = Tuple[int, Context]
# Linked list of blocks: (handler state or None for an exception being handled, the rest).
Blocks = Optional[Tuple[Optional[State], "Blocks"]]
# Operations and where they jump to.
Emitted = List[Tuple[Op, Optional[State]]]

_NEVER_FALLS = EXITS | {"JUMP"}
_HANDLER_PUSHES = 6
# Copies of `finally` bodies may outgrow the code, but not by orders of magnitude.
_COPIES = 30
_SMALL = 20_000
# The interpreter has room for 20 blocks, and each may be entered by a call.
_DEEPEST = 40


class _Unroller:
    def __init__(self, code: Code, ops: List[Op]) -> None:
        self.code = code
        self.ops = ops
        self.shared_finally = code.version == (3, 8)
        self.blocks: Dict[State, Blocks] = {}
        # Of instructions that do something to the blocks: what stands in their place, and behind.
        self.emitted: Dict[State, Emitted] = {}
        self.follow: Dict[State, Optional[State]] = {}
        self.work: List[State] = []
        # States in which control has just fallen into a body that ends normally.
        self.fell: Set[State] = set()
        # The handler that was set up when another one was, with nothing being handled in between.
        self.around: Dict[State, State] = {}

    def visit(self, state: State, blocks: Blocks) -> None:
        if state not in self.blocks:
            if len(state[1]) > _DEEPEST:
                raise self.malformed(self.ops[0], "handlers are nested too deeply")
            self.blocks[state] = blocks
            self.work.append(state)

    def malformed(self, op: Op, why: str) -> DecompilationError:
        place = f"{self.code.qualname} at offset {op.offset}"
        return DecompilationError("Cannot follow the blocks", place, why)

    def run(self) -> None:
        self.visit((0, ()), None)
        while self.work:
            if len(self.blocks) > max(_SMALL, _COPIES * len(self.ops)):
                raise self.malformed(self.ops[0], "finally bodies are nested too deeply")
            self.step(self.work.pop())

    def step(self, state: State) -> None:
        """Follow control until it jumps, ends, or comes where it has been."""
        index, context = state
        ops, count, known = self.ops, len(self.ops), self.blocks
        blocks = known[state]
        while index < count:
            op = ops[index]
            rule = _RULES.get(op.name)
            if rule is not None:
                rule(self, state, op)
                return
            if op.target >= 0:
                self.visit((op.target, context), blocks)
            if op.name in _NEVER_FALLS:
                return
            index += 1
            state = (index, context)
            if state in known:
                return
            known[state] = blocks
        raise self.malformed(ops[-1], "control runs off its end")

    def emit(self, state: State, ops: Emitted, follow: Optional[State], blocks: Blocks) -> None:
        self.emitted[state] = ops
        self.follow[state] = follow
        if follow is not None:
            self.visit(follow, blocks)

    def outcome(self, state: State) -> Tuple[Emitted, Optional[State]]:
        """What stands in the place of an instruction, and the state behind it."""
        known = self.emitted.get(state)
        if known is not None:
            return known, self.follow[state]
        index, context = state
        op = self.ops[index]
        target = (op.target, context) if op.target >= 0 else None
        return [(op, target)], None if op.name in _NEVER_FALLS else (index + 1, context)


def _pop(unroller: _Unroller, op: Op, blocks: Blocks) -> Blocks:
    if blocks is None:
        raise unroller.malformed(op, "a block is popped that was never pushed")
    return blocks[1]


def _setup(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    blocks = unroller.blocks[state]
    inner: Context = context + ((_RAISED, 0),) if unroller.shared_finally else context
    handler = (op.target, inner)
    unroller.visit(handler, (None, blocks))
    if blocks is not None and blocks[0] is not None:
        unroller.around[handler] = blocks[0]
    # What is set up starts behind this place: a jump here comes from outside.
    ops: Emitted = [(Op.of("ENTER", None, op.offset, op.line), None)]
    if op.name == "SETUP_WITH":
        ops = [(Op.of("BEFORE_WITH", 1, op.offset, op.line), None)]
    unroller.emit(state, ops, (index + 1, context), (handler, blocks))


def _pop_block(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    blocks = _pop(unroller, op, unroller.blocks[state])
    # Where nothing is protected, an operation that does nothing keeps the handler in sight.
    empty = index > 0 and unroller.ops[index - 1].name == "SETUP_FINALLY"
    ops: Emitted = [(Op.of("ENTER", None, op.offset, op.line), None)] if empty else []
    unroller.emit(state, ops, (index + 1, context), blocks)


def _pop_except(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    blocks = _pop(unroller, op, unroller.blocks[state])
    if unroller.shared_finally and context:
        context = context[:-1]
    unroller.emit(state, [(op, None)], (index + 1, context), blocks)


def _end_async_for(unroller: _Unroller, state: State, op: Op) -> None:
    """The loop is over: the StopAsyncIteration that said so is dropped."""
    index, context = state
    blocks = _pop(unroller, op, unroller.blocks[state])
    outer = context[:-1] if unroller.shared_finally else context
    unroller.emit(state, [(op.moved(-1, -1), None)], (index + 1, outer), blocks)


def _begin_finally(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    follow = (index + 1, context + ((_FELL, index),))
    unroller.emit(state, [], follow, unroller.blocks[state])


def _call_finally(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    follow = (op.target, context + ((_CALLED, index),))
    unroller.emit(state, [], follow, unroller.blocks[state])


def _end_finally(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    if not context:
        raise unroller.malformed(op, "END_FINALLY outside a handler")
    how, caller = context[-1]
    blocks = unroller.blocks[state]
    if how == _RAISED:
        unroller.emit(state, [(Op.of("RERAISE", 3, op.offset, op.line), None)], None, blocks)
    else:
        if how == _FELL:
            unroller.fell.add((caller + 1, context))
        follow = (index if how == _FELL else caller) + 1
        unroller.emit(state, [], (follow, context[:-1]), blocks)


def _pop_finally(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    if not context:
        raise unroller.malformed(op, "POP_FINALLY outside a handler")
    blocks = unroller.blocks[state]
    ops: Emitted = []
    if context[-1][0] == _RAISED:
        blocks = _pop(unroller, op, blocks)
        if op.arg:
            ops.append((Op.of("ROT", 7, op.offset, op.line), None))
        ops.extend((Op.of("POP_TOP", None, op.offset, op.line), None) for _ in range(3))
        ops.append((Op.of("POP_EXCEPT", 3, op.offset, op.line), None))
    unroller.emit(state, ops, (index + 1, context[:-1]), blocks)


def _with_cleanup_start(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    if not context:
        raise unroller.malformed(op, "WITH_CLEANUP_START outside a handler")
    if context[-1][0] == _RAISED:
        ops = [Op.of("WITH_EXCEPT_START", None, op.offset, op.line)]
    else:
        ops = [Op.of("LOAD_CONST", None, op.offset, op.line) for _ in range(3)]
        ops.append(Op.of("CALL", (3, 1, ()), op.offset, op.line))
    plain: Emitted = [(each, None) for each in ops]
    unroller.emit(state, plain, (index + 1, context), unroller.blocks[state])


def _with_cleanup_finish(unroller: _Unroller, state: State, op: Op) -> None:
    index, context = state
    blocks = unroller.blocks[state]
    if not context:
        raise unroller.malformed(op, "WITH_CLEANUP_FINISH outside a handler")
    if context[-1][0] != _RAISED:
        unroller.emit(
            state,
            [(Op.of("POP_TOP", None, op.offset, op.line), None)],
            (index + 1, context),
            blocks,
        )
        return
    # The exception is raised again unless __exit__ returned something true.
    suppressed = (index + 2, context[:-1])
    unroller.visit(suppressed, _pop(unroller, op, blocks))
    reraise: State = (index + 1, context)
    unroller.visit(reraise, blocks)
    ops: Emitted = [(Op.of("JUMP_IF_FALSE", None, op.offset, op.line), reraise)]
    ops.extend((Op.of("POP_TOP", None, op.offset, op.line), None) for _ in range(3))
    ops.append((Op.of("POP_EXCEPT", 3, op.offset, op.line), None))
    ops.append((Op.of("POP_TOP", None, op.offset, op.line), None))
    ops.append((Op.of("JUMP", None, op.offset, op.line), suppressed))
    unroller.emit(state, ops, None, blocks)


_RULES = {
    "SETUP_FINALLY": _setup,
    "SETUP_WITH": _setup,
    "SETUP_ASYNC_WITH": _setup,
    "POP_BLOCK": _pop_block,
    "POP_EXCEPT": _pop_except,
    "END_ASYNC_FOR": _end_async_for,
    "BEGIN_FINALLY": _begin_finally,
    "CALL_FINALLY": _call_finally,
    "END_FINALLY": _end_finally,
    "POP_FINALLY": _pop_finally,
    "WITH_CLEANUP_START": _with_cleanup_start,
    "WITH_CLEANUP_FINISH": _with_cleanup_finish,
}


def _laid_out(states: Collection[State]) -> List[State]:
    """Copies of a `finally` body stand where they are entered, as newer compilers lay them out."""
    places: Dict[Context, Tuple[int, ...]] = {}
    for _index, context in states:
        if context not in places:
            places[context] = tuple([entered for how, entered in context if how != _RAISED])
    return sorted(states, key=lambda state: (*places[state[1]], state[0]))


class Unrolled(NamedTuple):
    """Operations with handlers instead of blocks, and what else the blocks told."""

    ops: List[Op]
    # How many values the interpreter pushes before a handler, and the handler around it.
    pushes: Dict[int, int]
    around: Dict[int, int]
    # Where control falls into a copy of a `finally` body that ends normally.
    falls: Set[int]


def unroll(code: Code, ops: List[Op]) -> Unrolled:
    """Follow control from the start and give every operation its handler."""
    unroller = _Unroller(code, ops)
    unroller.run()
    order = _laid_out(unroller.blocks)
    result: List[Op] = []
    position: Dict[State, int] = {}
    jumps: List[Tuple[Op, State]] = []
    for state, behind in zip(order, [*order[1:], None]):
        position[state] = len(result)
        emitted, follow = unroller.outcome(state)
        for op, target in emitted:
            copy = op.moved(-1, -1)
            if target is not None:
                jumps.append((copy, target))
            result.append(copy)
        if follow is not None and follow != behind:
            here = ops[state[0]]
            # The end of a `finally` body has the line of the last statement in it, and is none.
            line = None if here.name == "END_FINALLY" else here.line
            jump = Op.of("JUMP", None, here.offset, line)
            jumps.append((jump, follow))
            result.append(jump)
    for op, target in jumps:
        op.target = position[target]
    pushes: Dict[int, int] = {}
    for state, end in zip(order, [*list(position.values())[1:], len(result)]):
        handler = _innermost_handler(unroller.blocks[state])
        if handler is not None:
            place = position[handler]
            pushes[place] = _HANDLER_PUSHES
            for op in result[position[state] : end]:
                op.handler = place
    around = {position[inner]: position[outer] for inner, outer in unroller.around.items()}
    return Unrolled(result, pushes, around, {position[state] for state in unroller.fell})


def _innermost_handler(blocks: Blocks) -> Optional[State]:
    while blocks is not None:
        if blocks[0] is not None:
            return blocks[0]
        blocks = blocks[1]
    return None
