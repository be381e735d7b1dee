"""The last touch to code that takes the place of another: header fields that no text decides."""

from __future__ import annotations

import types
from typing import Dict

CO_NESTED = 0x10
CO_ITERABLE_COROUTINE = 0x100


def fit(made: types.CodeType, original: types.CodeType) -> types.CodeType:
    """Name, argument names and flags as the original has them."""
    kept = CO_NESTED | CO_ITERABLE_COROUTINE
    changes: Dict[str, object] = {
        "co_flags": made.co_flags & ~kept | original.co_flags & kept,
        "co_varnames": _argument_names(original) + made.co_varnames[_arguments(made) :],
    }
    if hasattr(original, "co_qualname"):
        changes["co_qualname"] = original.co_qualname
    return made.replace(**changes)  # type: ignore[arg-type]


def _arguments(code: types.CodeType) -> int:
    stars = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    return code.co_argcount + code.co_kwonlyargcount + stars


def _argument_names(code: types.CodeType) -> tuple[str, ...]:
    return code.co_varnames[: _arguments(code)]
