"""Rules for calls and functions. All ways to call come down to one event: callable, arguments."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

from .machine import Event, Machine, Side, Stop, rule
from .opcode_kinds import VERSION
from .rules_containers import METHODS, add_to_list, known_items
from .values import NULL, STOP_ITERATION, UNSEEN, Refused, Value

# The callable stands above NULL up to 3.12 and below it since.
_NULL_FIRST = VERSION < (3, 13)


def joined_callable(one: Value, other: Value) -> Tuple[Value, List[Value]]:
    """The callable that two stack slots make, and the self that comes before the arguments."""
    if one[0] == "half0" and other[0] == "half1" and one[1] == other[1]:
        return one[1], []
    if "half0" in (one[0], other[0]) or "half1" in (one[0], other[0]):
        raise Refused("the halves of a method lookup are torn apart")
    if _NULL_FIRST:
        return (other, []) if one == NULL else (one, [other])
    return (one, []) if other == NULL else (one, [other])


def _split_stack(side: Side, count: int) -> Tuple[int, List[Value]]:
    base = len(side.stack) - count
    if base < 0:
        raise Refused("the stack runs empty")
    return base, side.stack[base:]


def call_event(
    machine: Machine,
    side: Side,
    base: int,
    function: Value,
    arguments: Sequence[Value],
    names: Value,
) -> Event:
    builtin = _builtin_name(machine, function)
    if builtin and names == NULL and len(arguments) == 1:
        return _builtin_event(machine, side, base, builtin, arguments[0])
    after = machine.follow(side)
    if names != NULL and names[0] != "tuple":
        raise Refused("the names of keyword arguments are not known")
    keywords = names[1:] if names != NULL else ()
    if len(keywords) > len(arguments):
        raise Refused("more names of keyword arguments than arguments")

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack[base:] = results
        ahead.kwnames = NULL
        ahead.pc = after

    inputs = [function, *arguments, *keywords]
    event = Event("call", (len(arguments), len(keywords)), inputs, [(1, finish)])
    event.shows_locals = True
    return event


def _builtin_name(machine: Machine, function: Value) -> str:
    """What is known to be called: by a name that is trusted, or as a constant."""
    if function[0] == "builtin":
        return str(function[1])
    if function[0] == "const":
        known = machine.values.object_of(function)
        return "iter" if known is iter else "next" if known is next else ""
    return ""


def _builtin_event(machine: Machine, side: Side, base: int, name: str, argument: Value) -> Event:
    """The instruction that a builtin does the work of, where there is one."""
    after = machine.follow(side)

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack[base:] = results
        ahead.pc = after

    def exhausted(ahead: Side, results: Sequence[Value]) -> None:
        machine.unwind(ahead, (STOP_ITERATION, results[0]))

    if name == "iter":
        event = Event("GET_ITER", 0, [argument], [(1, finish)])
    elif name == "next":
        event = Event("next", None, [argument], [(1, finish), (1, exhausted)])
    else:
        raise Refused(f"{name} is called")
    event.shows_locals = True
    return event


def _call(
    machine: Machine,
    side: Side,
    base: int,
    function: Value,
    arguments: Sequence[Value],
    names: Value,
) -> Optional[Stop]:
    """A call that may be done here and now, where nobody can tell."""
    if function == UNSEEN:
        # Another time on the other side, even if it is the same call.
        _done(machine, side, base, machine.values.symbol())
        return None
    if function[0] == "ref" and machine.heap[function[1]][0] == "method":
        return _method_of_list(machine, side, base, function, arguments, names)
    return call_event(machine, side, base, function, arguments, names)


def _done(machine: Machine, side: Side, base: int, result: Value) -> None:
    side.stack[base:] = [result]
    side.kwnames = NULL
    machine.step(side)


def _method_of_list(
    machine: Machine,
    side: Side,
    base: int,
    method: Value,
    arguments: Sequence[Value],
    names: Value,
) -> Optional[Stop]:
    """A list that nobody else knows is changed by its own method, as the instructions do it."""
    _, container, (name, *_) = machine.heap[method[1]]
    if ("list", name) not in METHODS:
        raise Refused("one of several methods is called")
    if names != NULL or len(arguments) != 1 or container[0] != "ref":
        # Others know the list by now, or the call fails.
        return call_event(machine, side, base, method, arguments, names)
    if add_to_list(machine, container, name, arguments[0]):
        _done(machine, side, base, machine.values.constant(None))
        return None
    after = machine.follow(side)

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack[base:] = [machine.values.constant(None)]
        ahead.pc = after

    # LIST_EXTEND has another text for a TypeError.
    return Event(f"list.{name}", None, [container, arguments[0]], [(0, finish)])


@rule("CALL")
def call(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    base, taken = _split_stack(side, operand + 2)
    function, first = joined_callable(taken[0], taken[1])
    return _call(machine, side, base, function, first + taken[2:], side.kwnames)


@rule("CALL_KW")
def call_with_names(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    base, taken = _split_stack(side, operand + 3)
    function, first = joined_callable(taken[0], taken[1])
    return _call(machine, side, base, function, first + taken[2:-1], taken[-1])


@rule("CALL_FUNCTION")
def call_function(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    base, taken = _split_stack(side, operand + 1)
    return _call(machine, side, base, taken[0], taken[1:], NULL)


@rule("CALL_FUNCTION_KW")
def call_function_with_names(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    base, taken = _split_stack(side, operand + 2)
    return _call(machine, side, base, taken[0], taken[1:-1], taken[-1])


@rule("CALL_METHOD")
def call_method(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    base, taken = _split_stack(side, operand + 2)
    function, first = joined_callable(taken[0], taken[1])
    return _call(machine, side, base, function, first + taken[2:], NULL)


@rule("CALL_FUNCTION_EX")
def call_unpacked(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    always_keywords = VERSION >= (3, 14)
    has_keywords = always_keywords or bool(operand & 1)
    with_null = VERSION >= (3, 11)
    base, taken = _split_stack(side, 2 + has_keywords + with_null)
    keywords = taken.pop() if has_keywords else NULL
    arguments = taken.pop()
    function, first = joined_callable(taken[0], taken[1]) if with_null else (taken[0], [])
    if first:
        raise Refused("a call with unpacked arguments has a self")
    known = _known_keywords(machine, keywords)
    items = known_items(machine, arguments)
    if items is not None and known is not None:
        # The function gets a tuple of them, never the list itself.
        names, values = known
        every = [*items, *values]
        return _call(machine, side, base, function, every, ("tuple", *names))
    inputs = [function, arguments] + ([] if keywords == NULL else [keywords])
    pops = len(side.stack) - base
    event = machine.event(side, "call unpacked", keywords == NULL, pops, 1, inputs)
    event.shows_locals = True
    return event


def _known_keywords(machine: Machine, keywords: Value) -> Optional[Tuple[List[Value], List[Value]]]:
    if keywords == NULL:
        return [], []
    if keywords[0] != "ref" or machine.heap[keywords[1]][0] != "dict":
        return None
    contents = machine.heap[keywords[1]][1:]
    return list(contents[::2]), list(contents[1::2])


# --- functions --------------------------------------------------------------------------------


@rule("MAKE_FUNCTION")
def make_function(machine: Machine, side: Side, operand: int) -> Stop:
    flags = operand if VERSION < (3, 13) else 0
    named = VERSION < (3, 11)
    taken = 1 + named + bin(flags & 15).count("1")
    return machine.event(side, "MAKE_FUNCTION", flags, taken, 1, raises=False)


@rule("SET_FUNCTION_ATTRIBUTE")
def set_function_attribute(machine: Machine, side: Side, operand: int) -> Stop:
    base, taken = _split_stack(side, 2)
    after = machine.follow(side)

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack[base:] = ahead.stack[base + 1 :]
        ahead.pc = after

    return Event("SET_FUNCTION_ATTRIBUTE", operand, taken, [(0, finish)], raises=False)
