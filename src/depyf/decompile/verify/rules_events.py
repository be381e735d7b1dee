"""Rules for instructions that are events: attributes, names, imports, generators.

The regular ones are rows: how many values an instruction takes from the stack and how many it
leaves. `peek` rows read the top of the stack without taking it.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Sequence, Tuple, Union

from .machine import Event, Machine, Rule, Side, Stop, cell_slot, rule
from .opcode_kinds import VERSION
from .rules_containers import METHODS, new_object
from .trust import Trust
from .values import NULL, UNSEEN, Refused, Value, is_exception

Count = Union[int, Callable[[int], int]]

# name: (values taken, values left)
REGULAR: Dict[str, Tuple[Count, Count]] = {
    "STORE_ATTR": (2, 0), "DELETE_ATTR": (1, 0),
    "LOAD_NAME": (0, 1), "STORE_NAME": (1, 0), "DELETE_NAME": (0, 0),
    "STORE_GLOBAL": (1, 0), "DELETE_GLOBAL": (0, 0),
    "LOAD_FROM_DICT_OR_GLOBALS": (1, 1), "LOAD_LOCALS": (0, 1), "LOAD_BUILD_CLASS": (0, 1),
    "SETUP_ANNOTATIONS": (0, 0), "PRINT_EXPR": (1, 0), "IMPORT_NAME": (2, 1), "IMPORT_STAR": (1, 0),
    "GET_ITER": (1, 1), "GET_AITER": (1, 1), "GET_AWAITABLE": (1, 1), "GET_YIELD_FROM_ITER": (1, 1),
    "BUILD_STRING": (lambda n: n, 1),
    "BUILD_SET_UNPACK": (lambda n: n, 1),
    "BUILD_MAP_UNPACK": (lambda n: n, 1), "BUILD_MAP_UNPACK_WITH_CALL": (lambda n: n, 1),
    "FORMAT_VALUE": (lambda flags: 2 if flags & 4 else 1, 1),
    "FORMAT_SIMPLE": (1, 1), "FORMAT_WITH_SPEC": (2, 1), "CONVERT_VALUE": (1, 1),
    "BUILD_TEMPLATE": (2, 1), "BUILD_INTERPOLATION": (lambda flags: 3 if flags & 1 else 2, 1),
    "UNPACK_EX": (1, lambda n: (n & 255) + (n >> 8) + 1),
    "CALL_INTRINSIC_2": (2, 1), "PREP_RERAISE_STAR": (2, 1), "CHECK_EG_MATCH": (2, 2),
    "BEFORE_WITH": (1, 2), "BEFORE_ASYNC_WITH": (1, 2),
    "ASYNC_GEN_WRAP": (1, 1), "RETURN_GENERATOR": (0, 1),
    "YIELD_VALUE": (1, 1), "YIELD_FROM": (2, 1),
    "MATCH_CLASS": (3, 1) if VERSION >= (3, 11) else (2, 2),
}  # fmt: skip

# name: (values read, values pushed)
PEEKING: Dict[str, Tuple[int, int]] = {
    "IMPORT_FROM": (1, 1), "GET_ANEXT": (1, 1), "GET_LEN": (1, 1),
    "MATCH_MAPPING": (1, 1), "MATCH_SEQUENCE": (1, 1),
    "MATCH_KEYS": (2, 1 if VERSION >= (3, 11) else 2),
}  # fmt: skip

# What the results of an event are known to be; all others are anything.
KIND_OF_RESULT: Dict[str, str] = {
    "bool": "bool", "is": "bool", "in": "bool", "exception match": "bool",
    "MATCH_MAPPING": "bool", "MATCH_SEQUENCE": "bool", "GET_LEN": "int",
    **{f"compare numbers {operator}": "bool" for operator in ("<", "<=", "==", "!=", ">", ">=")},
}  # fmt: skip


def _regular(name: str, taken: Count, left: Count) -> Rule:
    def apply(machine: Machine, side: Side, operand: object) -> Stop:
        number = operand if isinstance(operand, int) else 0
        pops = taken if isinstance(taken, int) else taken(number)
        pushes = left if isinstance(left, int) else left(number)
        return machine.event(side, name, operand, pops, pushes)

    return apply


def _peeking(name: str, read: int, pushed: int) -> Rule:
    def apply(machine: Machine, side: Side, operand: object) -> Stop:
        return machine.event(side, name, operand, 0, pushed, _top(side, read))

    return apply


for _name, _counts in REGULAR.items():
    rule(_name)(_regular(_name, *_counts))
for _name, _numbers in PEEKING.items():
    rule(_name)(_peeking(_name, *_numbers))


def _top(side: Side, count: int) -> List[Value]:
    if count > len(side.stack):
        raise Refused("the stack runs empty")
    return side.stack[len(side.stack) - count :]


@rule("COPY_DICT_WITHOUT_KEYS")
def copy_without_keys(machine: Machine, side: Side, operand: object) -> Stop:
    return machine.event(side, "COPY_DICT_WITHOUT_KEYS", operand, 1, 1, _top(side, 2))


# --- names and attributes ---------------------------------------------------------------------


@rule("LOAD_GLOBAL")
def load_global(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    name, with_null = operand if isinstance(operand, tuple) else (operand, 0)

    def arrange(result: Value) -> List[Value]:
        if not with_null:
            return [result]
        return [result, NULL] if VERSION >= (3, 13) else [NULL, result]

    known = _kind_of_global(machine.trust, name)
    if known is None:
        return _arranged(machine, side, "LOAD_GLOBAL", name, 0, arrange)
    side.stack += arrange((known, name))
    machine.step(side)
    return None


def _kind_of_global(trust: Trust, name: object) -> Optional[str]:
    """Of a global that means the same whenever it is looked up; None of all others."""
    if name in trust.builtins:
        return "builtin"
    if name in trust.sequences:
        return "graph"
    if name in trust.fixed:
        return "fixed global"
    return "silent" if name in trust.silent or name in trust.flags else None


def _arranged(
    machine: Machine,
    side: Side,
    name: str,
    operand: object,
    pops: int,
    arrange: Callable[[Value], List[Value]],
) -> Event:
    """An event with one result that is laid on the stack in some way of its own."""
    base = len(side.stack) - pops
    inputs = _top(side, pops)
    after = machine.follow(side)

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack[base:] = arrange(results[0])
        ahead.pc = after

    return Event(name, operand, inputs, [(1, finish)])


def _halves(result: Value) -> List[Value]:
    # A method lookup may leave function and self apart; only the call puts them together again.
    return [("half0", result), ("half1", result)]


@rule("LOAD_ATTR")
def load_attribute(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    name, as_method = operand if isinstance(operand, tuple) else (operand, 0)
    owner = _top(side, 1)[0]
    known: Optional[Value] = None
    if owner[0] == "silent" and name in machine.trust.silent.get(owner[1], ()):
        known = UNSEEN
    elif owner[0] == "silent" and name in machine.trust.flags.get(owner[1], ()):
        known = machine.values.symbol("bool")
    elif owner[0] == "ref" and (machine.heap[owner[1]][0], name) in METHODS:
        # Each lookup makes an object of its own, as a display does.
        known = new_object(machine, "method", [owner, (name,)])
    if known is not None:
        side.stack[-1:] = _halves(known) if as_method else [known]
        machine.step(side)
        return None
    if as_method:
        return _arranged(machine, side, "LOAD_ATTR", name, 1, _halves)
    return machine.event(side, "LOAD_ATTR", name, 1, 1)


@rule("LOAD_METHOD")
def load_method(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    return load_attribute(machine, side, (operand, 1))


@rule("LOAD_SPECIAL")
def load_special(machine: Machine, side: Side, operand: object) -> Stop:
    return _arranged(machine, side, "LOAD_SPECIAL", operand, 1, _halves)


@rule("LOAD_SUPER_ATTR")
def load_super_attribute(machine: Machine, side: Side, operand: Tuple[str, int]) -> Stop:
    name, flags = operand
    if flags & 1:
        return _arranged(machine, side, "LOAD_SUPER_ATTR", (name, flags & 2), 3, _halves)
    return machine.event(side, "LOAD_SUPER_ATTR", (name, flags & 2), 3, 1)


def _cell(machine: Machine, side: Side, name: str) -> Value:
    return side.locals[cell_slot(machine.code, name)]


def _bare(name: str) -> str:
    return name[5:] if name.startswith("cell ") else name


@rule("LOAD_DEREF")
def load_cell(machine: Machine, side: Side, operand: str) -> Stop:
    cell = _cell(machine, side, operand)
    return machine.event(side, "LOAD_DEREF", _bare(operand), 0, 1, [cell])


@rule("LOAD_CLASSDEREF")
def load_class_cell(machine: Machine, side: Side, operand: str) -> Stop:
    cell = _cell(machine, side, operand)
    return machine.event(side, "LOAD_CLASSDEREF", _bare(operand), 0, 1, [cell])


@rule("LOAD_FROM_DICT_OR_DEREF")
def load_dict_or_cell(machine: Machine, side: Side, operand: str) -> Stop:
    inputs = [_cell(machine, side, operand), *_top(side, 1)]
    return machine.event(side, "LOAD_FROM_DICT_OR_DEREF", _bare(operand), 1, 1, inputs)


@rule("STORE_DEREF")
def store_cell(machine: Machine, side: Side, operand: str) -> Stop:
    inputs = [_cell(machine, side, operand), *_top(side, 1)]
    return machine.event(side, "STORE_DEREF", _bare(operand), 1, 0, inputs, raises=False)


@rule("DELETE_DEREF")
def delete_cell(machine: Machine, side: Side, operand: str) -> Stop:
    cell = _cell(machine, side, operand)
    return machine.event(side, "DELETE_DEREF", _bare(operand), 0, 0, [cell])


# --- the end, generators, iteration -----------------------------------------------------------


@rule("RETURN_VALUE")
def return_value(machine: Machine, side: Side, operand: object) -> Stop:
    return Event("return", None, _top(side, 1), [], raises=False)


@rule("RAISE_VARARGS")
def raise_exception(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    if operand == 0 and is_exception(side.exc, machine.values):
        machine.unwind(side, side.exc)  # what is being handled is raised again as it is
        return None
    return Event("raise", operand, _top(side, operand), [])


@rule("a loop of jumps alone")
def loop_forever(machine: Machine, side: Side, operand: object) -> Stop:
    return Event("loop forever", None, [], [])


@rule("RESUME")
def resume(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    if operand & 3 == 0:
        machine.step(side)
        return None
    # While a generator delegates, what it delegates to is found on top of its stack.
    inputs = _top(side, 2)[:1] if operand & 3 >= 2 else []
    return machine.event(side, "RESUME", operand & 3, 0, 0, inputs)


@rule("FOR_ITER")
def for_iter(machine: Machine, side: Side, operand: object) -> Stop:
    base = len(side.stack)
    inside, outside = machine.follow(side), machine.target(side)
    names_end = VERSION >= (3, 12)
    if names_end and not machine.is_at(outside, "END_FOR"):
        raise Refused("a loop ends at something else than END_FOR")

    def go_on(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack.append(results[0])
        ahead.pc = inside

    def leave(ahead: Side, results: Sequence[Value]) -> None:
        # Since 3.12 END_FOR takes away what would have been the next item.
        ahead.stack[base - 1 :] = [ahead.stack[base - 1], NULL] if names_end else []
        ahead.pc = outside

    event = Event("next", None, _top(side, 1), [(1, go_on), (1, leave)])
    event.shows_locals = True
    return event


@rule("END_FOR")
def end_for(machine: Machine, side: Side, operand: object) -> None:
    del side.stack[-2 if VERSION < (3, 13) else -1 :]
    machine.step(side)


@rule("SEND")
def send(machine: Machine, side: Side, operand: object) -> Stop:
    base = len(side.stack)
    waiting, done = machine.follow(side), machine.target(side)
    keeps_receiver = VERSION >= (3, 12)

    def go_on(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack[base - 1 :] = [results[0]]
        ahead.pc = waiting

    def leave(ahead: Side, results: Sequence[Value]) -> None:
        ahead.stack[base - 1 if keeps_receiver else base - 2 :] = [results[0]]
        ahead.pc = done

    return Event("SEND", None, _top(side, 2), [(1, go_on), (1, leave)])


@rule("END_SEND")
def end_send(machine: Machine, side: Side, operand: object) -> None:
    del side.stack[-2]
    machine.step(side)
