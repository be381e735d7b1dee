"""What two code objects must agree on before their instructions are compared.

Everything that a function made of the code object shows or obeys and that no instruction
mentions: its arguments, flags, names and docstring.
"""

from __future__ import annotations
import __future__

from operator import attrgetter
from types import CodeType
from typing import Callable, List, Optional, Tuple

from .opcode_kinds import VERSION

CO_OPTIMIZED = 0x1
CO_VARARGS, CO_VARKEYWORDS = 0x4, 0x8
CO_NESTED = 0x10
# Where a function stands, which the text of that function alone cannot say; nothing reads
# CO_NESTED, and CO_METHOD (3.14) only says that a class body is around.
CO_METHOD = 0x8000000 if VERSION >= (3, 14) else 0
CO_NO_MONITORING_EVENTS = 0x2000000 if VERSION >= (3, 13) else 0
CO_HAS_DOCSTRING = 0x4000000 if VERSION >= (3, 14) else 0
CO_FUTURES = 0
for _feature in __future__.all_feature_names:
    CO_FUTURES |= getattr(__future__, _feature).compiler_flag

_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


def ignored_flags(root: CodeType) -> int:
    """The flags that the source of this root cannot carry or that have no meaning."""
    ignored = CO_NESTED | CO_METHOD | CO_NO_MONITORING_EVENTS
    if root.co_name != "<module>" or root.co_flags & CO_OPTIMIZED:
        return ignored | CO_FUTURES
    # Interactive cells inherit features from earlier ones without an import of their own.
    inherited = root.co_flags & CO_FUTURES and "__future__" not in root.co_names
    return ignored | CO_FUTURES if inherited else ignored


def argument_names(code: CodeType) -> Tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    return code.co_varnames[:count]


def docstring(code: CodeType) -> Optional[str]:
    """What a function of this code has as `__doc__`: its first constant, if that is a string."""
    if not code.co_flags & CO_OPTIMIZED or code.co_name in _COMPREHENSIONS or not code.co_consts:
        return None
    if CO_HAS_DOCSTRING and not code.co_flags & CO_HAS_DOCSTRING:
        return None
    first = code.co_consts[0]
    return first if isinstance(first, str) else None


_FIELDS: List[Tuple[str, Callable[[CodeType], object]]] = [
    ("name", attrgetter("co_name")),
    ("number of positional arguments", attrgetter("co_argcount")),
    ("number of positional-only arguments", attrgetter("co_posonlyargcount")),
    ("number of keyword-only arguments", attrgetter("co_kwonlyargcount")),
    ("names of arguments", argument_names),
    ("cell variables", lambda code: frozenset(code.co_cellvars)),
    ("docstring", docstring),
]


def header_difference(
    original: CodeType, candidate: CodeType, ignored: int, is_root: bool
) -> Optional[str]:
    """The first disagreement as a sentence, or None."""
    if (original.co_flags ^ candidate.co_flags) & ~ignored:
        return f"flags {original.co_flags:#x} against {candidate.co_flags:#x}"
    for label, field in _FIELDS:
        one, other = field(original), field(candidate)
        if one != other:
            return f"{label}: {_shown(one)} against {_shown(other)}"
    # The closure tuple is matched to the free variables by position, so below the root their
    # order counts; who calls with the root fits its closure by name.
    one_free, other_free = original.co_freevars, candidate.co_freevars
    if one_free != other_free and not (is_root and set(one_free) == set(other_free)):
        return f"free variables: {_shown(one_free)} against {_shown(other_free)}"
    return None


def _shown(value: object) -> str:
    return repr(sorted(value)) if isinstance(value, frozenset) else repr(value)
