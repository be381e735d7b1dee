"""Rules for handlers, `with` and `finally`, in the ways of all supported versions.

Before 3.11 the interpreter keeps a stack of blocks at run time and an exception takes three
slots; since then a table says where handlers are and an exception takes one.
"""

from __future__ import annotations

from typing import List, Optional, Sequence

from .instructions import NOWHERE
from .machine import (
    FINALLY_BLOCK,
    HANDLER_BLOCK,
    Event,
    Machine,
    Side,
    Split,
    Stop,
    leave_handler,
    pop_triple,
    rule,
)
from .opcode_kinds import VERSION
from .rules_calls import call_event, joined_callable
from .rules_stack import decide, known_match
from .values import LASTI, NULL, Refused, Value


def _peek(side: Side, depth: int) -> Value:
    if depth > len(side.stack):
        raise Refused("the stack runs empty")
    return side.stack[-depth]


@rule("PUSH_EXC_INFO")
def push_exception(machine: Machine, side: Side, operand: object) -> None:
    exception = _peek(side, 1)
    side.stack[-1:] = [side.exc, exception]
    side.exc = exception
    machine.step(side)


@rule("POP_EXCEPT")
def pop_except(machine: Machine, side: Side, operand: object) -> None:
    if VERSION >= (3, 11):
        side.exc = side.stack.pop()
    else:
        _pop_block(side, HANDLER_BLOCK)
        side.exc = pop_triple(side)
    machine.step(side)


def _pop_block(side: Side, kind: Optional[str] = None) -> int:
    """Takes the last block away and gives its stack level."""
    if not side.blocks or kind not in (None, side.blocks[-1][0]):
        raise Refused("a block ends that was not begun")
    level = side.blocks[-1][2]
    side.blocks = side.blocks[:-1]
    return level


@rule("POP_BLOCK")
def pop_block(machine: Machine, side: Side, operand: object) -> None:
    _pop_block(side)
    machine.step(side)


@rule("SETUP_FINALLY")
def setup_finally(machine: Machine, side: Side, operand: object) -> None:
    side.blocks = (*side.blocks, (FINALLY_BLOCK, machine.target(side), len(side.stack)))
    machine.step(side)


@rule("SETUP_ASYNC_WITH")
def setup_async_with(machine: Machine, side: Side, operand: object) -> None:
    level = len(side.stack) - 1
    side.blocks = (*side.blocks, (FINALLY_BLOCK, machine.target(side), level))
    machine.step(side)


@rule("SETUP_WITH")
def setup_with(machine: Machine, side: Side, operand: object) -> Stop:
    handler = machine.target(side)
    event = machine.event(side, "SETUP_WITH", None, 1, 2)
    _, regular = event.outcomes[0]

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        regular(ahead, results)
        ahead.blocks = (*ahead.blocks, (FINALLY_BLOCK, handler, len(ahead.stack) - 1))

    event.outcomes = [(2, finish)]
    return event


@rule("RERAISE")
def reraise(machine: Machine, side: Side, operand: int) -> None:
    if VERSION >= (3, 11):
        exception = side.stack.pop()
        if operand and _peek(side, operand) != LASTI:
            raise Refused("the place to raise from again is not where it should be")
        machine.unwind(side, exception)
    else:
        machine.unwind(side, pop_triple(side))


