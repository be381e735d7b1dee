"""Spells operations the one way in which blocks come out of a symbolic run.

The copies of a `finally` body are found by their operations. One copy may be run and written anew
while another, in a handler, stays as it was: these must still look the same.
"""

from __future__ import annotations

from typing import List

from depyf.decompile.decode.ops import Op


def spelled_alike(ops: List[Op]) -> List[Op]:
    return _with_methods(_without_copied_constants(ops))


def _without_copied_constants(ops: List[Op]) -> List[Op]:
    """LOAD_CONST None; DUP_TOP: the constant is loaded again."""
    found: List[Op] = []
    for op in ops:
        if op.name == "COPY" and op.arg == 1 and found and found[-1].name == "LOAD_CONST":
            op = Op.of("LOAD_CONST", found[-1].arg, op.offset, op.line, op.target, op.handler)
        found.append(op)
    return found


def _with_methods(ops: List[Op]) -> List[Op]:
    """LOAD_ATTR __exit__; PUSH_NULL: the lookup of a method, which generators write in two ways."""
    found: List[Op] = []
    for op in ops:
        found.append(op)
        names = [each.name for each in found[-2:]]
        if names == ["LOAD_ATTR", "PUSH_NULL"]:
            lookup = found[-2]
            found[-2:] = [Op.of("LOAD_METHOD", lookup.arg, lookup.offset, lookup.line)]
        elif names == ["LOAD_METHOD", "SWAP"] and op.arg == 2:
            # Which of the two slots is empty makes no difference to a call.
            found.pop()
    return found
