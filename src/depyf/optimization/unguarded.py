"""`unguarded(compiled, *example)`: the compiled code of a call as an ordinary function.

The example is run, which compiles it if need be; the entry that served it becomes a function with
the signature of the original. Whatever would make that function slower or wrong without anybody
noticing is refused with a sentence; to see that, an example with a graph break is run once more.
"""

from __future__ import annotations

from functools import partial
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from types import CodeType, FunctionType
from typing import Any, Callable, Dict, List, Optional

from ..errors import DepyfError
from .breaks import calls_graphs_alone, compiled_apart, has_rest_inside, rests
from .bytecode import arguments_of, bridge, dress, free_values, plain_function, rename
from .dynamo import (
    Entry,
    Target,
    entries_of,
    is_marked,
    module_hooks,
    name_of,
    target_of,
    tells_backends,
)
from .guards import Values, texts
from .safe_mode import checked, interval

RESUMED = CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR

NEEDS_VARIABLES = (
    "{} has a graph break, and what follows it needs variables of an enclosing function, so it "
    "cannot be bridged: pass them as arguments, or remove the break"
)
NEVER_TAKEN = (
    "{} has a graph break, and what follows it ({}) has 0 entries: call it first with arguments "
    "that lead there, or remove the break"
)
TAKEN_OFTEN = (
    "{} has a graph break, and what follows it ({}) has {} entries, of which no more than one can "
    "be bridged: call torch._dynamo.reset() before the example, or remove the break"
)
NO_CODE = (
    "torch.compile has made no code of {} for this call: call torch._dynamo.reset(), as torch does "
    "not look twice, and give another example; TORCH_LOGS=+dynamo tells what is wrong with this one"
)
AS_WRITTEN = (
    "torch.compile has made no code of {}, which is as it is written: pass what torch.compile "
    "returned, switched on and without a decorator around it"
)
RAN_UNCOMPILED = (
    "torch ran {} uncompiled for this call, as it has been compiled too often already, or torch "
    "was told not to compile: give an example that was compiled, or call torch._dynamo.reset()"
)
BREAKS_ITSELF = (
    "{} itself breaks a guard of its entry: {}; take what changes that out of the function"
)
COMPILED_APART = (
    "{} calls {} ({}:{}), which torch compiled by itself, so without torch.compile around it would "
    "run uncompiled: remove the graph break in it"
)
RUNS_HOOKS = (
    "calling {} runs hooks ({}) that the compiled code of its forward does not contain: "
    "remove them, or compile a function that calls the module"
)
SEVERAL_ENTRIES = (
    "{} has {} entries, for different {}: say with choose= which one a call should run"
)
NO_SUCH_ENTRY = (
    "choose= asked for entry {} of {}, which has {} for this object, counted from 0: return one of "
    "these, and call the compiled function beforehand with arguments for each"
)
NO_CHOOSER = "choose= must be a function that gets the arguments of a call, not {}"
NO_FUNCTION = (
    "{} is a generator or coroutine, which torch.compile does not run as a whole: "
    "compile a function that computes and call it from there"
)


class UnguardedError(DepyfError, ValueError):
    """There is no single piece of compiled code that could stand for the call."""


def unguarded(
    compiled: Callable[..., Any],
    /,
    *example_args: Any,
    choose: Optional[Callable[..., int]] = None,
    check_every: Optional[int] = None,
    **example_kwargs: Any,
) -> Callable[..., Any]:
    """The code that torch.compile made for this call, without guards, as a function.

    `choose` is called with the arguments of every call and says which entry runs. Counted are the
    entries that this very object can reach as it is now, from the one that was compiled first.
    `check_every=N` evaluates the guards on every Nth call and raises `GuardViolation`; the
    environment variable DEPYF_CHECK_EVERY does so everywhere.
    """
    target, every = target_of(compiled), interval(check_every)
    hooks = partial(module_hooks, compiled, target)
    _refuse_hooks(target, hooks())
    _refuse_what_is_resumed(target)
    if choose is not None and not callable(choose):
        raise TypeError(NO_CHOOSER.format(repr(choose)))

    def call() -> object:
        return compiled(*example_args, **example_kwargs)

    unfit = _unfit(target, arguments_of(target, example_args, example_kwargs))
    call()
    entries = entries_of(target.function.__code__)
    if not entries:
        why = NO_CODE if is_marked(compiled) else AS_WRITTEN
        raise UnguardedError(why.format(_name(target)))
    values = arguments_of(target, example_args, example_kwargs)
    if choose is None:
        taken = [_only_entry(target, entries, values, unfit)]
        function = _function(target.function, taken[0], every, hooks)
    else:
        taken = to_choose_from(target, entries, values)
        functions = [_function(target.function, each, every, hooks) for each in taken]
        function = _chooser(target, functions, choose)
    if not all(calls_graphs_alone(entry.code) for entry in taken):
        _refuse_code_compiled_apart(target, call)
    return target.bind(function)


