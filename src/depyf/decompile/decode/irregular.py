"""Opcodes whose meaning is more than a row: a rule reads the argument and adds operations.

What a rule cannot tell from the argument it asks the `Reader`: the version, the names and
constants that arguments refer to, and where the instruction stands.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op
from depyf.decompile.decode.tables import OpcodeTable, table_for

_LEGACY_COMPARISONS = ("<", "<=", "==", "!=", ">", ">=", "in", "not in", "is", "is not")


class Reader:
    """The state of one translation: what arguments refer to, and the operations so far.

    `offset`, `line` and `target` are those of the instruction that is being translated, `end` is
    where the next one starts.
    """

    __slots__ = (
        "code",
        "table",
        "version",
        "local_names",
        "cell_names",
        "ops",
        "keywords",
        "offset",
        "line",
        "target",
        "end",
    )

    def __init__(self, code: Code) -> None:
        self.code = code
        self.version = code.version
        self.table: OpcodeTable = table_for(code.version)
        if code.version >= (3, 11):
            self.local_names = _local_names(code)
            self.cell_names = self.local_names
        else:
            self.local_names = code.varnames
            self.cell_names = code.cellvars + code.freevars
        self.ops: List[Op] = []
        self.keywords: Any = None
        self.offset = 0
        self.line: Optional[int] = None
        self.target = -1
        self.end = 0

    def add(self, name: str, arg: Any = None) -> None:
        op = Op()
        op.name, op.arg, op.offset = name, arg, self.offset
        op.line, op.target, op.handler = self.line, self.target, -1
        self.ops.append(op)

    def next_opname(self) -> str:
        """The name of the next opcode but for its prefixes; empty at the end."""
        bytecode, place = self.code.bytecode, self.end
        while place < len(bytecode) and bytecode[place] == self.table.extended_arg:
            place += 2
        return self.table.opnames[bytecode[place]] if place < len(bytecode) else ""


def _local_names(code: Code) -> Tuple[str, ...]:
    """From 3.11 on one table holds variables, cells and free variables."""
    own_cells = code.cellvars
    if own_cells:
        arguments = set(code.varnames)
        own_cells = tuple([name for name in own_cells if name not in arguments])
    return code.varnames + own_cells + code.freevars


# Adds operations and tells whether the next opcode is to be skipped.
Rule = Callable[[Reader, int], bool]


def _load_global(reader: Reader, arg: int) -> bool:
    null_first = reader.version < (3, 13)
    if arg & 1 and null_first:
        reader.add("PUSH_NULL")
    reader.add("LOAD_GLOBAL", reader.code.names[arg >> 1])
    if arg & 1 and not null_first:
        reader.add("PUSH_NULL")
    return False


def _load_attr(reader: Reader, arg: int) -> bool:
    name = "LOAD_METHOD" if arg & 1 else "LOAD_ATTR"
    reader.add(name, reader.code.names[arg >> 1])
    return False


def _load_super_attr(reader: Reader, arg: int) -> bool:
    name = "LOAD_SUPER_METHOD" if arg & 1 else "LOAD_SUPER_ATTR"
    reader.add(name, (reader.code.names[arg >> 2], not arg & 2))
    return False


def _compare_op(reader: Reader, arg: int) -> bool:
    version = reader.version
    if version >= (3, 12):
        reader.add("COMPARE", reader.table.compare_ops[arg >> (5 if version >= (3, 13) else 4)])
    elif version == (3, 8) and arg == 10:
        reader.add("EXC_MATCH", 2)
    else:
        reader.add("COMPARE", _LEGACY_COMPARISONS[arg])
    return False


def _is_op(reader: Reader, arg: int) -> bool:
    reader.add("COMPARE", "is not" if arg else "is")
    return False


def _contains_op(reader: Reader, arg: int) -> bool:
    reader.add("COMPARE", "not in" if arg else "in")
    return False


def _binary_op(reader: Reader, arg: int) -> bool:
    symbol = reader.table.binary_ops[arg][1]
    if symbol == "[]":
        reader.add("SUBSCR")
    elif symbol.endswith("="):
        reader.add("INPLACE", symbol[:-1])
    else:
        reader.add("BINARY", symbol)
    return False


_USES_OF_TO_BOOL = ("POP_JUMP_IF_", "UNARY_NOT")


def _to_bool(reader: Reader, arg: int) -> bool:
    """It serves the jump or the `not` behind it; alone it is what is left of `not not`."""
    following = reader.next_opname()
    if following and not following.startswith(_USES_OF_TO_BOOL):
        reader.add("UNARY", "not not ")
    return False


def _format_value(reader: Reader, arg: int) -> bool:
    reader.add("FORMAT", (arg & 3, bool(arg & 4)))
    return False


def _call_function(reader: Reader, arg: int) -> bool:
    reader.add("CALL", (arg, 1, ()))
    return False


def _call(reader: Reader, arg: int) -> bool:
    reader.add("CALL", (arg, 2, reader.keywords or ()))
    reader.keywords = None
    return False


def _call_function_kw(reader: Reader, arg: int) -> bool:
    reader.add("CALL_KW", (arg, 1))
    return False


def _call_kw(reader: Reader, arg: int) -> bool:
    reader.add("CALL_KW", (arg, 2))
    return False


def _kw_names(reader: Reader, arg: int) -> bool:
    reader.keywords = reader.code.consts[arg]
    return False


def _call_function_ex(reader: Reader, arg: int) -> bool:
    slots = 1 if reader.version < (3, 11) else 2
    # 3.14 always has a slot for keyword arguments, with NULL for none.
    has_kwargs = reader.version >= (3, 14) or bool(arg & 1)
    reader.add("CALL_EX", (slots, has_kwargs))
    return False


def _make_function(reader: Reader, arg: int) -> bool:
    flags = arg if reader.version < (3, 13) else 0
    if flags & ~15:
        raise IndexError("flags of MAKE_FUNCTION")
    reader.add("MAKE_FUNCTION", (flags, reader.version < (3, 11)))
    return False


def _dup_top_two(reader: Reader, arg: int) -> bool:
    reader.add("COPY", 2)
    reader.add("COPY", 2)
    return False


def _return_const(reader: Reader, arg: int) -> bool:
    reader.add("LOAD_CONST", reader.code.consts[arg])
    reader.add("RETURN")
    return False


def _unpack_ex(reader: Reader, arg: int) -> bool:
    reader.add("UNPACK_EX", (arg & 0xFF, arg >> 8))
    return False


def _two_locals(first: str, second: str) -> Rule:
    def rule(reader: Reader, arg: int) -> bool:
        reader.add(first, reader.local_names[arg >> 4])
        reader.add(second, reader.local_names[arg & 15])
        return False

    return rule


def _intrinsic_1(reader: Reader, arg: int) -> bool:
    name = reader.table.intrinsics_1[arg]
    known = _INTRINSICS_1.get(name)
    if known is None:
        reader.add("INTRINSIC_1", name)
    elif known[0]:
        reader.add(*known)
    # IMPORT_STAR and PRINT leave a None behind that the next instruction pops.
    return name in ("INTRINSIC_IMPORT_STAR", "INTRINSIC_PRINT")


_INTRINSICS_1: Dict[str, Tuple[str, Any]] = {
    "INTRINSIC_PRINT": ("PRINT_EXPR", None),
    "INTRINSIC_IMPORT_STAR": ("IMPORT_STAR", None),
    "INTRINSIC_STOPITERATION_ERROR": ("STOPITERATION_ERROR", None),
    "INTRINSIC_ASYNC_GEN_WRAP": ("", None),
    "INTRINSIC_UNARY_POSITIVE": ("UNARY", "+"),
    "INTRINSIC_LIST_TO_TUPLE": ("LIST_TO_TUPLE", None),
}


def _intrinsic_2(reader: Reader, arg: int) -> bool:
    name = reader.table.intrinsics_2[arg]
    if name == "INTRINSIC_PREP_RERAISE_STAR":
        reader.add("PREP_RERAISE_STAR")
    else:
        reader.add("INTRINSIC_2", name)
    return False


def _common_constant(reader: Reader, arg: int) -> bool:
    name = reader.table.common_constants[arg]
    if name == "AssertionError":
        reader.add("LOAD_ASSERTION_ERROR")
    else:
        reader.add("LOAD_COMMON", name)
    return False


def _load_special(reader: Reader, arg: int) -> bool:
    reader.add("LOAD_SPECIAL", reader.table.special_methods[arg])
    return False


def _jump_if_not_exc_match(reader: Reader, arg: int) -> bool:
    target, reader.target = reader.target, -1
    reader.add("EXC_MATCH", 2)
    reader.target = target
    reader.add("JUMP_IF_FALSE")
    return False


def _pop_except(reader: Reader, arg: int) -> bool:
    reader.add("POP_EXCEPT", 3 if reader.version < (3, 11) else 1)
    return False


def _reraise(reader: Reader, arg: int) -> bool:
    reader.add("RERAISE", 3 if reader.version < (3, 11) else 1)
    return False


def _match_keys(reader: Reader, arg: int) -> bool:
    reader.add("MATCH_KEYS", reader.version == (3, 10))
    return False


def _match_class(reader: Reader, arg: int) -> bool:
    reader.add("MATCH_CLASS", (arg, reader.version == (3, 10)))
    return False


def _unpack_build(kind: str, with_call: bool) -> Rule:
    def rule(reader: Reader, arg: int) -> bool:
        reader.add("BUILD_UNPACK", (kind, arg, with_call))
        return False

    return rule


def _end_for(reader: Reader, arg: int) -> bool:
    # From 3.13 on the iterator is popped by an instruction of its own.
    return reader.version >= (3, 13)


def _return_generator(reader: Reader, arg: int) -> bool:
    return True


def _block_op(name: str) -> Rule:
    def rule(reader: Reader, arg: int) -> bool:
        reader.add(name, arg)
        return False

    return rule


IRREGULAR: Dict[str, Rule] = {
    "LOAD_GLOBAL": _load_global,
    "LOAD_ATTR": _load_attr,
    "LOAD_SUPER_ATTR": _load_super_attr,
    "COMPARE_OP": _compare_op,
    "IS_OP": _is_op,
    "CONTAINS_OP": _contains_op,
    "BINARY_OP": _binary_op,
    "TO_BOOL": _to_bool,
    "FORMAT_VALUE": _format_value,
    "CALL_FUNCTION": _call_function,
    "CALL_METHOD": _call,
    "CALL": _call,
    "CALL_FUNCTION_KW": _call_function_kw,
    "CALL_KW": _call_kw,
    "KW_NAMES": _kw_names,
    "CALL_FUNCTION_EX": _call_function_ex,
    "MAKE_FUNCTION": _make_function,
    "DUP_TOP_TWO": _dup_top_two,
    "RETURN_CONST": _return_const,
    "UNPACK_EX": _unpack_ex,
    "LOAD_FAST_LOAD_FAST": _two_locals("LOAD_FAST", "LOAD_FAST"),
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": _two_locals("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": _two_locals("STORE_FAST", "STORE_FAST"),
    "STORE_FAST_LOAD_FAST": _two_locals("STORE_FAST", "LOAD_FAST"),
    "CALL_INTRINSIC_1": _intrinsic_1,
    "CALL_INTRINSIC_2": _intrinsic_2,
    "LOAD_COMMON_CONSTANT": _common_constant,
    "LOAD_SPECIAL": _load_special,
    "JUMP_IF_NOT_EXC_MATCH": _jump_if_not_exc_match,
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
    "END_FOR": _end_for,
    "RETURN_GENERATOR": _return_generator,
    "SETUP_FINALLY": _block_op("SETUP_FINALLY"),
    "SETUP_WITH": _block_op("SETUP_WITH"),
    "SETUP_ASYNC_WITH": _block_op("SETUP_ASYNC_WITH"),
    "POP_BLOCK": _block_op("POP_BLOCK"),
    "BEGIN_FINALLY": _block_op("BEGIN_FINALLY"),
    "CALL_FINALLY": _block_op("CALL_FINALLY"),
    "END_FINALLY": _block_op("END_FINALLY"),
    "POP_FINALLY": _block_op("POP_FINALLY"),
    "WITH_CLEANUP_START": _block_op("WITH_CLEANUP_START"),
    "WITH_CLEANUP_FINISH": _block_op("WITH_CLEANUP_FINISH"),
}
