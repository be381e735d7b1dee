"""A code object -> a `Program`: the opcodes of one Python version become our operations.

Most opcodes are a row in `rows`; the irregular ones have a function here. Afterwards a few
passes remove what only the interpreter needs: block instructions before 3.11, the loops that
drive an `await`, handlers that exist to clean up, inlined comprehensions.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Set, Tuple

from depyf.decompile.decode import artefacts, blockstack, comprehensions
from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import EFFECTS, Op, Program
from depyf.decompile.decode.raw import RawInstr, read_exception_table, read_instructions
from depyf.decompile.decode.rows import CELL, CONST, DROPPED, LOCAL, NAME, NOTHING, RAW, ROWS
from depyf.decompile.decode.tables import OpcodeTable, table_for
from depyf.errors import DecompilationError

_LEGACY_COMPARISONS = ("<", "<=", "==", "!=", ">", ">=", "in", "not in", "is", "is not")


class Reader:
    """The state of one translation: what arguments refer to, and the operations so far."""

    __slots__ = (
        "code",
        "table",
        "version",
        "local_names",
        "cell_names",
        "cells",
        "ops",
        "keywords",
    )

    def __init__(self, code: Code) -> None:
        self.code = code
        self.version = code.version
        self.table: OpcodeTable = table_for(code.version)
        self.cells = frozenset(code.cellvars + code.freevars)
        if code.version >= (3, 11):
            arguments = set(code.varnames)
            own_cells = tuple(name for name in code.cellvars if name not in arguments)
            self.local_names = code.varnames + own_cells + code.freevars
            self.cell_names = self.local_names
        else:
            self.local_names = code.varnames
            self.cell_names = code.cellvars + code.freevars
        self.ops: List[Op] = []
        self.keywords: Any = None

    def add(self, raw: RawInstr, name: str, arg: Any = None) -> None:
        self.ops.append(Op(name, arg, raw.offset, raw.line, raw.target))


def normalise(code: Code, outlined: bool = True) -> Program:
    """The operations of `code`; malformed bytecode raises `DecompilationError`.

    `outlined` tells whether comprehensions that run inline are taken out.
    """
    try:
        return _normalise(code, outlined)
    except (IndexError, KeyError) as error:
        raise DecompilationError(
            "Cannot read the bytecode", code.qualname, f"an argument is out of range ({error})"
        ) from error


_CO_VARARGS, _CO_VARKEYWORDS = 4, 8


def _check_arguments(code: Code) -> None:
    stars = bool(code.flags & _CO_VARARGS) + bool(code.flags & _CO_VARKEYWORDS)
    if code.argcount + code.kwonlyargcount + stars > len(code.varnames):
        why = "it has more arguments than variables"
        raise DecompilationError("Cannot read the code object", code.qualname, why)


def _normalise(code: Code, outlined: bool) -> Program:
    _check_arguments(code)
    reader = Reader(code)
    instructions = read_instructions(code)
    if code.version >= (3, 13):
        artefacts.mark_lonely_tests(instructions)
    index_of = _translate(reader, instructions)
    ops = reader.ops
    if any(type(const) in (Code, slice) for const in code.consts):
        artefacts.name_bare_constants(ops, code.version >= (3, 14))
    handler_pushes: Dict[int, int] = {}
    depths: Dict[int, int] = {}
    around: Dict[int, int] = {}
    falls: Set[int] = set()
    legacy = code.version < (3, 11)
    if code.exceptiontable:
        handler_pushes, depths = _assign_handlers(reader, index_of)
    elif legacy and any(op.name in blockstack.BLOCK_OPS for op in ops):
        ops, handler_pushes, around, falls = blockstack.unroll(code, ops)
    if code.version >= (3, 12):
        artefacts.restore_value_jumps(ops)
        if code.version >= (3, 13):
            artefacts.join_function_attributes(ops)
        artefacts.join_generic_calls(ops)
        if not code.flags & 1:
            artefacts.drop_class_epilogue(ops)
    if code.version >= (3, 14):
        artefacts.drop_inlined_builtin_calls(ops)
        artefacts.restore_with(ops)
    if code.flags & 0x2A0 or code.version >= (3, 12):
        artefacts.collapse_awaits(ops)
    if handler_pushes:
        artefacts.drop_cleanup_handlers(ops)
        artefacts.end_exceptions_last(ops)
    if outlined and code.version >= (3, 12):
        comprehensions.outline(code, ops)
    # Handlers that were dropped would take the place of what follows them.
    used = {op.handler for op in ops if op.name != "NOP"}
    ops, moved = _compact(ops)
    pushes = {moved[handler]: count for handler, count in handler_pushes.items() if handler in used}
    program = Program(code, ops, pushes, 3 if legacy else 1)
    program.handler_depths = {
        moved[handler]: depth for handler, depth in depths.items() if handler in used
    }
    program.handlers_around = {moved[inner]: moved[outer] for inner, outer in around.items()}
    program.falls = {moved[index] for index in falls}
    return program


# What to do with an opcode: nothing, its row, or its rule.
Meaning = Any
_MEANINGS: Dict[Tuple[int, int], List[Meaning]] = {}


def _meanings(table: OpcodeTable) -> List[Meaning]:
    """The meaning of every opcode of one version, by its number."""
    known = _MEANINGS.get(table.version)
    if known is None:
        # The opcodes' numbers, and behind them that of TO_BOOL_ALONE.
        opnames = (*table.opnames, "TO_BOOL_ALONE")
        known = _MEANINGS[table.version] = [_meaning(opname) for opname in opnames]
    return known


def _meaning(opname: str) -> Meaning:
    if opname in DROPPED:
        return None
    return ROWS.get(opname) or SPECIAL.get(opname) or _unknown


def _unknown(reader: Reader, raw: RawInstr) -> bool:
    where = f"{reader.code.qualname} at offset {raw.offset}"
    raise DecompilationError("Unknown opcode", where, raw.opname)


def _translate(reader: Reader, instructions: List[RawInstr]) -> Dict[int, int]:
    """Fill `reader.ops`; returns the index of the first operation at or after each offset."""
    code, ops = reader.code, reader.ops
    names, consts = code.names, code.consts
    local_names, cell_names = reader.local_names, reader.cell_names
    fast_cells = reader.cells if reader.version >= (3, 13) else frozenset()
    # By the way an argument is read: what it is an index of.
    tables = {NAME: names, CONST: consts, LOCAL: local_names, CELL: cell_names}
    meanings = _meanings(reader.table)
    index_of: Dict[int, int] = {}
    skip_next = False
    for raw in instructions:
        index_of[raw.offset] = len(ops)
        meaning = meanings[raw.opcode]
        if meaning is None:
            continue
        if skip_next:
            skip_next = False
            continue
        if type(meaning) is not tuple:
            skip_next = meaning(reader, raw)
            continue
        name, how, fixed = meaning
        if how == NOTHING:
            arg: Any = None
        elif how in tables:
            arg = tables[how][raw.arg]
            if fast_cells and name == "LOAD_FAST" and arg in fast_cells:
                name = "LOAD_CLOSURE"
        else:
            arg = raw.arg if how == RAW else fixed
        ops.append(Op(name, arg, raw.offset, raw.line, raw.target))
    if not ops:
        raise DecompilationError("Cannot read the bytecode", code.qualname, "there is none")
    for op in ops:
        if op.target >= 0:
            op.target = index_of[op.target]
            if op.target >= len(ops):
                raise DecompilationError(
                    "Cannot read the bytecode",
                    code.qualname,
                    "a jump leads behind the last instruction",
                )
    return index_of


def _assign_handlers(
    reader: Reader, index_of: Dict[int, int]
) -> Tuple[Dict[int, int], Dict[int, int]]:
    """Set every operation's handler; returns the pushes and the stack depth of each handler."""
    pushes: Dict[int, int] = {}
    depths: Dict[int, int] = {}
    ops = reader.ops
    index_of.setdefault(len(reader.code.bytecode), len(ops))
    for start, end, target, depth, lasti in read_exception_table(reader.code):
        handler = index_of[target]
        if handler >= len(ops):
            continue
        pushes[handler] = 1 + bool(lasti)
        depths[handler] = depth
        for index in range(index_of[start], index_of[end]):
            ops[index].handler = handler
    return pushes, depths


