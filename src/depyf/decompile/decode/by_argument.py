"""Opcodes that are one operation each, which the argument tells, and the version.

They are most of what is no row. What one of them means is asked once for every argument.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Tuple

from depyf.decompile.decode.tables import OpcodeTable

# An operation and its argument.
Meaning = Tuple[str, Any]
ArgumentRule = Callable[[OpcodeTable, int], Meaning]


class ByArgument(Dict[int, Meaning]):
    """What one opcode of one version means, by its argument."""

    __slots__ = ("_rule", "_table")

    def __init__(self, rule: ArgumentRule, table: OpcodeTable) -> None:
        self._rule, self._table = rule, table

    def __missing__(self, arg: int) -> Meaning:
        meaning = self._rule(self._table, arg)
        if arg < _REMEMBERED:
            self[arg] = meaning
        return meaning


# An argument without a prefix is less than this.
_REMEMBERED = 256
_LEGACY_COMPARISONS = ("<", "<=", "==", "!=", ">", ">=", "in", "not in", "is", "is not")


def _compare_op(table: OpcodeTable, arg: int) -> Meaning:
    version = table.version
    if version >= (3, 12):
        return "COMPARE", table.compare_ops[arg >> (5 if version >= (3, 13) else 4)]
    if version == (3, 8) and arg == 10:
        return "EXC_MATCH", 2
    return "COMPARE", _LEGACY_COMPARISONS[arg]


def _is_op(table: OpcodeTable, arg: int) -> Meaning:
    return "COMPARE", "is not" if arg else "is"


def _contains_op(table: OpcodeTable, arg: int) -> Meaning:
    return "COMPARE", "not in" if arg else "in"


def _binary_op(table: OpcodeTable, arg: int) -> Meaning:
    symbol = table.binary_ops[arg][1]
    if symbol == "[]":
        return "SUBSCR", None
    if symbol.endswith("="):
        return "INPLACE", symbol[:-1]
    return "BINARY", symbol


def _format_value(table: OpcodeTable, arg: int) -> Meaning:
    return "FORMAT", (arg & 3, bool(arg & 4))


def _call_function(table: OpcodeTable, arg: int) -> Meaning:
    return "CALL", (arg, 1, ())


def _call(table: OpcodeTable, arg: int) -> Meaning:
    return "CALL", (arg, 2, ())


def _call_function_kw(table: OpcodeTable, arg: int) -> Meaning:
    return "CALL_KW", (arg, 1)


def _call_kw(table: OpcodeTable, arg: int) -> Meaning:
    return "CALL_KW", (arg, 2)


def _call_function_ex(table: OpcodeTable, arg: int) -> Meaning:
    slots = 1 if table.version < (3, 11) else 2
    # 3.14 always has a slot for keyword arguments, with NULL for none.
    return "CALL_EX", (slots, table.version >= (3, 14) or bool(arg & 1))


def _make_function(table: OpcodeTable, arg: int) -> Meaning:
    flags = arg if table.version < (3, 13) else 0
    if flags & ~15:
        raise IndexError("flags of MAKE_FUNCTION")
    return "MAKE_FUNCTION", (flags, table.version < (3, 11))


def _unpack_ex(table: OpcodeTable, arg: int) -> Meaning:
    return "UNPACK_EX", (arg & 0xFF, arg >> 8)


def _common_constant(table: OpcodeTable, arg: int) -> Meaning:
    name = table.common_constants[arg]
    if name == "AssertionError":
        return "LOAD_ASSERTION_ERROR", None
    return "LOAD_COMMON", name


def _load_special(table: OpcodeTable, arg: int) -> Meaning:
    return "LOAD_SPECIAL", table.special_methods[arg]


def _pop_except(table: OpcodeTable, arg: int) -> Meaning:
    return "POP_EXCEPT", 3 if table.version < (3, 11) else 1


def _reraise(table: OpcodeTable, arg: int) -> Meaning:
    return "RERAISE", 3 if table.version < (3, 11) else 1


def _match_keys(table: OpcodeTable, arg: int) -> Meaning:
    return "MATCH_KEYS", table.version == (3, 10)


def _match_class(table: OpcodeTable, arg: int) -> Meaning:
    return "MATCH_CLASS", (arg, table.version == (3, 10))


def _unpack_build(kind: str, with_call: bool) -> ArgumentRule:
    return lambda _table, arg: ("BUILD_UNPACK", (kind, arg, with_call))


def _block(name: str) -> ArgumentRule:
    """What is followed before 3.11 to know the handlers, and is gone afterwards."""
    return lambda _table, arg: (name, arg)


_OF_BLOCKS = (
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
)
BY_ARGUMENT: Dict[str, ArgumentRule] = {
    "COMPARE_OP": _compare_op,
    "IS_OP": _is_op,
    "CONTAINS_OP": _contains_op,
    "BINARY_OP": _binary_op,
    "FORMAT_VALUE": _format_value,
    "CALL_FUNCTION": _call_function,
    "CALL_METHOD": _call,
    "CALL": _call,
    "CALL_FUNCTION_KW": _call_function_kw,
    "CALL_KW": _call_kw,
    "CALL_FUNCTION_EX": _call_function_ex,
    "MAKE_FUNCTION": _make_function,
    "UNPACK_EX": _unpack_ex,
    "LOAD_COMMON_CONSTANT": _common_constant,
    "LOAD_SPECIAL": _load_special,
    "POP_EXCEPT": _pop_except,
    "RERAISE": _reraise,
    "MATCH_KEYS": _match_keys,
    "MATCH_CLASS": _match_class,
    "BUILD_TUPLE_UNPACK": _unpack_build("tuple", False),
    "BUILD_TUPLE_UNPACK_WITH_CALL": _unpack_build("tuple", True),
    "BUILD_LIST_UNPACK": _unpack_build("list", False),
    "BUILD_SET_UNPACK": _unpack_build("set", False),
    "BUILD_MAP_UNPACK": _unpack_build("dict", False),
    "BUILD_MAP_UNPACK_WITH_CALL": _unpack_build("dict", True),
    **{name: _block(name) for name in _OF_BLOCKS},
}
