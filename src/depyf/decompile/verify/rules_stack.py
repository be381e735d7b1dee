"""Rules for what only moves values about: stack shuffles, locals, constants and branches."""

from __future__ import annotations

from typing import Optional, Sequence

from .machine import Event, Machine, Side, Split, Stop, cell_slot, rule
from .opcode_kinds import VERSION
from .values import (
    DEAD,
    EXCEPTIONS,
    LITERAL_TYPES,
    NULL,
    STOP_ITERATION,
    Refused,
    Value,
    condition_of,
    is_boolean,
    is_number,
)


@rule("LOAD_CONST")
def load_constant(machine: Machine, side: Side, operand: object) -> None:
    side.stack.append(machine.constant(operand))
    machine.step(side)


@rule("KW_NAMES")
def keyword_names(machine: Machine, side: Side, operand: object) -> None:
    side.kwnames = machine.constant(operand)
    machine.step(side)


@rule("PRECALL", "NOP", "GEN_START")
def nothing(machine: Machine, side: Side, operand: object) -> None:
    machine.step(side)


@rule("PUSH_NULL")
def push_null(machine: Machine, side: Side, operand: object) -> None:
    side.stack.append(NULL)
    machine.step(side)


@rule("POP_TOP", "POP_ITER")
def pop(machine: Machine, side: Side, operand: object) -> None:
    if side.stack.pop() == NULL:
        raise Refused("NULL is popped as if it were an object")
    machine.step(side)


@rule("LOAD_ASSERTION_ERROR")
def assertion_error(machine: Machine, side: Side, operand: object) -> None:
    side.stack.append(("common", "LOAD_ASSERTION_ERROR"))
    machine.step(side)


@rule("LOAD_COMMON_CONSTANT")
def common_constant(machine: Machine, side: Side, operand: object) -> None:
    side.stack.append(("common", operand))
    machine.step(side)


@rule("COPY")
def copy(machine: Machine, side: Side, operand: int) -> None:
    value = _at(side, operand)
    if value == NULL:
        raise Refused("NULL is copied as if it were an object")
    side.stack.append(value)
    machine.step(side)


@rule("SWAP")
def swap(machine: Machine, side: Side, operand: int) -> None:
    stack = side.stack
    stack[-1], stack[-operand] = _at(side, operand), stack[-1]
    machine.step(side)


@rule("DUP_TOP")
def duplicate(machine: Machine, side: Side, operand: object) -> None:
    copy(machine, side, 1)


@rule("DUP_TOP_TWO")
def duplicate_two(machine: Machine, side: Side, operand: object) -> None:
    side.stack += [_at(side, 2), _at(side, 1)]
    machine.step(side)


@rule("ROT_N")
def rotate(machine: Machine, side: Side, operand: int) -> None:
    _at(side, operand)
    side.stack.insert(len(side.stack) - operand, side.stack.pop())
    machine.step(side)


@rule("ROT_TWO")
def rotate_two(machine: Machine, side: Side, operand: object) -> None:
    rotate(machine, side, 2)


@rule("ROT_THREE")
def rotate_three(machine: Machine, side: Side, operand: object) -> None:
    rotate(machine, side, 3)


@rule("ROT_FOUR")
def rotate_four(machine: Machine, side: Side, operand: object) -> None:
    rotate(machine, side, 4)


def _at(side: Side, depth: int) -> Value:
    if not 0 < depth <= len(side.stack):
        raise Refused("the stack runs empty")
    return side.stack[-depth]


# --- locals -----------------------------------------------------------------------------------


def _variable(side: Side, name: str) -> Value:
    value = side.locals[name]
    if value is DEAD or value == DEAD:
        raise Refused(f"{name} is read where it was taken for dead")
    return value


@rule("LOAD_FAST")
def load_fast(machine: Machine, side: Side, operand: str) -> Optional[Stop]:
    value = _variable(side, operand)
    if value[0] == "maybe":
        return _bound_check(operand, value)
    if value == NULL:
        return Event("fail on unbound", operand, [], [])
    side.stack.append(value)
    machine.step(side)
    return None


def _bound_check(name: str, value: Value) -> Event:
    """Does not move on: the instruction runs again once the variable is known to be bound."""
    event = Event("read of possibly unbound", name, [value], [(1, lambda side, results: None)])
    event.rebinds = value
    return event