def _name(target: Target) -> str:
    return name_of(target.function)


def _refuse_hooks(target: Target, hooks: List[str]) -> None:
    if hooks:
        name = type(target.owner).__name__
        raise UnguardedError(RUNS_HOOKS.format(name, ", ".join(hooks)))


def _refuse_what_is_resumed(target: Target) -> None:
    """Torch compiles the frame of a coroutine up to its end, and can crash in the second one."""
    if target.function.__code__.co_flags & RESUMED:
        raise UnguardedError(NO_FUNCTION.format(_name(target)))


def _unfit(target: Target, values: Values) -> List[CodeType]:
    """The code that torch has for other calls than this one."""
    entries = entries_of(target.function.__code__)
    return [entry.code for entry in entries if not entry.guards.hold(values)]


def _only_entry(
    target: Target, entries: List[Entry], values: Values, unfit: List[CodeType]
) -> Entry:
    """The entry that served the example; torch keeps the one it used last in front."""
    first = entries[0]
    if not first.guards.hold(values):
        if any(code is first.code for code in unfit):
            raise UnguardedError(RAN_UNCOMPILED.format(_name(target)))
        raise _breaks_itself(target, first, values)
    count = _different(_within_reach(target, entries, values))
    if count > 1:
        what = "arguments" if tells_backends() else "arguments or backends"
        raise UnguardedError(SEVERAL_ENTRIES.format(_name(target), count, what))
    return first


def _different(entries: List[Entry]) -> int:
    """How many there are for different calls: threads whose first calls meet make one each."""
    if not tells_backends() or not all(entry.guards.tell_all for entry in entries):
        return len(entries)
    return len({tuple(texts(entry.guards)) for entry in entries})


def _breaks_itself(target: Target, entry: Entry, values: Values) -> UnguardedError:
    failure = entry.guards.failure(values)
    guard = failure.text.split("  # ")[0].strip() if failure else "one that torch does not name"
    return UnguardedError(BREAKS_ITSELF.format(_name(target), guard))


def to_choose_from(target: Target, entries: List[Entry], values: Values) -> List[Entry]:
    within_reach = _within_reach(target, entries, values)
    if not within_reach:
        raise _breaks_itself(target, entries[0], values)
    return sorted(within_reach, key=lambda entry: entry.number)


def _within_reach(target: Target, entries: List[Entry], values: Values) -> List[Entry]:
    """The entries that other arguments alone could lead this callable to.

    Objects of one class, or closures of one function, share all their entries. Those that fail on
    something that is no argument belong to another of them.
    """
    fixed = {*free_values(target.function)}
    if target.owner is not None:
        fixed.update(target.function.__code__.co_varnames[:1])
    ours = [entry for entry in entries if entry.backend == entries[0].backend]
    return [entry for entry in ours if entry.guards.hold_on(fixed, values)]


def _function(
    original: FunctionType, entry: Entry, every: int, hooks: Callable[[], List[str]] = list
) -> FunctionType:
    function = _bridged(plain_function(original, entry.code), every)
    return checked(function, original, entry.guards, every, hooks)


def _chooser(
    target: Target, to_choose_from: List[FunctionType], choose: Callable[..., int]
) -> FunctionType:
    # No list: -1 is no entry.
    functions = dict(enumerate(to_choose_from))
    # The chooser gets what the caller gave, which is not the object that a method is bound to.
    first = 0 if target.owner is None else 1

    def chosen(*args: Any, **kwargs: Any) -> Any:
        number = choose(*args[first:], **kwargs)
        try:
            function = functions[number]
        except (KeyError, TypeError):
            raise _no_such_entry(target, number, len(functions)) from None
        return function(*args, **kwargs)

    assert isinstance(chosen, FunctionType)
    dress(chosen, target.function)
    return chosen


def _no_such_entry(target: Target, number: object, count: int) -> IndexError:
    return IndexError(NO_SUCH_ENTRY.format(repr(number), _name(target), count))


def _refuse_code_compiled_apart(target: Target, call: Callable[[], object]) -> None:
    for code in compiled_apart(call):
        place = code.co_name, code.co_filename, code.co_firstlineno
        raise UnguardedError(COMPILED_APART.format(_name(target), *place))


def _bridged(function: FunctionType, every: int) -> FunctionType:
    """The function with the rest of each graph break unguarded as well.

    Compiled code goes on after a break in functions that it finds by name in the globals; outside
    of torch.compile those would run uncompiled. Under other names it finds the compiled ones.
    """
    if has_rest_inside(function.__code__):
        raise UnguardedError(NEEDS_VARIABLES.format(function.__qualname__))
    names: Dict[str, str] = {}
    for name in rests(function.__code__):
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
        why = TAKEN_OFTEN if entries else NEVER_TAKEN
        raise UnguardedError(why.format(function.__qualname__, name, len(entries)))
    return _function(rest, entries[0], every)
