"""Spells operations the one way in which blocks come out of a symbolic run.

The copies of a `finally` body are found by their operations. One copy may be run and written anew
while another, in a handler, stays as it was: these must still look the same.
"""

from __future__ import annotations

from typing import Dict, List, Optional

from depyf.decompile.decode.ops import Op

_ARGUMENTS = frozenset(("LOAD_CONST", "LOAD_FAST"))


def spelled_alike(ops: List[Op]) -> List[Op]:
    return _without_nulls(_without_copied_constants(ops))


def _without_copied_constants(ops: List[Op]) -> List[Op]:
    """LOAD_CONST None; DUP_TOP: the constant is loaded again."""
    found: List[Op] = []
    for op in ops:
        if op.name == "COPY" and op.arg == 1 and found and found[-1].name == "LOAD_CONST":
            op = Op("LOAD_CONST", found[-1].arg, op.offset, op.line, op.target, op.handler)
        found.append(op)
    return found


def _without_nulls(ops: List[Op]) -> List[Op]:
    """LOAD_ATTR __exit__; PUSH_NULL; LOAD_CONST None; CALL 1: a call without the null."""
    calls: Dict[int, int] = {}
    for place in range(1, len(ops)):
        call = _call_behind(ops, place)
        if call is not None and ops[place - 1].name == "LOAD_ATTR":
            calls[place] = call
    plain = set(calls.values())
    return [
        _plain_call(op) if place in plain else op
        for place, op in enumerate(ops)
        if place not in calls
    ]


def _call_behind(ops: List[Op], null: int) -> Optional[int]:
    """The place of the call that takes this null, if its arguments are plain loads."""
    if ops[null].name != "PUSH_NULL":
        return None
    end = null + 1
    while end < len(ops) and ops[end].name in _ARGUMENTS:
        end += 1
    if end == len(ops) or ops[end].name != "CALL":
        return None
    count, slots, _keywords = ops[end].arg
    return end if (count, slots) == (end - null - 1, 2) else None


def _plain_call(op: Op) -> Op:
    count, _slots, keywords = op.arg
    return Op("CALL", (count, 1, keywords), op.offset, op.line, op.target, op.handler)