@rule("STORE_FAST", "STORE_FAST_MAYBE_NULL")
def store_fast(machine: Machine, side: Side, operand: str) -> None:
    side.locals[operand] = side.stack.pop()
    machine.step(side)


@rule("LOAD_FAST_AND_CLEAR")
def load_and_clear(machine: Machine, side: Side, operand: str) -> None:
    side.stack.append(_variable(side, operand))
    side.locals[operand] = NULL
    machine.step(side)


@rule("DELETE_FAST")
def delete_fast(machine: Machine, side: Side, operand: str) -> Optional[Stop]:
    value = _variable(side, operand)
    if value == NULL:
        return Event("fail on unbound", operand, [], [])
    # What matters about `del` is when its object may go, and a literal goes nowhere.
    unseen = (
        operand in machine.invented
        or operand in machine.trust.scratch
        or machine.values.plain(value, LITERAL_TYPES)
    )
    if unseen and value[0] != "maybe":
        side.locals[operand] = NULL
        machine.step(side)
        return None
    after = machine.follow(side)

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.locals[operand] = NULL
        ahead.pc = after

    return Event("del", operand, [value], [(0, finish)])


@rule("LOAD_CLOSURE")
def load_closure(machine: Machine, side: Side, operand: str) -> None:
    side.stack.append(_variable(side, cell_slot(machine.code, operand)))
    machine.step(side)


@rule("MAKE_CELL")
def make_cell(machine: Machine, side: Side, operand: str) -> Stop:
    slot = cell_slot(machine.code, operand)
    after = machine.follow(side)

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.locals[slot] = results[0]
        ahead.pc = after

    return Event("MAKE_CELL", operand, [side.locals[slot]], [(1, finish)], raises=False)


# --- truth and branches -----------------------------------------------------------------------


# Since 3.13 only TO_BOOL asks for a truth: branches and `not` meet nothing but True and False.
_ASKS_FIRST = VERSION >= (3, 13)


def truth_test(machine: Machine, side: Side, value: Value) -> Event:
    """Asks a value for its truth; the answer waits in the truth register."""

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        ahead.truth = results[0]

    return Event("bool", None, [value], [(1, finish)])


def decide(machine: Machine, side: Side, value: Value) -> object:
    """True or False where the truth of a value is known, otherwise the stop that is needed."""
    if side.truth != NULL:
        value = side.truth
    elif _ASKS_FIRST and not is_boolean(value, machine.values):
        value = _compared(machine, side, value)
    known = machine.values.truth(value, machine.heap)
    if known is None and is_boolean(value, machine.values):
        condition, negated = condition_of(value)
        if condition not in machine.facts:
            return Split(condition)
        known = machine.facts[condition] is not negated
    if known is not None:
        side.truth = NULL
        return known
    return truth_test(machine, side, value)


def _compared(machine: Machine, side: Side, value: Value) -> Value:
    """What a branch since 3.13 does with anything else: it jumps for True, or False, itself."""
    wanted = machine.jumps_when_true(side)
    same = machine.values.identity(value, machine.values.constant(wanted))
    if same is None:
        raise Refused("a branch on something that is neither True nor False")
    return same if wanted else machine.values.negation(same)


