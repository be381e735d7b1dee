"""Opcodes that are several operations, or none, or whose meaning depends on the code object.

A rule adds the operations. What it cannot tell from the argument it asks the `Reader`: the
version, the names and constants that arguments refer to, and where the instruction stands.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op
from depyf.decompile.decode.tables import OpcodeTable, table_for


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
        # Where names of keyword arguments wait for their call.
        self.keywords: List[int] = []
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


_USES_OF_TO_BOOL = ("POP_JUMP_IF_", "UNARY_NOT")


def _to_bool(reader: Reader, arg: int) -> bool:
    """It serves the jump or the `not` behind it; alone it is what is left of `not not`."""
    following = reader.next_opname()
    if following and not following.startswith(_USES_OF_TO_BOOL):
        reader.add("UNARY", "not not ")
    return False


def _kw_names(reader: Reader, arg: int) -> bool:
    reader.keywords.append(len(reader.ops))
    reader.add("KW_NAMES", reader.code.consts[arg])
    return False


def _dup_top_two(reader: Reader, arg: int) -> bool:
    reader.add("COPY", 2)
    reader.add("COPY", 2)
    return False


def _return_const(reader: Reader, arg: int) -> bool:
    reader.add("LOAD_CONST", reader.code.consts[arg])
    reader.add("RETURN")
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


def _jump_if_not_exc_match(reader: Reader, arg: int) -> bool:
    target, reader.target = reader.target, -1
    reader.add("EXC_MATCH", 2)
    reader.target = target
    reader.add("JUMP_IF_FALSE")
    return False


def _end_for(reader: Reader, arg: int) -> bool:
    # From 3.13 on the iterator is popped by an instruction of its own.
    return reader.version >= (3, 13)


def _return_generator(reader: Reader, arg: int) -> bool:
    return True


IRREGULAR: Dict[str, Rule] = {
    "LOAD_GLOBAL": _load_global,
    "LOAD_ATTR": _load_attr,
    "LOAD_SUPER_ATTR": _load_super_attr,
    "TO_BOOL": _to_bool,
    "KW_NAMES": _kw_names,
    "DUP_TOP_TWO": _dup_top_two,
    "RETURN_CONST": _return_const,
    "LOAD_FAST_LOAD_FAST": _two_locals("LOAD_FAST", "LOAD_FAST"),
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": _two_locals("LOAD_FAST", "LOAD_FAST"),
    "STORE_FAST_STORE_FAST": _two_locals("STORE_FAST", "STORE_FAST"),
    "STORE_FAST_LOAD_FAST": _two_locals("STORE_FAST", "LOAD_FAST"),
    "CALL_INTRINSIC_1": _intrinsic_1,
    "CALL_INTRINSIC_2": _intrinsic_2,
    "JUMP_IF_NOT_EXC_MATCH": _jump_if_not_exc_match,
    "END_FOR": _end_for,
    "RETURN_GENERATOR": _return_generator,
}
