"""Slices among the constants: which of them an index can say, as in `a[1:2]`.

From 3.14 on the compiler makes them, for indexes alone. Code generators put them anywhere, on any
version; those have no literal.
"""

from __future__ import annotations

from typing import Any, List, Sequence, Set

from depyf.decompile.decode.ops import EFFECTS, Op, stack_effect

_INDEXED = frozenset(("SUBSCR", "STORE_SUBSCR", "DELETE_SUBSCR"))
# What an index of several parts is made with, and what is done to it before it is complete.
_COLLECTED = frozenset(("BUILD_TUPLE", "BUILD_LIST", "LIST_APPEND"))
_COMPLETED = frozenset(("LIST_APPEND", "LIST_EXTEND", "LIST_TO_TUPLE"))
# `a[1:2] += b` needs its index twice.
_SHUFFLES = frozenset(("COPY", "SWAP", "ROT"))


def any_hold_slices(constants: Sequence[object]) -> bool:
    """Whether one of the tuples among the constants does; slices themselves are easily seen."""
    return any(holds_slice(each) for each in constants if type(each) is tuple)


def name_slices(ops: List[Op], has_slices: bool) -> None:
    """LOAD_CONST -> LOAD_OBJECT for slices, and tuples with slices, that no index stands for.

    `has_slices` tells that the compiler itself makes such constants.
    """
    joins = {op.target for op in ops}
    for place, op in enumerate(ops):
        if op.name == "LOAD_CONST" and holds_slice(op.arg):
            if not has_slices or _is_nested(op.arg) or not _may_be_index(ops, place, joins):
                op.name = "LOAD_OBJECT"


def holds_slice(value: Any) -> bool:
    """Whether the value is a slice, or a tuple with one in it."""
    waiting, seen = [value], {id(value)}
    for each in waiting:
        if type(each) is slice:
            return True
        if type(each) is tuple:
            # The same tuple may be an item over and over, and so may those in it.
            fresh = [item for item in each if id(item) not in seen]
            seen.update(map(id, fresh))
            waiting += fresh
    return False


def _is_nested(value: Any) -> bool:
    """`a[1, (2:3, 4)]` is no Python."""
    return type(value) is tuple and any(type(each) is tuple and holds_slice(each) for each in value)


def _may_be_index(ops: List[Op], place: int, joins: Set[int]) -> bool:
    """Whether the value ends up in an index, as far as operations can be followed one by one."""
    above, is_tuple = 0, type(ops[place].arg) is tuple
    for _ in ops:
        is_jump = ops[place].name == "JUMP"
        place = ops[place].target if is_jump else place + 1
        following = ops[place] if place < len(ops) else None
        if following is None or following.name not in EFFECTS:
            return True
        taken, put_back = stack_effect(following)
        if not above and (is_jump or place in joins):
            # One of several values: `a[1:2 if b else c]` is no Python either.
            return False
        if taken <= above:
            above += put_back - taken
        elif following.name in (_COMPLETED if is_tuple else _COLLECTED):
            above, is_tuple = 0, True
        else:
            is_index = following.name in _INDEXED and above == 0
            return is_index or following.name in _SHUFFLES
    return True