@rule("POP_JUMP_IF_TRUE")
def branch(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    answer = decide(machine, side, side.stack[-1])
    if isinstance(answer, (Event, Split)):
        return answer
    side.stack.pop()
    side.pc = machine.follow(side) if answer else machine.target(side)
    return None


@rule("POP_JUMP_IF_NONE")
def branch_on_none(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    values = machine.values
    condition = values.identity(side.stack[-1], values.constant(None))
    if condition is None:  # a tuple, a list or a dict is never None
        condition = values.constant(False)
    answer = decide(machine, side, condition)
    if isinstance(answer, (Event, Split)):
        return answer
    side.stack.pop()
    side.pc = machine.follow(side) if answer else machine.target(side)
    return None


def _jump_or_pop(machine: Machine, side: Side, jumps_when: bool) -> Optional[Stop]:
    answer = decide(machine, side, side.stack[-1])
    if isinstance(answer, (Event, Split)):
        return answer
    if answer is jumps_when:
        side.pc = machine.target(side)
    else:
        side.stack.pop()
        machine.step(side)
    return None


@rule("JUMP_IF_TRUE_OR_POP")
def jump_if_true_or_pop(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    return _jump_or_pop(machine, side, True)


@rule("JUMP_IF_FALSE_OR_POP")
def jump_if_false_or_pop(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    return _jump_or_pop(machine, side, False)


def boolean_of_top(machine: Machine, side: Side) -> Optional[Stop]:
    """Puts the truth of the top of the stack in its place; a stop where it must be asked for."""
    value = side.stack[-1] if side.truth == NULL else side.truth
    known = machine.values.truth(value, machine.heap)
    if known is not None:
        value = machine.values.constant(known)
    elif not is_boolean(value, machine.values):
        return truth_test(machine, side, value)
    side.truth = NULL
    side.stack[-1] = value
    return None


@rule("TO_BOOL")
def to_bool(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    stop = boolean_of_top(machine, side)
    if stop is None:
        machine.step(side)
    return stop


@rule("UNARY_NOT")
def negate(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
    if _ASKS_FIRST and not is_boolean(side.stack[-1], machine.values):
        raise Refused("the negation of something that is neither True nor False")
    stop = boolean_of_top(machine, side)
    if stop is None:
        side.stack[-1] = machine.values.negation(side.stack[-1])
        machine.step(side)
    return stop


# --- comparisons ------------------------------------------------------------------------------

# COMPARE_OP in 3.8 also does the work of IS_OP, CONTAINS_OP and the match of exceptions.
_OPERATORS = ("<", "<=", "==", "!=", ">", ">=", "in", "not in", "is", "is not", "exception match")


@rule("COMPARE_OP")
def compare(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    if operand >= (len(_OPERATORS) if VERSION < (3, 9) else 6):
        raise Refused("an unknown comparison")
    operator = _OPERATORS[operand]
    if operator == "exception match":
        return _match_exception(machine, side)
    if operator in ("in", "not in"):
        return contains(machine, side, int(operator == "not in"))
    if operator in ("is", "is not"):
        return identity(machine, side, int(operator == "is not"))
    known = machine.values.comparison(operator, _at(side, 2), _at(side, 1))
    if known is None:
        numbers = all(is_number(value, machine.values) for value in side.stack[-2:])
        name = "compare numbers " if numbers else "compare "
        return machine.event(side, name + operator, None, 2, 1)
    side.stack[-2:] = [known]
    machine.step(side)
    return None


def known_match(machine: Machine, exception: Value, wanted: Value) -> Optional[bool]:
    """Whether an exception is of the kind that a handler wants.

    That is known of builtins, where their names are trusted or they are constants.
    """
    raised = exception[1] if exception[0] == "type" else exception
    constant = machine.values.object_of(wanted) if wanted[0] == "const" else None
    if wanted == ("builtin", "BaseException") or constant is BaseException:
        return True if raised[0] in EXCEPTIONS else None
    if wanted != ("builtin", "StopIteration") and constant is not StopIteration:
        return None
    if raised[0] == STOP_ITERATION:
        return True
    return False if raised[0] == "failure" else None


def _match_exception(machine: Machine, side: Side) -> Optional[Stop]:
    known = known_match(machine, _at(side, 2), _at(side, 1))
    if known is None:
        return machine.event(side, "exception match", None, 2, 1)
    side.stack[-2:] = [machine.values.constant(known)]
    machine.step(side)
    return None


@rule("IS_OP")
def identity(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    values = machine.values
    known = values.identity(_at(side, 2), _at(side, 1))
    if known is None:
        return _inverted_event(machine, side, "is", operand)
    if known in machine.facts:
        known = values.constant(machine.facts[known])
    side.stack[-2:] = [values.negation(known) if operand else known]
    machine.step(side)
    return None


@rule("CONTAINS_OP")
def contains(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    known = machine.values.membership(_at(side, 2), _at(side, 1))
    if known is not None:
        side.stack[-2:] = [machine.values.constant(known is not bool(operand))]
        machine.step(side)
        return None
    return _inverted_event(machine, side, "in", operand)


def _inverted_event(machine: Machine, side: Side, name: str, inverted: int) -> Event:
    base = len(side.stack) - 2
    after = machine.follow(side)
    inputs = [_at(side, 2), _at(side, 1)]

    def finish(ahead: Side, results: Sequence[Value]) -> None:
        answer = machine.values.negation(results[0]) if inverted else results[0]
        ahead.stack[base:] = [answer]
        ahead.pc = after

    return Event(name, None, inputs, [(1, finish)])
