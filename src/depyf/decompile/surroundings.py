"""What a function's bytecode tells about the module around it.

From 3.11 on the compiler treats `name.attribute()` as a call of a method unless the module imports
the name. A function that is compiled alone must therefore be told what its module imports.
"""

from __future__ import annotations

import opcode
import re
import sys
import types
from typing import Iterator, List, Pattern, Set, Tuple

_OPMAP = opcode.opmap
_NAME, _NULL, _ATTRIBUTE, _METHOD, _OTHER = range(5)
_SKIPPED = frozenset(_OPMAP[name] for name in ("CACHE", "NOP") if name in _OPMAP)
_VARIABLES = frozenset(
    code for name, code in _OPMAP.items() if name.startswith("LOAD_FAST") and name.count("_") < 3
)
_LOAD_NAME, _LOAD_GLOBAL = _OPMAP["LOAD_NAME"], _OPMAP["LOAD_GLOBAL"]
_LOAD_ATTR, _LOAD_METHOD = _OPMAP["LOAD_ATTR"], _OPMAP.get("LOAD_METHOD", -1)
_PUSH_NULL = _OPMAP.get("PUSH_NULL", -1)
# From 3.12 on, loading an attribute and loading a method are one instruction.
_HAS_METHOD_BIT = sys.version_info >= (3, 12)
_NULL_COMES_LAST = sys.version_info >= (3, 13)


def _bytes_of(*opcodes: int) -> bytes:
    return b"[" + b"".join([re.escape(bytes((each,))) for each in opcodes]) + b"]"


def _telling_instructions() -> Pattern[bytes]:
    """Finds all places where an attribute of a name is called as a function, and a few others."""
    gap = b"(?:" + _bytes_of(*_SKIPPED, opcode.EXTENDED_ARG) + b".)*"
    attribute, null = _bytes_of(_LOAD_ATTR), _bytes_of(max(_PUSH_NULL, 0)) + b"." + gap
    if _NULL_COMES_LAST:
        return re.compile(attribute + b"." + gap + null, re.DOTALL)
    name = _bytes_of(_LOAD_NAME, _LOAD_GLOBAL, *_VARIABLES) + b"." + gap
    both = _bytes_of(_LOAD_GLOBAL) + b"." + gap
    return re.compile(b"(?:" + null + name + b"|" + both + b")" + attribute, re.DOTALL)


# Most functions have no such place: one search spares them the walk over all instructions.
_MAY_BE_IMPORTED = _telling_instructions()


def imported_names(code: types.CodeType) -> List[str]:
    """Names that the module must import for this function to compile to these instructions."""
    if _PUSH_NULL < 0:
        return []
    parts = [code]
    for part in parts:
        parts.extend([const for const in part.co_consts if isinstance(const, types.CodeType)])
    if not any(_MAY_BE_IMPORTED.search(part.co_code) for part in parts):
        return []
    plain: Set[str] = set()
    methods: Set[str] = set()
    for part in parts:
        _collect(part, plain, methods)
    return sorted(name for name in plain - methods if name.isidentifier())


def _collect(code: types.CodeType, plain: Set[str], methods: Set[str]) -> None:
    before: Tuple[int, str] = (_OTHER, "")
    name, has_null = "", False
    for kind, text in _kinds(code):
        if before[0] == _NAME and kind == _METHOD:
            methods.add(before[1])
        elif before[0] == _NAME and kind == _ATTRIBUTE:
            name = before[1]
            if has_null:
                plain.add(name)
        elif before[0] == _ATTRIBUTE and kind == _NULL and name and _NULL_COMES_LAST:
            plain.add(name)
        if kind == _NAME:
            has_null = not _NULL_COMES_LAST and (before[0] == _NULL or text.startswith("+"))
            text = text.lstrip("+")
        if kind != _ATTRIBUTE:
            name = ""
        before = (kind, text)


def _kinds(code: types.CodeType) -> Iterator[Tuple[int, str]]:
    """Only what matters here; a plus before a name says that a null was pushed with it."""
    raw = code.co_code
    argument = 0
    for offset in range(0, len(raw), 2):
        instruction = raw[offset]
        argument = argument << 8 | raw[offset + 1]
        if instruction == opcode.EXTENDED_ARG:
            continue
        if instruction == _LOAD_GLOBAL:
            name = code.co_names[argument >> 1]
            yield _NAME, "+" + name if argument & 1 else name
        elif instruction == _LOAD_NAME:
            yield _NAME, code.co_names[argument]
        elif instruction in _VARIABLES:
            yield _NAME, code.co_varnames[argument] if argument < len(code.co_varnames) else ""
        elif instruction == _LOAD_ATTR:
            yield _METHOD if _HAS_METHOD_BIT and argument & 1 else _ATTRIBUTE, ""
        elif instruction == _LOAD_METHOD:
            yield _METHOD, ""
        elif instruction not in _SKIPPED:
            yield _NULL if instruction == _PUSH_NULL else _OTHER, ""
        argument = 0