def _compact(ops: List[Op]) -> Tuple[List[Op], List[int]]:
    """Drop the NOPs that the passes left; returns the operations and where each index went."""
    moved: List[int] = []
    kept: List[Op] = []
    for op in ops:
        moved.append(len(kept))
        if op.name != "NOP":
            kept.append(op)
    if len(kept) != len(ops):
        for op in kept:
            if op.target >= 0:
                op.target = moved[op.target]
            if op.handler >= 0:
                op.handler = moved[op.handler]
    return kept, moved


# The irregular opcodes. A rule adds operations and tells whether the next opcode is to be skipped.


def _load_global(reader: Reader, raw: RawInstr) -> bool:
    if reader.version < (3, 11):
        reader.add(raw, "LOAD_GLOBAL", reader.code.names[raw.arg])
        return False
    null_first = reader.version < (3, 13)
    if raw.arg & 1 and null_first:
        reader.add(raw, "PUSH_NULL")
    reader.add(raw, "LOAD_GLOBAL", reader.code.names[raw.arg >> 1])
    if raw.arg & 1 and not null_first:
        reader.add(raw, "PUSH_NULL")
    return False


def _load_attr(reader: Reader, raw: RawInstr) -> bool:
    if reader.version < (3, 12):
        reader.add(raw, "LOAD_ATTR", reader.code.names[raw.arg])
    else:
        name = "LOAD_METHOD" if raw.arg & 1 else "LOAD_ATTR"
        reader.add(raw, name, reader.code.names[raw.arg >> 1])
    return False


