"""Free variables in the order that somebody else's code has them.

A compiler sorts them by name; torch 2.2 lists those of a continuation as it meets them. Who makes
a function of such code hands over its cells by position, so whatever takes its place needs the
same order.
"""

from __future__ import annotations

import opcode
import sys
import types
from typing import List, Tuple

_EXTENDED_ARG = opcode.opmap["EXTENDED_ARG"]
_COUNTS_LOCALS = sys.version_info >= (3, 11)
# From 3.13 on cells are also read by instructions for two locals at once, and every torch sorts.
_CAN_REORDER = sys.version_info < (3, 13)


def with_free_variables(code: types.CodeType, wanted: Tuple[str, ...]) -> types.CodeType:
    """The code with its free variables in this order; as it is where they are not the same ones."""
    before = cells_by_place(code)
    is_known = sorted(code.co_freevars) == sorted(wanted) and len(before) < 256
    if code.co_freevars == wanted or not is_known or not _CAN_REORDER:
        return code
    first = len(before) - len(wanted)
    after = [*before[:first], *wanted]
    raw = bytearray(code.co_code)
    for offset in range(0, len(raw), 2):
        if raw[offset] in opcode.hasfree and raw[offset + 1] >= first:
            if offset and raw[offset - 2] == _EXTENDED_ARG:
                return code
            raw[offset + 1] = after.index(before[raw[offset + 1]], first)
    return code.replace(co_code=bytes(raw), co_freevars=wanted)


def cells_by_place(code: types.CodeType) -> List[str]:
    """The variables by which LOAD_CLOSURE counts; since 3.11 these are all of them."""
    own = [name for name in code.co_cellvars if not _COUNTS_LOCALS or name not in code.co_varnames]
    every = [*own, *code.co_freevars]
    return [*code.co_varnames, *every] if _COUNTS_LOCALS else every
