"""Unguarded calls that are not quite: every Nth evaluates the real guards before it runs.

Meant for tests, so that nobody has to believe that their inputs never change.
"""

from __future__ import annotations

import os
from inspect import Parameter, Signature
from itertools import chain, count, repeat
from operator import index
from types import FunctionType
from typing import Callable, Dict, List, Optional

from .bytecode import dress, free_values
from .dynamo import name_of
from .guards import Failure, Guards
from .violation import GuardViolation, violation

VARIABLE = "DEPYF_CHECK_EVERY"
KEYWORD_ONLY, POSITIONAL_ONLY = Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_ONLY
VAR_KEYWORD, VAR_POSITIONAL = Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL
STARS: Dict[object, str] = {VAR_POSITIONAL: "*", VAR_KEYWORD: "**"}
# What is asked for beyond this is checked this often: the interval is kept as so many bytes.
LONGEST_INTERVAL = 1_000_000

SOURCE = """\
def __depyf_counting({declared}):
    if __depyf_due():
        __depyf_check({{{taken}}})
    return __depyf_function({passed})
"""
NO_HOOKS = "no hooks around the module"
UNNAMED = Failure("a guard that held again when it was asked for its name", "")


def interval(check_every: Optional[int]) -> int:
    """How often to check: what was asked for, else the environment variable, else never (0)."""
    asked = os.environ.get(VARIABLE, "").strip() if check_every is None else check_every
    try:
        # Half a call is no interval, and `int` would make it 0, which is never.
        number = int(asked or 0) if isinstance(asked, str) else index(asked)
    except (TypeError, ValueError):
        number = -1
    if number < 0:
        name = VARIABLE if check_every is None else "check_every"
        raise ValueError(f"{name} must be a number of calls, 0 for never, not {asked!r}")
    return number


def checked(
    function: FunctionType,
    original: FunctionType,
    guards: Guards,
    every: int,
    hooks: Callable[[], List[str]] = list,
) -> FunctionType:
    """The function, with the guards evaluated on every Nth call.

    `hooks` tells which hooks a call through torch.compile would run around it. No guard is about
    them: torch looks for them by running the module.
    """
    if not every:
        return function
    every = min(every, LONGEST_INTERVAL)
    calls, name = count(every, every), name_of(original)

    def check(arguments: Dict[str, object]) -> None:
        values = {**free_values(original), **arguments}
        call = next(calls)
        if not guards.hold(values):
            failure = guards.failure(values) or UNNAMED
            raise violation(name, guards, failure, values, call)
        found = ", ".join(hooks())
        if found:
            raise GuardViolation(name, NO_HOOKS, "", "none", found, call)

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
    """A function with the parameters of the original, as text: no packing and unpacking of them."""
    scope = {"__depyf_due": due, "__depyf_check": check, "__depyf_function": function}
    exec(SOURCE.format(**_parameters(original)), scope)
    counting = scope["__depyf_counting"]
    assert isinstance(counting, FunctionType)
    counting.__defaults__ = original.__defaults__
    counting.__kwdefaults__ = original.__kwdefaults__
    dress(counting, original)
    return counting


def _parameters(original: FunctionType) -> Dict[str, str]:
    """The parameters to declare, to pass on, and as a dictionary."""
    declared, passed, taken = [], [], []
    kinds = Signature.from_callable(original, follow_wrapped=False).parameters.values()
    star = False
    for parameter in kinds:
        name, kind = parameter.name, parameter.kind
        if kind is KEYWORD_ONLY and not star:
            declared.append("*")
        star = star or kind in (KEYWORD_ONLY, VAR_POSITIONAL)
        stars = STARS.get(kind, "")
        default = "" if parameter.default is parameter.empty else "=None"
        declared.append(f"{stars}{name}{default}")
        passed.append(f"{name}={name}" if kind is KEYWORD_ONLY else f"{stars}{name}")
        taken.append(f"{name!r}: {name}")
    positional_only = sum(parameter.kind is POSITIONAL_ONLY for parameter in kinds)
    if positional_only:
        declared.insert(positional_only, "/")
    return {
        "declared": ", ".join(declared),
        "passed": ", ".join(passed),
        "taken": ", ".join(taken),
    }
