"""How code that stands in no function was compiled: as a module, an expression, or at a prompt."""

from __future__ import annotations

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.raw import read_instructions
from depyf.decompile.decode.tables import table_for

# The modes of `compile()`.
EXEC, EVAL, SINGLE = "exec", "eval", "single"

_CO_OPTIMIZED = 1
_INTRINSIC_PRINT = 1


def compiled_as(code: Code) -> str:
    """The mode: expressions return their value, and prompts show the values of statements."""
    if code.name != "<module>" or code.flags & _CO_OPTIMIZED:
        return EXEC
    opnames = table_for(code.version).opnames
    mode = EXEC
    previous, index = "", 0
    for _offset, opcode, arg, _target, _line in read_instructions(code):
        name = opnames[opcode]
        if name == "PRINT_EXPR" or (name == "CALL_INTRINSIC_1" and arg == _INTRINSIC_PRINT):
            return SINGLE
        if name == "RETURN_CONST":
            previous, index = "LOAD_CONST", arg
        if name.startswith("RETURN") and not _is_none(code, previous, index):
            mode = EVAL
        previous, index = name, arg
    return mode


def _is_none(code: Code, opname: str, index: int) -> bool:
    return opname == "LOAD_CONST" and index < len(code.consts) and code.consts[index] is None
