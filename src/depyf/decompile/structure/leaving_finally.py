"""Tells `finally: return 1`, `finally: break` and `finally: continue` from a bare `except`.

Both throw the exception away and leave. But the ways out of what a `finally` protects are copies
of its body and carry the line of the one statement in it.
"""

from __future__ import annotations

from typing import Iterable, Optional

from depyf.decompile.decode.ops import Op, Program
from depyf.decompile.flow.graph import JUMP, Block
from depyf.decompile.structure.copies import Mismatch, match_copy

_LEAVES = frozenset(("POP_TOP", "POP_ITER", "SWAP", "ROT", "LOAD_CONST", "RETURN"))
_LONGEST_WAY = 5


def is_finally(handler: Block, ways_out: Iterable[Block], program: Program) -> bool:
    """Whether every way out of what `handler` protects is a copy of what it does."""
    line = _line_of_leaving(handler)
    ways = list(ways_out)
    if line is None or not any(_leaves_in(line, way, program) for way in ways):
        return False
    try:
        for way in ways:
            match_copy(handler, way)
    except Mismatch:
        return False
    return True


def _line_of_leaving(handler: Block) -> Optional[int]:
    """The line of a handler that first of all throws the exception away, by one statement."""
    line: Optional[int] = None
    for op in handler.ops:
        if op.name == "PUSH_EXC_INFO":
            continue
        if op.name not in ("POP_TOP", "POP_EXCEPT") or (line is not None and op.line != line):
            return None
        line = op.line
        if op.name == "POP_EXCEPT":
            return line
    return None


def _is_implicit(op: Op) -> bool:
    return op.name == "RETURN" or (op.name == "LOAD_CONST" and op.arg is None)


def _leaves_in(line: int, block: Block, program: Program) -> bool:
    # Behind `except: pass`, the last line of a function, older compilers return in that line.
    implicit_has_line = program.code.version < (3, 10)
    for _step in range(_LONGEST_WAY):
        for op in block.ops:
            if op.name not in _LEAVES:
                return False
            if op.line == line and not (implicit_has_line and _is_implicit(op)):
                return True
        if block.kind != JUMP:
            return False
        if not block.ops and 0 <= block.index < len(program.ops):
            jump = program.ops[block.index]
            if jump.name == "JUMP" and jump.line == line:
                return True
        block = block.succs[0]
    return False
