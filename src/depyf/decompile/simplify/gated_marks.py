"""Takes a profiler's marks out of a frame, where they are called only if a profiler is attached.

Torch 2.15 writes them around the loading of a graph's arguments:

    is_enabled, utils, mark = profiler._is_profiler_enabled, torch._dynamo.utils, None
    if is_enabled: mark = utils.record_pregraph_bytecode_enter()
    ...
    if mark is not None: utils.record_pregraph_bytecode_exit(mark)

Whether they are called changes nothing but a profile. Both pieces are recognised to the letter, and
only if nothing else touches their variables; their bytes become NOPs.
"""

from __future__ import annotations

import dis
import opcode
import types
from typing import Dict, Iterator, NamedTuple, Optional, Sequence, Set, Tuple

_NOP = opcode.opmap["NOP"]
# Part of what stands beside them, or nothing at all.
_SKIPPED = frozenset("CACHE NOP EXTENDED_ARG PUSH_NULL TO_BOOL PRECALL".split())
_SPELLED = {
    "LOAD_METHOD": "LOAD_ATTR",
    "CALL_FUNCTION": "CALL",
    "CALL_METHOD": "CALL",
    "LOAD_FAST_BORROW": "LOAD_FAST",
    "LOAD_FAST_CHECK": "LOAD_FAST",
    "POP_JUMP_FORWARD_IF_FALSE": "POP_JUMP_IF_FALSE",
    "POP_JUMP_FORWARD_IF_TRUE": "POP_JUMP_IF_TRUE",
}
# Instructions and what they name; "$x" stands for a variable, "@n" for the nth of the piece.
_Piece = Sequence[Tuple[str, object]]
_ENTER: _Piece = (
    ("LOAD_GLOBAL", "__import_torch_dot_autograd_dot_profiler"),
    ("LOAD_ATTR", "_is_profiler_enabled"),
    ("STORE_FAST", "$enabled"),
    ("LOAD_GLOBAL", "__import_torch_dot__dynamo_dot_utils"),
    ("STORE_FAST", "$utils"),
    ("LOAD_CONST", None),
    ("STORE_FAST", "$mark"),
    ("LOAD_FAST", "$enabled"),
    ("POP_JUMP_IF_FALSE", "@16"),
    ("LOAD_FAST", "$utils"),
    ("LOAD_ATTR", "record_pregraph_bytecode_enter"),
    ("CALL", 0),
    ("STORE_FAST", "$mark"),
    ("LOAD_CONST", None),
    ("JUMP_FORWARD", "@17"),
    ("LOAD_CONST", None),
    ("POP_TOP", None),
)
_EXIT: _Piece = (
    ("LOAD_FAST", "$mark"),
    ("LOAD_CONST", None),
    ("IS_OP", 0),
    ("POP_JUMP_IF_TRUE", "@12"),
    ("LOAD_FAST", "$utils"),
    ("LOAD_ATTR", "record_pregraph_bytecode_exit"),
    ("LOAD_FAST", "$mark"),
    ("CALL", 1),
    ("POP_TOP", None),
    ("LOAD_CONST", None),
    ("JUMP_FORWARD", "@13"),
    ("LOAD_CONST", None),
    ("POP_TOP", None),
)


class _Step(NamedTuple):
    """`start` is where a jump to it may lead, `own` where it begins, `end` where it is over."""

    name: str
    argument: object
    start: int
    own: int
    end: int


class _Found(NamedTuple):
    first: int
    piece: _Piece
    variables: Dict[str, object]


def without_gated_marks(code: types.CodeType) -> types.CodeType:
    """The code without the marks, or the code as it is if they are not exactly as above."""
    if "record_pregraph_bytecode_enter" not in code.co_names:
        return code
    steps = list(_steps(code))
    found = [each for piece in (_ENTER, _EXIT) for each in _find(steps, piece)]
    inside = {place for each in found for place in range(each.first, each.first + len(each.piece))}
    if not found or not _stand_alone(steps, found, inside):
        return code
    raw = bytearray(code.co_code)
    for each in found:
        begin, end = steps[each.first].own, steps[each.first + len(each.piece) - 1].end
        raw[begin:end] = bytes((_NOP, 0)) * ((end - begin) // 2)
    return code.replace(co_code=bytes(raw))


def _steps(code: types.CodeType) -> Iterator[_Step]:
    over, prefixed = 0, -1
    every = list(dis.get_instructions(code))
    for each, following in zip(every, [*every[1:], None]):
        if each.opname == "EXTENDED_ARG" and prefixed < 0:
            prefixed = each.offset
        if each.opname in _SKIPPED:
            continue
        end = following.offset if following is not None else len(code.co_code)
        name = _SPELLED.get(each.opname, each.opname)
        argument = each.arg if name in ("CALL", "IS_OP") else each.argval
        own = prefixed if prefixed >= 0 else each.offset
        yield _Step(name, None if name == "POP_TOP" else argument, over, own, end)
        over, prefixed = end, -1


def _find(steps: Sequence[_Step], piece: _Piece) -> Iterator[_Found]:
    for first in range(len(steps) - len(piece) + 1):
        variables = _matched(steps, first, piece)
        if variables is not None:
            yield _Found(first, piece, variables)


def _matched(steps: Sequence[_Step], first: int, piece: _Piece) -> Optional[Dict[str, object]]:
    variables: Dict[str, object] = {}
    for step, (name, argument) in zip(steps[first:], piece):
        if step.name != name:
            return None
        if isinstance(argument, str) and argument.startswith("@"):
            target = steps[first + int(argument[1:]) - 1]
            if not isinstance(step.argument, int) or not _leads_to(step.argument, target):
                return None
        elif isinstance(argument, str) and argument.startswith("$"):
            if variables.setdefault(argument, step.argument) != step.argument:
                return None
        elif step.argument != argument:
            return None
    return variables


def _leads_to(target: int, step: _Step) -> bool:
    return step.start <= target <= step.own


def _stand_alone(steps: Sequence[_Step], found: Sequence[_Found], inside: Set[int]) -> bool:
    """Whether nothing else reads the variables or jumps into the middle."""
    own = {name for each in found for name in each.variables.values()}
    entered = {name for each in found if each.piece is _ENTER for name in each.variables.values()}
    if own != entered:
        return False
    begins = {each.first for each in found}
    for place, step in enumerate(steps):
        if place in inside:
            continue
        names = step.argument if isinstance(step.argument, tuple) else (step.argument,)
        if "FAST" in step.name and own.intersection(names):
            return False
        if "JUMP" in step.name or step.name == "FOR_ITER":
            reached = [n for n, each in enumerate(steps) if _leads_to(_target(step), each)]
            if any(n in inside and n not in begins for n in reached[-1:]):
                return False
    return True


def _target(step: _Step) -> int:
    return step.argument if isinstance(step.argument, int) else -1
