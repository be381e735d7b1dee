"""Rules for operators: events, but for what a compiler computes itself if it sees both operands.

`-(1 if a else 2)` is compiled with the choice before the sign, or with two signed numbers; text
that says the one may come from bytecode that does the other.
"""

from __future__ import annotations

import operator
from typing import Any, Callable, Dict, List, Optional

from .machine import Machine, Rule, Side, Stop, rule
from .rules_containers import SUBSCRIPT_OPERATOR, item, list_to_tuple
from .values import Refused, Value

# In the order of the operands of BINARY_OP; those of augmented assignments follow.
_BINARY: Dict[str, Callable[[Any, Any], Any]] = {
    "ADD": operator.add,
    "AND": operator.and_,
    "FLOOR_DIVIDE": operator.floordiv,
    "LSHIFT": operator.lshift,
    "MATRIX_MULTIPLY": operator.matmul,
    "MULTIPLY": operator.mul,
    "MODULO": operator.mod,
    "OR": operator.or_,
    "POWER": operator.pow,
    "RSHIFT": operator.rshift,
    "SUBTRACT": operator.sub,
    "TRUE_DIVIDE": operator.truediv,
    "XOR": operator.xor,
}
_BY_OPERAND = [*_BINARY.values()] * 2
_UNARY: Dict[str, Callable[[Any], Any]] = {
    "UNARY_NEGATIVE": operator.neg,
    "UNARY_POSITIVE": operator.pos,
    "UNARY_INVERT": operator.invert,
}
# Among the intrinsics of 3.12.
_POSITIVE, _LIST_TO_TUPLE = 5, 6
# Every Python has one object for each of these, so nobody can tell whether they were computed.
# Larger numbers and longer texts stay events also because a loop must come to one: it would run to
# its end here.
_SMALL = range(-5, 257)
_LONGEST_TEXT = 256


def _computed(machine: Machine, compute: Callable[..., Any], terms: List[Value]) -> Optional[Value]:
    """The result for small numbers, and of a sum of texts; of nothing else."""
    values = machine.values
    texts = compute is operator.add and all(values.plain(term, (str,)) for term in terms)
    if not texts and not all(values.plain(term, (int,)) for term in terms):
        return None
    known: List[Any] = [values.object_of(term) for term in terms]
    if texts:
        joined = "".join(known)
        return values.computed_text(joined) if len(joined) <= _LONGEST_TEXT else None
    if any(number not in _SMALL for number in known):
        return None
    try:
        result = compute(*known)
    except (ArithmeticError, TypeError, ValueError):
        return None
    return values.constant(result) if type(result) is int and result in _SMALL else None


def _apply(
    machine: Machine,
    side: Side,
    event: str,
    operand: object,
    compute: Callable[..., Any],
    count: int,
) -> Optional[Stop]:
    base = len(side.stack) - count
    if base < 0:
        raise Refused("the stack runs empty")
    known = _computed(machine, compute, side.stack[base:])
    if known is None:
        return machine.event(side, event, operand, count, 1)
    side.stack[base:] = [known]
    machine.step(side)
    return None


def _operator(name: str, compute: Callable[..., Any], count: int) -> Rule:
    def apply(machine: Machine, side: Side, operand: object) -> Optional[Stop]:
        return _apply(machine, side, name, operand, compute, count)

    return apply


for _name, _binary in _BINARY.items():
    for _form in ("BINARY", "INPLACE"):
        rule(f"{_form}_{_name}")(_operator(f"{_form}_{_name}", _binary, 2))
for _name, _unary in _UNARY.items():
    rule(_name)(_operator(_name, _unary, 1))


@rule("BINARY_OP")
def binary_operator(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    if operand == SUBSCRIPT_OPERATOR:
        return item(machine, side, operand)
    if operand >= len(_BY_OPERAND):
        raise Refused(f"nothing is known about operator {operand}")
    return _apply(machine, side, "BINARY_OP", operand, _BY_OPERAND[operand], 2)


@rule("CALL_INTRINSIC_1")
def intrinsic(machine: Machine, side: Side, operand: int) -> Optional[Stop]:
    if operand == _LIST_TO_TUPLE:
        return list_to_tuple(machine, side, operand)
    if operand == _POSITIVE:
        return _apply(machine, side, "CALL_INTRINSIC_1", operand, operator.pos, 1)
    return machine.event(side, "CALL_INTRINSIC_1", operand, 1, 1)
