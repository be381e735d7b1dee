"""Which artifact a record of torch's trace is about, read from the function that would say it.

The function belongs to whoever writes the record: it is torch's to call, once. Nearly always it is
`lambda: {"name": ..., "encoding": ...}`, whose instructions tell the name, or how it ends.
"""

from __future__ import annotations

import dis
import types
from typing import Callable, Dict, List, NamedTuple, Optional


class Text(NamedTuple):
    """What is known of a value: the whole text, or at least its end."""

    end: str
    whole: bool


UNKNOWN = Text("", False)
# Says nothing about values.
_PASSED_OVER = frozenset("RESUME COPY_FREE_VARS CACHE NOP PRECALL NOT_TAKEN".split())
# Each takes one value and gives another, of which nothing is known.
_OPERATIONS = frozenset("LOAD_ATTR BINARY_SUBSCR".split())
_SUMS = frozenset(("BINARY_ADD", "BINARY_OP"))
_FORMATS = frozenset("FORMAT_VALUE FORMAT_SIMPLE CONVERT_VALUE".split())
_VARIABLES = frozenset("LOAD_DEREF LOAD_CLASSDEREF LOAD_GLOBAL".split())
_CONSTANTS = frozenset("LOAD_CONST LOAD_CONST_IMMORTAL".split())


# The form that most have, as this Python compiles it: they differ in two constants.
_USUAL = (lambda: {"name": "of the artifact", "encoding": "of its text"}).__code__
_NAME, _ENCODING = map(_USUAL.co_consts.index, ("of the artifact", "of its text"))


def name_of(describe: object) -> Text:
    """What `describe()["name"]` is, as far as that can be told without calling it."""
    if not isinstance(describe, types.FunctionType):
        return UNKNOWN
    if _is_usual(describe.__code__):
        return Text(describe.__code__.co_consts[_NAME], True)
    return _read(describe)


def _is_usual(code: types.CodeType) -> bool:
    """To compare is a hundred times cheaper than to read instruction by instruction."""
    places = range(len(_USUAL.co_consts))
    return (
        code.co_code == _USUAL.co_code
        and len(code.co_consts) == len(places)
        and isinstance(code.co_consts[_NAME], str)
        and all(
            place in (_NAME, _ENCODING) or code.co_consts[place] == _USUAL.co_consts[place]
            for place in places
        )
    )


def _read(describe: types.FunctionType) -> Text:
    found: object = None
    stack: List[object] = []
    try:
        for step in dis.get_instructions(describe.__code__):
            if step.opname == "RETURN_VALUE":
                found = stack.pop()
                break
            if step.opname not in _PASSED_OVER:
                _RULES[step.opname](stack, step, describe)
    except (LookupError, ValueError, TypeError):
        return UNKNOWN
    name = found.get("name") if isinstance(found, dict) else None
    return name if isinstance(name, Text) else UNKNOWN


Rule = Callable[[List[object], dis.Instruction, types.FunctionType], None]


def _constant(stack: List[object], step: dis.Instruction, of: types.FunctionType) -> None:
    value = step.argval
    stack.append(Text(value, True) if isinstance(value, str) else value)


def _variable(stack: List[object], step: dis.Instruction, of: types.FunctionType) -> None:
    """One that is no free variable may be anything."""
    free = of.__code__.co_freevars
    value: object = None
    if step.argval in free and of.__closure__ is not None:
        value = of.__closure__[free.index(step.argval)].cell_contents
    stack.append(Text(value, True) if isinstance(value, str) else UNKNOWN)


def _operation(stack: List[object], step: dis.Instruction, of: types.FunctionType) -> None:
    stack[-1] = UNKNOWN


def _sum(stack: List[object], step: dis.Instruction, of: types.FunctionType) -> None:
    if step.opname == "BINARY_OP" and step.argrepr != "+":
        raise LookupError(step.argrepr)
    _join(stack, 2)


def _format(stack: List[object], step: dis.Instruction, of: types.FunctionType) -> None:
    """Of a text that is the text itself; with a conversion or a format it is anything."""
    plain = step.opname == "FORMAT_SIMPLE" or (step.opname == "FORMAT_VALUE" and step.arg == 0)
    if step.opname == "FORMAT_VALUE" and (step.arg or 0) & 4:
        stack.pop()
    stack[-1] = stack[-1] if plain and isinstance(stack[-1], Text) else UNKNOWN


def _string(stack: List[object], step: dis.Instruction, of: types.FunctionType) -> None:
    _join(stack, step.arg or 0)


def _join(stack: List[object], count: int) -> None:
    parts = stack[-count:]
    del stack[-count:]
    joined = Text("", True)
    for part in parts:
        if not isinstance(part, Text):
            joined = UNKNOWN
        elif part.whole:
            joined = Text(joined.end + part.end, joined.whole)
        else:
            joined = part
    stack.append(joined)


def _pairs(stack: List[object], step: dis.Instruction, of: types.FunctionType) -> None:
    items = _popped(stack, 2 * (step.arg or 0))
    stack.append({_key(key): value for key, value in zip(items[::2], items[1::2])})


def _values(stack: List[object], step: dis.Instruction, of: types.FunctionType) -> None:
    keys = stack.pop()
    values = _popped(stack, step.arg or 0)
    stack.append(dict(zip(keys, values)) if isinstance(keys, tuple) else None)


def _popped(stack: List[object], count: int) -> List[object]:
    items = stack[len(stack) - count :]
    del stack[len(stack) - count :]
    return items


def _key(key: object) -> Optional[str]:
    if not isinstance(key, Text) or not key.whole:
        raise LookupError("a key that is computed")
    return key.end


_RULES: Dict[str, Rule] = {
    **dict.fromkeys(_CONSTANTS, _constant),
    **dict.fromkeys(_VARIABLES, _variable),
    **dict.fromkeys(_OPERATIONS, _operation),
    **dict.fromkeys(_SUMS, _sum),
    **dict.fromkeys(_FORMATS, _format),
    "BUILD_STRING": _string,
    "BUILD_MAP": _pairs,
    "BUILD_CONST_KEY_MAP": _values,
}
