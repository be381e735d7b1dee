"""Functions with the parameters of another one, made from text.

Parameters by name cost nothing at a call; `*args, **kwargs` would be packed and unpacked.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from types import FunctionType
from typing import Dict, List, Mapping

from .bytecode import dress

KEYWORD_ONLY, POSITIONAL_ONLY = Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_ONLY
VAR_KEYWORD, VAR_POSITIONAL = Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL
STARS: Dict[object, str] = {VAR_POSITIONAL: "*", VAR_KEYWORD: "**"}
NAME = "__depyf_like"


def with_parameters_of(
    original: FunctionType, source: str, scope: Mapping[str, object], bound: bool = False
) -> FunctionType:
    """The function `__depyf_like` of the text, dressed as the original.

    The text has places for the parameters to declare, for what to pass on, and for all of them as
    the items of a dictionary. Where the original is `bound`, its first parameter is left out.
    """
    parameters = list(Signature.from_callable(original, follow_wrapped=False).parameters.values())
    if bound and parameters and parameters[0].kind is not VAR_POSITIONAL:
        del parameters[0]
    made = dict(scope)
    exec(source.format(**_spelled(parameters)), made)
    function = made[NAME]
    assert isinstance(function, FunctionType)
    function.__defaults__ = original.__defaults__
    function.__kwdefaults__ = original.__kwdefaults__
    dress(function, original)
    return function


def _spelled(parameters: List[Parameter]) -> Dict[str, str]:
    """The parameters to declare, to pass on, and as a dictionary."""
    declared, passed, taken = [], [], []
    star = False
    for parameter in parameters:
        name, kind = parameter.name, parameter.kind
        if kind is KEYWORD_ONLY and not star:
            declared.append("*")
        star = star or kind in (KEYWORD_ONLY, VAR_POSITIONAL)
        stars = STARS.get(kind, "")
        default = "" if parameter.default is parameter.empty else "=None"
        declared.append(f"{stars}{name}{default}")
        passed.append(f"{name}={name}" if kind is KEYWORD_ONLY else f"{stars}{name}")
        taken.append(f"{name!r}: {name}")
    positional_only = sum(parameter.kind is POSITIONAL_ONLY for parameter in parameters)
    if positional_only:
        declared.insert(positional_only, "/")
    return {
        "declared": ", ".join(declared),
        "passed": ", ".join(passed),
        "taken": ", ".join(taken),
    }
