"""Unguarded calls that are not quite: every Nth evaluates the real guards before it runs.

Meant for tests, so that nobody has to believe that their inputs never change.
"""

from __future__ import annotations

import os
from itertools import chain, count, repeat
from types import FunctionType
from typing import Callable, Dict, Optional

from .bytecode import free_values
from .guards import Failure, Guards
from .signature import with_parameters_of
from .violation import violation

VARIABLE = "DEPYF_CHECK_EVERY"
# What is asked for beyond this is checked this often: the interval is kept as so many bytes.
LONGEST_INTERVAL = 1_000_000

SOURCE = """\
def __depyf_like({declared}):
    if __depyf_due():
        __depyf_check({{{taken}}})
    return __depyf_function({passed})
"""
UNNAMED = Failure("a guard that held again when it was asked for its name", "")


def interval(check_every: Optional[int]) -> int:
    """How often to check: what was asked for, else the environment variable, else never (0)."""
    asked = os.environ.get(VARIABLE, "").strip() if check_every is None else check_every
    try:
        number = int(asked or 0)
    except ValueError:
        number = -1
    if number < 0:
        name = VARIABLE if check_every is None else "check_every"
        raise ValueError(f"{name} must be a number of calls, 0 for never, not {asked!r}")
    return number


def checked(
    function: FunctionType, original: FunctionType, guards: Guards, every: int
) -> FunctionType:
    """The function, with the guards evaluated on every Nth call."""
    if not every:
        return function
    every = min(every, LONGEST_INTERVAL)
    calls = count(every, every)

    def check(arguments: Dict[str, object]) -> None:
        values = {**free_values(original), **arguments}
        call = next(calls)
        if not guards.hold(values):
            failure = guards.failure(values) or UNNAMED
            raise violation(original.__qualname__, guards, failure, values, call)

    # 0, 0, ... 1, and again. One step of an iterator cannot be torn by another thread, so no Nth
    # call is ever missed, and it is faster than counting.
    due = chain.from_iterable(repeat(bytes(every - 1) + b"\1")).__next__
    return _counting(function, original, due, check)


def _counting(
    function: FunctionType,
    original: FunctionType,
    due: Callable[[], int],
    check: Callable[[Dict[str, object]], None],
) -> FunctionType:
    scope = {"__depyf_due": due, "__depyf_check": check, "__depyf_function": function}
    return with_parameters_of(original, SOURCE, scope)