def _load_super_attr(reader: Reader, raw: RawInstr) -> bool:
    name = "LOAD_SUPER_METHOD" if raw.arg & 1 else "LOAD_SUPER_ATTR"
    reader.add(raw, name, (reader.code.names[raw.arg >> 2], not raw.arg & 2))
    return False


def _compare_op(reader: Reader, raw: RawInstr) -> bool:
    version = reader.version
    if version >= (3, 12):
        reader.add(
            raw, "COMPARE", reader.table.compare_ops[raw.arg >> (5 if version >= (3, 13) else 4)]
        )
    elif version == (3, 8) and raw.arg == 10:
        reader.add(raw, "EXC_MATCH", 2)
    else:
        reader.add(raw, "COMPARE", _LEGACY_COMPARISONS[raw.arg])
    return False


def _is_op(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "COMPARE", "is not" if raw.arg else "is")
    return False


def _contains_op(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "COMPARE", "not in" if raw.arg else "in")
    return False


def _binary_op(reader: Reader, raw: RawInstr) -> bool:
    symbol = reader.table.binary_ops[raw.arg][1]
    if symbol == "[]":
        reader.add(raw, "SUBSCR")
    elif symbol.endswith("="):
        reader.add(raw, "INPLACE", symbol[:-1])
    else:
        reader.add(raw, "BINARY", symbol)
    return False


def _format_value(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "FORMAT", (raw.arg & 3, bool(raw.arg & 4)))
    return False


def _call_function(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "CALL", (raw.arg, 1, ()))
    return False


def _call(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "CALL", (raw.arg, 2, reader.keywords or ()))
    reader.keywords = None
    return False


def _call_function_kw(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "CALL_KW", (raw.arg, 1))
    return False


def _call_kw(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "CALL_KW", (raw.arg, 2))
    return False


def _kw_names(reader: Reader, raw: RawInstr) -> bool:
    reader.keywords = reader.code.consts[raw.arg]
    return False


def _call_function_ex(reader: Reader, raw: RawInstr) -> bool:
    slots = 1 if reader.version < (3, 11) else 2
    # 3.14 always has a slot for keyword arguments, with NULL for none.
    has_kwargs = reader.version >= (3, 14) or bool(raw.arg & 1)
    reader.add(raw, "CALL_EX", (slots, has_kwargs))
    return False


def _make_function(reader: Reader, raw: RawInstr) -> bool:
    flags = raw.arg if reader.version < (3, 13) else 0
    if flags & ~15:
        raise IndexError("flags of MAKE_FUNCTION")
    reader.add(raw, "MAKE_FUNCTION", (flags, reader.version < (3, 11)))
    return False


