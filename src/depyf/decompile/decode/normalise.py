"""A code object -> a `Program`: the opcodes of one Python version become our operations.

`translate` does that, opcode by opcode. Afterwards a few passes remove what only the interpreter
needs: block instructions before 3.11, the loops that drive an `await`, handlers that exist to
clean up, inlined comprehensions.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from operator import itemgetter
from typing import Any, Callable, Dict, FrozenSet, List, Sequence, Set, Tuple

from depyf.decompile.decode import artefacts, blockstack, comprehensions
from depyf.decompile.decode.code import Code, Version
from depyf.decompile.decode.irregular import Reader
from depyf.decompile.decode.ops import OUTSIDE, Op, Program
from depyf.decompile.decode.raw import (
    ExceptionEntry,
    RawInstr,
    read_exception_table,
    read_instructions,
)
from depyf.decompile.decode.slices import any_hold_slices, name_slices
from depyf.decompile.decode.translate import translate
from depyf.errors import DecompilationError


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


def _check_arguments(code: Code) -> None:
    if code.parameter_count > len(code.varnames):
        why = "it has more arguments than variables"
        raise DecompilationError("Cannot read the code object", code.qualname, why)


# Passes over the operations of newer versions, in this order: the first version that needs the
# pass, an operation without which there is nothing to do, the pass.
Pass = Callable[[List[Op]], None]
_PASSES: Tuple[Tuple[Version, str, Pass], ...] = (
    ((3, 12), "COPY", artefacts.restore_value_jumps),
    ((3, 14), "COPY", artefacts.mark_groups),
    ((3, 13), "MAKE_FUNCTION", artefacts.join_function_attributes),
    ((3, 12), "MAKE_FUNCTION", artefacts.join_generic_calls),
    ((3, 14), "LOAD_COMMON", artefacts.drop_inlined_builtin_calls),
    ((3, 14), "LOAD_SPECIAL", artefacts.restore_with),
)
_AWAITING = ("SEND", "YIELD_FROM")
# How many values it unpacks, or makes ready for that.
_UNPACKING: Dict[str, Callable[[Any], int]] = {
    "UNPACK": lambda count: count,
    "UNPACK_EX": sum,
    "MATCH_CLASS": itemgetter(0),
}
_COLLECTIONS = ("BUILD_LIST", "BUILD_SET", "BUILD_MAP")
_CO_OPTIMIZED, _CO_GENERATORS = 1, 0x2A0


def _normalise(code: Code, outlined: bool) -> Program:
    _check_arguments(code)
    version = code.version
    reader = Reader(code)
    translate(reader)
    ops = reader.ops
    constants = set(map(type, code.consts))
    if Code in constants:
        artefacts.name_bare_code(ops)
    if slice in constants or (tuple in constants and any_hold_slices(code.consts)):
        name_slices(ops, version >= (3, 14))
    kinds = frozenset([op.name for op in ops])
    if not kinds.isdisjoint(_UNPACKING):
        _check_unpacked(code, ops)
    handlers = _Handlers()
    instructions: List[RawInstr] = []
    if code.exceptiontable:
        instructions = read_instructions(code)
        _assign_handlers(reader, instructions, handlers)
    elif version < (3, 11) and not blockstack.BLOCK_OPS.isdisjoint(kinds):
        ops, handlers.pushes, handlers.around, handlers.falls = blockstack.unroll(code, ops)
    passes = _passes_for(code, kinds, bool(handlers.pushes), outlined)
    for run in passes:
        run(ops)
    if passes or ops is not reader.ops:
        kinds = frozenset([op.name for op in ops])
    program = _finished(code, ops, kinds, handlers)
    if handlers.pushes and version >= (3, 10):
        program.bare_places = artefacts.find_bare_places(
            instructions or read_instructions(code), reader.table.opnames
        )
    return program


def _check_unpacked(code: Code, ops: List[Op]) -> None:
    """A damaged count, believed, would fill all memory with values that nothing takes."""
    room = max(code.stacksize, len(code.bytecode))
    for op in ops:
        count = _UNPACKING.get(op.name)
        if count is not None and count(op.arg) > room:
            where = f"{code.qualname} at offset {op.offset}"
            why = "more values are unpacked than its stack has room for"
            raise DecompilationError("Cannot read the bytecode", where, why)


def _passes_for(
    code: Code, kinds: FrozenSet[str], has_handlers: bool, outlined: bool
) -> List[Pass]:
    version = code.version
    passes: List[Pass] = []
    if version >= (3, 11) and not artefacts.GIVES_NONE.isdisjoint(kinds):
        passes.append(artefacts.restore_jumps_on_none)
    if version >= (3, 12):
        for since, trigger, run in _PASSES:
            if version >= since and trigger in kinds:
                passes.append(run)
    elif version == (3, 8) and not code.flags & _CO_OPTIMIZED and "LOAD_GLOBAL" in kinds:
        passes.append(artefacts.name_assertion_errors)
    if not code.flags & _CO_OPTIMIZED and "STORE_NAME" in kinds:
        passes.append(artefacts.drop_class_epilogue)
    if code.flags & _CO_GENERATORS or version >= (3, 12):
        if not kinds.isdisjoint(_AWAITING):
            passes.append(artefacts.collapse_awaits)
    if has_handlers:
        passes += [artefacts.drop_cleanup_handlers, artefacts.end_exceptions_last]
    if outlined and version >= (3, 12) and not kinds.isdisjoint(_COLLECTIONS):
        passes.append(partial(comprehensions.outline, code))
    return passes


class _Handlers:
    """What is known about handlers, by the index of their first operation (see `Program`)."""

    __slots__ = ("pushes", "depths", "around", "falls")

    def __init__(self) -> None:
        self.pushes: Dict[int, int] = {}
        self.depths: Dict[int, int] = {}
        self.around: Dict[int, int] = {}
        self.falls: Set[int] = set()


def _finished(code: Code, ops: List[Op], kinds: FrozenSet[str], handlers: _Handlers) -> Program:
    """The program, without the NOPs that the passes left."""
    slots = 3 if code.version < (3, 11) else 1
    has_handlers = bool(handlers.pushes or handlers.around or handlers.falls)
    if not has_handlers and "NOP" not in kinds:
        return Program(code, ops, kinds, {}, slots)
    # Handlers that were dropped would take the place of what follows them.
    used = {op.handler for op in ops if op.name != "NOP"} if handlers.pushes else set()
    moved: Sequence[int] = range(len(ops))
    if "NOP" in kinds:
        ops, moved = _compact(ops)
        kinds -= {"NOP"}
    if not has_handlers:
        return Program(code, ops, kinds, {}, slots)
    pushes = {moved[each]: count for each, count in handlers.pushes.items() if each in used}
    program = Program(code, ops, kinds, pushes, slots)
    program.handler_depths = {
        moved[each]: depth for each, depth in handlers.depths.items() if each in used
    }
    program.handlers_around = {
        moved[inner]: moved[outer] for inner, outer in handlers.around.items()
    }
    program.falls = {moved[index] for index in handlers.falls}
    return program


def _assign_handlers(reader: Reader, instructions: List[RawInstr], handlers: _Handlers) -> None:
    """Set every operation's handler, and the pushes and the stack depth of each handler."""
    ops = reader.ops
    places = {instruction[0] for instruction in instructions}
    places.add(len(reader.code.bytecode))
    offsets = [op.offset for op in ops]
    raising = _raising_offsets(reader, instructions, offsets)
    entries = read_exception_table(reader.code)
    for start, end, target, depth, lasti in entries:
        if not places.issuperset((target, start, end)):
            raise IndexError("of the exception table")
        handler = bisect_left(offsets, target)
        if handler >= len(ops):
            continue
        handlers.pushes[handler] = 1 + bool(lasti)
        handlers.depths[handler] = depth
        for index in range(bisect_left(raising, start), bisect_left(raising, end)):
            ops[index].handler = handler
    for offset, _opcode, _arg, target, _line in instructions:
        if 0 <= target < offset:
            _leave_before(reader, offset, target, offsets, entries)


