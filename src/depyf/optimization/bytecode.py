"""Plain functions out of the code that torch compiled, and the values they are called with.

The original function lends globals, closure, defaults and its name, and is not touched.
"""

from __future__ import annotations

import weakref
from inspect import CO_VARARGS, Signature
from types import CodeType, FunctionType
from typing import Any, Dict

from .dynamo import Target, code_without_marks, graphs_of, without_switch

BRIDGE = "__depyf_bridge_{}_{}"


def plain_function(original: FunctionType, code: CodeType) -> FunctionType:
    """A function like the original that runs the compiled code, and nothing around it."""
    function = FunctionType(
        code_without_marks(code),
        original.__globals__,
        original.__name__,
        original.__defaults__,
        original.__closure__,
    )
    function.__kwdefaults__ = original.__kwdefaults__
    dress(function, original)
    # Torch removes what the code needs from the globals as soon as its own code object dies.
    function.__dict__["__compiled_code__"] = code
    return function


def bare_function(original: FunctionType, code: CodeType) -> FunctionType:
    """The same, for where Dynamo is off: its graphs do not switch it off and on again."""
    function = plain_function(original, code)
    names = {}
    for name in graphs_of(code):
        inside = without_switch(function.__globals__.get(name))
        if inside is not None:
            names[name] = bridge(name, inside, function)
    rename(function, names)
    return function


def bridge(name: str, callee: object, holder: FunctionType) -> str:
    """Another name for what the code of `holder` calls, in its globals for as long as it lives."""
    name = BRIDGE.format(name, id(holder))
    scope = holder.__globals__
    scope[name] = callee
    removal = weakref.finalize(holder, scope.pop, name, None)
    # When the program ends, what was registered to run then may still call the holder.
    removal.atexit = False  # type: ignore[misc]
    return name


def rename(function: FunctionType, names: Dict[str, str]) -> None:
    """Have the code of a function ask for other names."""
    if names:
        code = function.__code__
        kept = tuple(names.get(name, name) for name in code.co_names)
        function.__code__ = code.replace(co_names=kept)


def dress(function: FunctionType, original: FunctionType) -> None:
    """Name, documentation and annotations of the original, and the way back to it."""
    function.__name__ = original.__name__
    function.__qualname__ = original.__qualname__
    function.__module__ = original.__module__
    function.__doc__ = original.__doc__
    function.__annotations__ = original.__annotations__
    function.__dict__["__wrapped__"] = original


class Arguments:
    """Turns the arguments of a call into the local variables that guards are about."""

    def __init__(self, original: FunctionType) -> None:
        self._original = original
        self._signature = Signature.from_callable(original, follow_wrapped=False)

    def values(self, args: tuple[Any, ...], kwargs: Dict[str, Any]) -> Dict[str, object]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return {**free_values(self._original), **bound.arguments}


def arguments_of(
    target: Target, args: tuple[Any, ...], kwargs: Dict[str, Any]
) -> Dict[str, object]:
    """The local variables of a call of the bound function."""
    bound = args if target.owner is None else (target.owner, *args)
    return Arguments(target.function).values(bound, kwargs)


def free_values(function: FunctionType) -> Dict[str, object]:
    """The variables of enclosing functions; those that are not set yet are left out."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found


def belongs_to(target: Target, values: Any) -> bool:
    """Whether local variables are those of a call of this very method or closure.

    Several objects share one code object; only the first argument, under whatever name, and the
    free variables tell them apart.
    """
    if target.owner is not None and _first_argument(target.function, values) is not target.owner:
        return False
    ours = free_values(target.function)
    return all(values.get(name) is value for name, value in ours.items())


def _first_argument(function: FunctionType, values: Any) -> object:
    code = function.__code__
    if code.co_argcount:
        return values.get(code.co_varnames[0])
    if code.co_flags & CO_VARARGS:
        rest = values.get(code.co_varnames[code.co_kwonlyargcount])
        return rest[0] if rest else None
    return None
