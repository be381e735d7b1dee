"""Whether a code object that was read from a file is one that the interpreter may be trusted with.

CPython believes what it loads: it walks over the instructions and the line table of a code object
without looking for their end, and a damaged one brings it down.
"""

from __future__ import annotations

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.locations import line_ranges, read_positions
from depyf.decompile.decode.raw import read_instructions
from depyf.decompile.decode.tables import table_for
from depyf.errors import DecompilationError


def is_sound(code: Code) -> bool:
    """Whether its instructions are complete and known, and its tables too, nested code included."""
    opnames = table_for(code.version).opnames
    work = [code]
    try:
        for each in work:
            known = [opnames[opcode][0] != "<" for _, opcode, *_ in read_instructions(each)]
            line_ranges(each)
            read_positions(each)
            if not all(known):
                return False
            work += [const for const in each.consts if isinstance(const, Code)]
    except DecompilationError:
        return False
    return True
