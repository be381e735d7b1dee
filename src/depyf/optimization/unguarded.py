"""`unguarded(compiled, *example)`: the compiled code of a call as an ordinary function.

The example is run once, which compiles it if need be; the entry that served it becomes a function
with the signature of the original. Whatever would make that function slower or wrong without
anybody noticing is refused with a sentence.
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any, Callable, Dict, List, Optional

from ..errors import DepyfError
from .bytecode import arguments_of, bridge, dress, free_values, plain_function, rename
from .dynamo import Entry, Target, entries_of, module_hooks, target_of, tells_backends
from .guards import Values
from .safe_mode import checked, interval

RESUME = "__resume_at_"
RESUME_CODES = ("torch_dynamo_resume_in_", "resume_in_", "<resume in ")
NEEDS_VARIABLES = (
    "{} has a graph break, and what follows it needs variables of an enclosing function: "
    "it cannot be bridged"
)


class UnguardedError(DepyfError, ValueError):
    """There is no single piece of compiled code that could stand for the call."""


def unguarded(
    compiled: Callable[..., Any],
    *example_args: Any,
    choose: Optional[Callable[..., int]] = None,
    check_every: Optional[int] = None,
    **example_kwargs: Any,
) -> Callable[..., Any]:
    """The code that torch.compile made for this call, without guards, as a function.

    `choose` is called with the arguments of every call and says which entry runs, counted from
    the one that was compiled first. `check_every=N` evaluates the guards on every Nth call and
    raises `GuardViolation`; the environment variable DEPYF_CHECK_EVERY does so everywhere.
    """
    target, every = target_of(compiled), interval(check_every)
    _refuse_hooks(compiled, target)
    compiled(*example_args, **example_kwargs)
    entries = entries_of(target.function.__code__)
    if not entries:
        raise UnguardedError(f"torch.compile has made no code of {_name(target)} for this call")
    if choose is not None:
        return target.bind(_chooser(target, entries, choose, every))
    values = arguments_of(target, example_args, example_kwargs)
    entry = _only_entry(target, entries, values)
    return target.bind(_function(target.function, entry, every))


def _name(target: Target) -> str:
    return target.function.__qualname__


def _refuse_hooks(compiled: object, target: Target) -> None:
    hooks = module_hooks(compiled, target)
    if hooks:
        raise UnguardedError(
            f"calling {type(target.owner).__name__} runs hooks ({', '.join(hooks)}) "
            "that the compiled code of its forward does not contain"
        )


def _only_entry(target: Target, entries: List[Entry], values: Values) -> Entry:
    """The entry that served the example; torch keeps the one it used last in front."""
    if not entries[0].guards.hold(values):
        failure = entries[0].guards.failure(values)
        guard = failure.text.split("  # ")[0].strip() if failure else "one that torch does not name"
        raise UnguardedError(f"{_name(target)} itself breaks a guard of its entry: {guard}")
    ours = [entry for entry in entries if entry.backend == entries[0].backend]
    within_reach = [entry for entry in ours if _within_reach(target, entry, values)]
    if len(within_reach) > 1:
        what = "arguments" if tells_backends() else "arguments or backends"
        raise UnguardedError(
            f"{_name(target)} has {len(within_reach)} entries, for different {what}: "
            "say with choose= which one a call should run"
        )
    return entries[0]


def _within_reach(target: Target, entry: Entry, values: Values) -> bool:
    """Whether other arguments alone could lead this callable to the entry.

    Objects of one class, or closures of one function, share all their entries. Those that fail on
    something that is no argument belong to another of them.
    """
    failure = entry.guards.failure(values)
    if failure is None:
        return True
    fixed = {*free_values(target.function)}
    if target.owner is not None:
        fixed.update(target.function.__code__.co_varnames[:1])
    return not any(f"L['{name}']" in failure.text.split("#")[0] for name in fixed)


def _function(original: FunctionType, entry: Entry, every: int) -> FunctionType:
    function = _bridged(plain_function(original, entry.code), every)
    return checked(function, original, entry.guards, every)


def _chooser(
    target: Target, entries: List[Entry], choose: Callable[..., int], every: int
) -> FunctionType:
    ours = [entry for entry in entries if entry.backend == entries[0].backend]
    in_order = sorted(ours, key=lambda entry: entry.number)
    functions = [_function(target.function, entry, every) for entry in in_order]
    if target.owner is None:

        def chosen(*args: Any, **kwargs: Any) -> Any:
            return functions[choose(*args, **kwargs)](*args, **kwargs)
    else:

        def chosen(*args: Any, **kwargs: Any) -> Any:
            return functions[choose(*args[1:], **kwargs)](*args, **kwargs)

    assert isinstance(chosen, FunctionType)
    dress(chosen, target.function)
    return chosen


def has_graph_break(code: CodeType) -> bool:
    return bool(_rests(code)) or _has_rest_inside(code)


def _rests(code: CodeType) -> List[str]:
    """The global names of what follows the graph breaks."""
    return [name for name in code.co_names if name.startswith(RESUME)]


def _has_rest_inside(code: CodeType) -> bool:
    """Older torch makes the rest on the spot when it needs variables of enclosing functions."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return any(const.co_name.startswith(RESUME_CODES) for const in inner)


def _bridged(function: FunctionType, every: int) -> FunctionType:
    """The function with the rest of each graph break unguarded as well.

    Compiled code goes on after a break in functions that it finds by name in the globals; outside
    of torch.compile those would run uncompiled. Under other names it finds the compiled ones.
    """
    if _has_rest_inside(function.__code__):
        raise UnguardedError(NEEDS_VARIABLES.format(function.__qualname__))
    names: Dict[str, str] = {}
    for name in _rests(function.__code__):
        rest = _rest(function, name, every)
        names[name] = bridge(name, rest, function)
    rename(function, names)
    return function


def _rest(function: FunctionType, name: str, every: int) -> FunctionType:
    rest = function.__globals__.get(name)
    # Newer torch has a function there that makes the rest, given the variables.
    if not isinstance(rest, FunctionType) or rest.__closure__:
        raise UnguardedError(NEEDS_VARIABLES.format(function.__qualname__))
    entries = entries_of(rest.__code__)
    if len(entries) != 1:
        raise UnguardedError(
            f"{function.__qualname__} has a graph break, and what follows it ({name}) has "
            f"{len(entries)} entries: only one with a single entry can be bridged"
        )
    return _function(rest, entries[0], every)
