"""Unguarded calls that are not quite: every Nth evaluates the real guards before it runs.

Meant for tests, so that nobody has to believe that their inputs never change.
"""

from __future__ import annotations

import os
from itertools import count
from types import FunctionType
from typing import Any, Callable, Optional

from .bytecode import Arguments, dress
from .guards import Failure, Guards
from .violation import violation

VARIABLE = "DEPYF_CHECK_EVERY"
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
    arguments = Arguments(original)
    # One step of an iterator cannot be torn by another thread, so no Nth call is ever missed.
    tick = count(1).__next__

    def call(*args: Any, **kwargs: Any) -> object:
        number = tick()
        if not number % every:
            _check(arguments.values(args, kwargs), number)
        return function(*args, **kwargs)

    def _check(values: dict[str, object], number: int) -> None:
        if not guards.hold(values):
            failure = guards.failure(values) or UNNAMED
            raise violation(original.__qualname__, guards, failure, values, number)

    dress(_as_function(call), original)
    return _as_function(call)


def _as_function(call: Callable[..., object]) -> FunctionType:
    assert isinstance(call, FunctionType)
    return call
