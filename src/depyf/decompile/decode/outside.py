"""What code generators write and no source can: bare cells, and names of two kinds at once.

A compiler only ever makes functions of cells. Where they are anything else they become constants
without a literal, which the text shows by a name and the compiled code gets back. Bare code
objects need no facts about the surroundings: `artefacts` names them. A global that is called like
a variable of the same function gets another name.
"""

from __future__ import annotations

from typing import Dict, List, Mapping

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op, Program


class CellOf:
    """The cell of a variable, as a value."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def name_bare_values(program: Program) -> None:
    """Turn cells that are no part of a function into constants."""
    ops = program.ops
    cells = {op.arg: CellOf(op.arg) for op in ops if op.name == "LOAD_CLOSURE"}
    for index, op in enumerate(ops):
        if op.name == "LOAD_CLOSURE" and not _closes_over(ops, index):
            op.name, op.arg = "LOAD_CONST", cells[op.arg]


# No name of any bytecode begins like this; in the text the global has this ending.
HIDDEN, OF_MODULE = "hidden global ", "_of_module"
_OF_LOCALS = ("LOAD_FAST", "STORE_FAST", "DELETE_FAST", "LOAD_AND_CLEAR")
_OF_GLOBALS = ("LOAD_GLOBAL", "STORE_GLOBAL", "DELETE_GLOBAL")


def name_hidden_globals(program: Program) -> None:
    """Tell globals from variables that hide them: what was inlined knew nothing of these."""
    code = program.code
    variables = {*code.varnames[: code.parameter_count], *code.cellvars, *code.freevars}
    variables.update(op.arg for op in program.ops if op.name in _OF_LOCALS)
    for op in program.ops:
        if op.name in _OF_GLOBALS and op.arg in variables:
            op.arg = HIDDEN + op.arg


def spelled_variables(renamed: Mapping[str, str]) -> Dict[str, str]:
    """What the text calls variables, by the names that they have in the bytecode."""
    hidden = hidden_globals(renamed)
    return {raw: text for text, raw in renamed.items() if text not in hidden}


def hidden_globals(renamed: Mapping[str, str]) -> Dict[str, str]:
    """By what the text calls them, the names of globals that variables hide."""
    return {text: raw for text, raw in renamed.items() if _is_hidden(text, raw)}


def _is_hidden(text: str, raw: str) -> bool:
    return text != raw and text.startswith(raw) and not text[len(raw) :].replace(OF_MODULE, "")


def _closes_over(ops: List[Op], index: int) -> bool:
    """LOAD_CLOSURE a; LOAD_CLOSURE b; BUILD_TUPLE 2; LOAD_CONST <code>; MAKE_FUNCTION"""
    first = index
    while first > 0 and ops[first - 1].name == "LOAD_CLOSURE":
        first -= 1
    while ops[index].name == "LOAD_CLOSURE":
        index += 1
    built = ops[index]
    return (
        built.name == "BUILD_TUPLE"
        and built.arg == index - first
        and _makes_function(ops, index + 1)
    )


def _makes_function(ops: List[Op], index: int) -> bool:
    names = [op.name for op in ops[index : index + 3]]
    if names[:1] != ["LOAD_CONST"] or not isinstance(ops[index].arg, Code):
        return False
    # Before 3.11 the qualified name stands between.
    return names[1:2] == ["MAKE_FUNCTION"] or names[1:] == ["LOAD_CONST", "MAKE_FUNCTION"]
