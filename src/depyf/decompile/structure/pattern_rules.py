"""What the operations of a pattern do to the values on the stack, one function for each."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

from depyf.decompile.decode.ops import Op
from depyf.decompile.expr.literals import constant
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.structure.pattern_text import Refused, Value, dotted, literal

Stack = List[Value]


def expr_of(value: Value) -> Expr:
    if value.kind != "expr":
        raise Refused("not an expression")
    expr: Expr = value.parts
    return expr


def _number(value: Value) -> int:
    expr = expr_of(value)
    if type(expr.parts) is not int:
        raise Refused("not a number")
    number: int = expr.parts
    return number


def _copy(op: Op, stack: Stack) -> None:
    value = stack[-op.arg]
    if value.kind == "subject":
        if op.arg != 1 or value.copy is not None:
            raise Refused("a value is copied twice")
        value.copy = Value("subject")
        value.copy.source = value
        value = value.copy
    stack.append(value)


def _swap(op: Op, stack: Stack) -> None:
    stack[-1], stack[-op.arg] = stack[-op.arg], stack[-1]


def _rotate(op: Op, stack: Stack) -> None:
    stack.insert(len(stack) - op.arg, stack.pop())


def _pop(op: Op, stack: Stack) -> None:
    stack.pop()


def _compare(op: Op, stack: Stack) -> None:
    right = stack.pop()
    left = stack.pop()
    expr = expr_of(right)
    if left.kind == "subject" and op.arg == "==":
        left.become("literal", literal(expr))
    elif left.kind == "subject" and op.arg == "is":
        left.become("literal", _singleton(expr))
    elif left.kind == "length" and op.arg in ("==", ">="):
        left.parts.length = (op.arg, _number(right))
    elif not (left.kind == "extracted" and op.arg == "is not" and expr.text == "None"):
        raise Refused("a comparison")
    stack.append(Value("flag"))


def _singleton(expr: Expr) -> str:
    if expr.kind != "const" or expr.text not in ("None", "True", "False"):
        raise Refused("not a singleton")
    return expr.text


def _test_none(op: Op, stack: Stack) -> None:
    value = stack.pop()
    flag = Value("flag")
    if value.kind == "subject":
        value.become("literal", "None")
    elif value.kind == "extracted":
        flag.negated = True
    else:
        raise Refused("a comparison")
    stack.append(flag)


def _match_sequence(op: Op, stack: Stack) -> None:
    stack[-1].become("sequence", None)
    stack.append(Value("flag"))


def _match_mapping(op: Op, stack: Stack) -> None:
    stack[-1].become("mapping", ())
    stack.append(Value("flag"))


def _get_len(op: Op, stack: Stack) -> None:
    stack.append(Value("length", stack[-1]))


def _match_class(op: Op, stack: Stack) -> None:
    positional, with_flag = op.arg
    names = expr_of(stack.pop())
    owner = expr_of(stack.pop())
    value = stack.pop()
    if type(names.parts) is not tuple:
        raise Refused("attribute names")
    value.become("class", (dotted(owner), positional, names.parts))
    stack.append(Value("extracted", value))
    if with_flag:
        stack.append(Value("flag"))


def _match_keys(op: Op, stack: Stack) -> None:
    keys, value = stack[-1], stack[-2]
    if value.kind != "subject" or value.shape != "mapping":
        raise Refused("keys of no mapping")
    value.details = tuple(literal(key, singletons=True) for key in _keys(keys))
    stack.append(Value("extracted", value))
    if op.arg:
        stack.append(Value("flag"))


def _keys(value: Value) -> List[Expr]:
    if value.kind == "keys":
        keys: List[Expr] = value.parts
        return keys
    expr = expr_of(value)
    if type(expr.parts) is not tuple:
        raise Refused("keys that are no tuple")
    return [_constant(key) for key in expr.parts]


def _constant(value: Any) -> Expr:
    expr = constant(value)
    if expr is None:
        raise Refused("a key without a literal")
    return expr


def _build_tuple(op: Op, stack: Stack) -> None:
    items = [expr_of(value) for value in stack[len(stack) - op.arg :]]
    del stack[len(stack) - op.arg :]
    stack.append(Value("keys", items))


def _unpack(op: Op, stack: Stack) -> None:
    value = stack.pop()
    if value.kind in ("keys", "expr"):
        # The keys that are taken out of a copy for `**rest`.
        stack.extend(Value("key") for _each in range(op.arg))
        return
    owner = value.parts if value.kind == "extracted" else value
    stack.extend(reversed(owner.children(range(op.arg))))


def _unpack_ex(op: Op, stack: Stack) -> None:
    before, after = op.arg
    value = stack.pop()
    value.starred = before
    stack.extend(reversed(value.children(range(before + 1 + after))))


def _binary(op: Op, stack: Stack) -> None:
    right = stack.pop()
    left = stack.pop()
    if op.arg != "-" or left.kind != "length":
        raise Refused("arithmetic")
    stack.append(Value("index", -_number(right)))


def _subscr(op: Op, stack: Stack) -> None:
    index = stack.pop()
    value = stack.pop()
    place = index.parts if index.kind == "index" else _number(index)
    if value.kind == "extracted":
        owner = value.parts
    else:
        owner = value.source
        if owner is None or owner.copy is not value:
            raise Refused("an item of something else")
        owner.copy = None
    stack.append(owner.children([place])[0])


def _build_map(op: Op, stack: Stack) -> None:
    if op.arg:
        raise Refused("a dictionary")
    stack.append(Value("rest"))


def _dict_update(op: Op, stack: Stack) -> None:
    value = stack.pop()
    stack[-op.arg].parts = value


def _delete_subscr(op: Op, stack: Stack) -> None:
    if stack.pop().kind != "key" or stack.pop().kind != "rest":
        raise Refused("a deletion")


def _copy_without_keys(op: Op, stack: Stack) -> None:
    stack[-1] = Value("rest", stack[-2])


RULES: Dict[str, Callable[[Op, Stack], None]] = {
    "COPY": _copy,
    "SWAP": _swap,
    "ROT": _rotate,
    "POP_TOP": _pop,
    "COMPARE": _compare,
    "TEST_NONE": _test_none,
    "MATCH_SEQUENCE": _match_sequence,
    "MATCH_MAPPING": _match_mapping,
    "MATCH_CLASS": _match_class,
    "MATCH_KEYS": _match_keys,
    "GET_LEN": _get_len,
    "BUILD_TUPLE": _build_tuple,
    "UNPACK": _unpack,
    "UNPACK_EX": _unpack_ex,
    "BINARY": _binary,
    "SUBSCR": _subscr,
    "BUILD_MAP": _build_map,
    "DICT_UPDATE": _dict_update,
    "DELETE_SUBSCR": _delete_subscr,
    "COPY_DICT_WITHOUT_KEYS": _copy_without_keys,
}
