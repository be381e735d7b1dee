"""Keeps Dynamo away from our own functions.

While compiled code runs, Dynamo looks at every Python function that is called, and some of ours
are: handlers of the trace in compiled autograd, what a weak reference calls. It would count them
as frames of the program, and might compile one.
"""

from __future__ import annotations

import sys
from types import CodeType, FunctionType, ModuleType
from typing import Iterator, Optional, Set

from . import compat

# What torch may come to call while Dynamo is looking.
_CALLED = ("depyf.torch_capture", "depyf.session", "depyf.forks")
_hidden: Set[str] = set()


def hide_from_dynamo(being_loaded: Optional[ModuleType] = None) -> None:
    """Each function once; modules that were loaded since the last time are hidden as well.

    One whose end calls this is no attribute of its package yet: it says so.
    """
    for module in (*_loaded(), *([being_loaded] if being_loaded else [])):
        if module.__name__ not in _hidden:
            compat.never_compile(_codes_of(module))
            _hidden.add(module.__name__)


def _loaded() -> Iterator[ModuleType]:
    """A package has its loaded modules as attributes: faster than a look at all there are."""
    for name in _CALLED:
        called = sys.modules[name]
        yield called
        for value in list(vars(called).values()):
            if isinstance(value, ModuleType) and value.__name__.startswith(name):
                yield value


def _codes_of(module: ModuleType) -> Iterator[CodeType]:
    """Of what the module defines; what it imports may be somebody else's."""
    for value in list(vars(module).values()):
        if getattr(value, "__module__", None) != module.__name__:
            continue
        members = list(vars(value).values()) if isinstance(value, type) else [value]
        for member in members:
            # Of a property, a class method or a plain one.
            yield from _code_of(getattr(member, "fget", getattr(member, "__func__", member)))


def _code_of(value: object) -> Iterator[CodeType]:
    """Of a function, below what decorates it."""
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    if isinstance(value, FunctionType):
        yield from _with_inner(value.__code__)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)
