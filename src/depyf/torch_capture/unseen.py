"""Keeps Dynamo away from our own functions.

While compiled code runs, Dynamo looks at every Python function that is called, and some of ours
are: handlers of the trace in compiled autograd, what a weak reference calls. It would count them
as frames of the program, and might compile one.
"""

from __future__ import annotations

import inspect
import sys
from types import CodeType, FunctionType, ModuleType
from typing import Iterator, Set

from . import compat

# What torch may come to call while Dynamo is looking.
_CALLED = ("depyf.torch_capture", "depyf.session", "depyf.forks")
_hidden: Set[str] = set()


def hide_from_dynamo() -> None:
    """Each function once; modules that were loaded since the last time are hidden as well."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_CALLED) and name not in _hidden:
            _hidden.add(name)
            for code in _codes_of(module):
                compat.never_compile(code)


def _codes_of(module: ModuleType) -> Iterator[CodeType]:
    for value in list(vars(module).values()):
        if isinstance(value, type) and value.__module__ == module.__name__:
            for member in list(vars(value).values()):
                # Of a property, a class method or a plain one.
                yield from _code_of(getattr(member, "fget", getattr(member, "__func__", member)))
        else:
            yield from _code_of(value)


def _code_of(value: object) -> Iterator[CodeType]:
    """Of a function, below what decorates it."""
    if isinstance(value, FunctionType):
        yield from _with_inner(inspect.unwrap(value).__code__)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)