def _dup_top_two(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "COPY", 2)
    reader.add(raw, "COPY", 2)
    return False


def _return_const(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "LOAD_CONST", reader.code.consts[raw.arg])
    reader.add(raw, "RETURN")
    return False


def _unpack_ex(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "UNPACK_EX", (raw.arg & 0xFF, raw.arg >> 8))
    return False


def _two_locals(first: str, second: str) -> Callable[[Reader, RawInstr], bool]:
    def rule(reader: Reader, raw: RawInstr) -> bool:
        for name, index in ((first, raw.arg >> 4), (second, raw.arg & 15)):
            local = reader.local_names[index]
            closure = name == "LOAD_FAST" and local in reader.cells
            reader.add(raw, "LOAD_CLOSURE" if closure else name, local)
        return False

    return rule


def _intrinsic_1(reader: Reader, raw: RawInstr) -> bool:
    name = reader.table.intrinsics_1[raw.arg]
    known = _INTRINSICS_1.get(name)
    if known is None:
        reader.add(raw, "INTRINSIC_1", name)
    elif known[0]:
        reader.add(raw, *known)
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


def _intrinsic_2(reader: Reader, raw: RawInstr) -> bool:
    name = reader.table.intrinsics_2[raw.arg]
    if name == "INTRINSIC_PREP_RERAISE_STAR":
        reader.add(raw, "PREP_RERAISE_STAR")
    else:
        reader.add(raw, "INTRINSIC_2", name)
    return False


def _common_constant(reader: Reader, raw: RawInstr) -> bool:
    name = reader.table.common_constants[raw.arg]
    if name == "AssertionError":
        reader.add(raw, "LOAD_ASSERTION_ERROR")
    else:
        reader.add(raw, "LOAD_COMMON", name)
    return False


def _load_special(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "LOAD_SPECIAL", reader.table.special_methods[raw.arg])
    return False


def _jump_if_not_exc_match(reader: Reader, raw: RawInstr) -> bool:
    target, raw.target = raw.target, -1
    reader.add(raw, "EXC_MATCH", 2)
    raw.target = target
    reader.add(raw, "JUMP_IF_FALSE")
    return False


def _pop_except(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "POP_EXCEPT", 3 if reader.version < (3, 11) else 1)
    return False


def _reraise(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "RERAISE", 3 if reader.version < (3, 11) else 1)
    return False


def _match_keys(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "MATCH_KEYS", reader.version == (3, 10))
    return False


def _match_class(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, "MATCH_CLASS", (raw.arg, reader.version == (3, 10)))
    return False


def _unpack_build(kind: str, with_call: bool) -> Callable[[Reader, RawInstr], bool]:
    def rule(reader: Reader, raw: RawInstr) -> bool:
        reader.add(raw, "BUILD_UNPACK", (kind, raw.arg, with_call))
        return False

    return rule


def _end_for(reader: Reader, raw: RawInstr) -> bool:
    # From 3.13 on the iterator is popped by an instruction of its own.
    return reader.version >= (3, 13)


def _return_generator(reader: Reader, raw: RawInstr) -> bool:
    return True


def _block_op(reader: Reader, raw: RawInstr) -> bool:
    reader.add(raw, raw.opname, raw.arg)
    return False


SPECIAL: Dict[str, Callable[[Reader, RawInstr], bool]] = {
    "LOAD_GLOBAL": _load_global,
    "LOAD_ATTR": _load_attr,
    "LOAD_SUPER_ATTR": _load_super_attr,
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
    "SETUP_FINALLY": _block_op,
    "SETUP_WITH": _block_op,
    "SETUP_ASYNC_WITH": _block_op,
    "POP_BLOCK": _block_op,
    "BEGIN_FINALLY": _block_op,
    "CALL_FINALLY": _block_op,
    "END_FINALLY": _block_op,
    "POP_FINALLY": _block_op,
    "WITH_CLEANUP_START": _block_op,
    "WITH_CLEANUP_FINISH": _block_op,
}

assert all(row[0] in EFFECTS for row in ROWS.values())