@rule("CHECK_EXC_MATCH")
def check_match(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    inputs = [_peek(side, 2), _peek(side, 1)]
    known = known_match(machine, *inputs)
    if known is not None:
        side.stack[-1] = machine.values.constant(known)
        machine.step(side)
        return None
    return machine.event(side, "exception match", None, 1, 1, inputs)


@rule("JUMP_IF_NOT_EXC_MATCH")
def jump_unless_match(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    if side.truth == NULL:

        def finish(ahead: Side, results: Sequence[Value]) -> None:
            ahead.truth = results[0]

        inputs = [_peek(side, 2), _peek(side, 1)]
        known = known_match(machine, *inputs)
        if known is None:
            return Event("exception match", None, inputs, [(1, finish)])
        side.truth = machine.values.constant(known)
    answer = decide(machine, side, side.truth)
    if isinstance(answer, (Event, Split)):
        return answer
    del side.stack[-2:]
    side.pc = machine.follow(side) if answer else machine.target(side)
    return None


@rule("WITH_EXCEPT_START")
def with_except_start(machine: Machine, side: Side, operand: object) -> Stop:
    if VERSION >= (3, 14):
        function, first = joined_callable(_peek(side, 5), _peek(side, 4))
        inputs = [function, *first, _peek(side, 1)]
    elif VERSION >= (3, 11):
        inputs = [_peek(side, 4), _peek(side, 1)]
    else:
        inputs = [_peek(side, 7), _peek(side, 1), _peek(side, 2), _peek(side, 3)]
    return machine.event(side, "WITH_EXCEPT_START", None, 0, 1, inputs)


@rule("END_ASYNC_FOR")
def end_async_for(machine: Machine, side: Side, operand: object) -> Stop:
    after = machine.follow(side)

    def stop_iteration(ahead: Side, results: Sequence[Value]) -> None:
        if VERSION >= (3, 11):
            del ahead.stack[-2:]
        else:
            leave_handler(ahead, _pop_block(ahead, HANDLER_BLOCK))
            ahead.stack.pop()
        ahead.pc = after

    return Event("END_ASYNC_FOR", None, [_peek(side, 1)], [(0, stop_iteration)])


@rule("CLEANUP_THROW")
def cleanup_throw(machine: Machine, side: Side, operand: object) -> Stop:
    base = len(side.stack) - 3
    after = machine.follow(side)
    none = machine.values.constant(None)

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack[base:] = [none, results[0]]
        ahead.pc = after

    _peek(side, 3)
    return Event("CLEANUP_THROW", None, [_peek(side, 1)], [(1, finish)])


# --- what only 3.8 has ------------------------------------------------------------------------


@rule("BEGIN_FINALLY")
def begin_finally(machine: Machine, side: Side, operand: object) -> None:
    side.stack.append(NULL)
    machine.step(side)


@rule("CALL_FINALLY")
def call_finally(machine: Machine, side: Side, operand: object) -> None:
    side.stack.append(("address", machine.follow(side)))
    side.pc = machine.target(side)


@rule("END_FINALLY")
def end_finally(machine: Machine, side: Side, operand: object) -> None:
    reason = _peek(side, 1)
    if reason == NULL:
        side.stack.pop()
        machine.step(side)
    elif reason[0] == "address":
        side.stack.pop()
        side.pc = reason[1]
    else:
        machine.unwind(side, pop_triple(side))


@rule("POP_FINALLY")
def pop_finally(machine: Machine, side: Side, operand: int) -> None:
    kept = [side.stack.pop()] if operand else []
    reason = _peek(side, 1)
    if reason == NULL or reason[0] == "address":
        side.stack.pop()
    else:
        pop_triple(side)
        leave_handler(side, _pop_block(side, HANDLER_BLOCK))
    side.stack += kept
    machine.step(side)


@rule("WITH_CLEANUP_START")
def with_cleanup_start(machine: Machine, side: Side, operand: object) -> Stop:
    none = machine.values.constant(None)
    if _peek(side, 1) == NULL:
        event = call_event(machine, side, len(side.stack), _peek(side, 2), [none] * 3, NULL)
        return _with_cleanup(machine, event, none)
    arguments = [_peek(side, 1), _peek(side, 2), _peek(side, 3)]
    event = call_event(machine, side, len(side.stack), _peek(side, 7), arguments, NULL)
    return _with_cleanup(machine, event, _peek(side, 1))


def _with_cleanup(machine: Machine, event: Event, exception: Value) -> Event:
    regular = event.outcomes[0][1]

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        regular(ahead, ())
        _drop_exit(ahead)
        ahead.stack += [exception, results[0]]

    event.outcomes = [(1, finish)]
    return event


def _drop_exit(side: Side) -> None:
    """Takes `__exit__` from below the reason of leaving; the handler's block moves with it."""
    if side.stack[-1] == NULL:
        del side.stack[-2]
        return
    tail: List[Value] = side.stack[-3:]
    previous = side.stack[-6:-3]
    side.stack[-7:] = [*previous, NULL, *tail]
    level = _pop_block(side, HANDLER_BLOCK)
    side.blocks = (*side.blocks, (HANDLER_BLOCK, NOWHERE, level - 1))


@rule("WITH_CLEANUP_FINISH")
def with_cleanup_finish(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    if _peek(side, 2) != machine.values.constant(None):
        answer = decide(machine, side, _peek(side, 1))
        if isinstance(answer, (Event, Split)):
            return answer
        del side.stack[-2:]
        if answer:
            leave_handler(side, _pop_block(side, HANDLER_BLOCK))
            side.stack.append(NULL)
    else:
        del side.stack[-2:]
    machine.step(side)
    return None