def _leave_before(
    reader: Reader, source: int, target: int, offsets: List[int], entries: List[ExceptionEntry]
) -> None:
    """`while True: try: …; continue`: the jump back leads to a place before the statement.

    Nothing but the line is left of that place, and what stands there next is covered.
    """
    ops = reader.ops
    first, place = bisect_left(offsets, target), bisect_left(offsets, source)
    jump, before = ops[place], ops[place - 1]
    if offsets[first] == target or jump.name != "JUMP" or not _is_below(jump, before):
        return
    outside = _handler_of(target, offsets, entries)
    if jump.handler == outside and before.handler in _handlers_around(ops, first, outside):
        jump.arg = OUTSIDE


def _handler_of(offset: int, offsets: List[int], entries: List[ExceptionEntry]) -> int:
    """What handles exceptions of an instruction that has become no operation; -1 for nothing."""
    behind = bisect_left(entries, (offset + 1, 0, 0, 0, False))
    _start, end, handler, _depth, _lasti = entries[behind - 1] if behind else (0, 0, 0, 0, False)
    return bisect_left(offsets, handler) if offset < end else -1


def _is_below(jump: Op, before: Op) -> bool:
    """Whether a jump has a line of its own, as `continue` has and the end of a round has not."""
    return jump.line is not None and before.line is not None and jump.line > before.line


def _handlers_around(ops: List[Op], place: int, outside: int) -> Set[int]:
    """The handlers of what stands in a place, from the inside to one that is not counted."""
    found: Set[int] = set()
    handler = ops[place].handler
    while handler >= 0 and handler != outside and handler not in found:
        found.add(handler)
        handler = ops[handler].handler
    return found


def _raising_offsets(reader: Reader, instructions: List[RawInstr], offsets: List[int]) -> List[int]:
    """Where each operation can raise: from 3.13 on a test does in the TO_BOOL before its jump."""
    if reader.version < (3, 13):
        return offsets
    to_bool = reader.table.opnames.index("TO_BOOL")
    tests = {
        instructions[place][0]: offset
        for place, (offset, opcode, *_) in enumerate(instructions, 1)
        if opcode == to_bool and place < len(instructions)
    }
    return [tests.get(offset, offset) for offset in offsets]


def _compact(ops: List[Op]) -> Tuple[List[Op], Sequence[int]]:
    """Drop the NOPs that the passes left; returns the operations and where each index went."""
    moved: List[int] = []
    kept: List[Op] = []
    for op in ops:
        moved.append(len(kept))
        if op.name != "NOP":
            kept.append(op)
    for op in kept:
        if op.target >= 0:
            op.target = moved[op.target]
        if op.handler >= 0:
            op.handler = moved[op.handler]
    return kept, moved
