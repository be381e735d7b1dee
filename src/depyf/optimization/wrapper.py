"""The class for people who dispatch themselves: `with self.dispatch_to_code(i): self.forward(x)`.

No code object is ever swapped. The instance gets a `forward` of its own that asks the current
context whether a `with` block of this instance is open, and calls the original when none is.
"""

from __future__ import annotations

import threading
import warnings
import weakref
from types import CodeType
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .bytecode import arguments_of, bare_function, belongs_to, plain_function
from .dispatch import Dispatch, Ready, stand_in
from .dynamo import (
    Entry,
    Hook,
    Target,
    code_as_written,
    entries_of,
    functions_of,
    innermost,
    is_marked,
    is_same_compilation,
    mark_as_wrapper,
    others_have_hooks,
    receiver_of,
    register_hook,
    target_of,
    values_being_compiled,
)
from .safe_mode import checked, interval

# What belongs to one instance alone, and must not travel into a copy of it.
OWN = (
    "_compiled_callable",
    "compiled_codes",
    "original_code_object",
    "_target",
    "_method",
    "_ready",
    "_dispatched_names",
    "_hook",
)

NOT_SET_UP = (
    "this {} is not set up, because its __init__ has not called that of "
    "TorchCompileWrapperWithCustomDispatcher, or because it is a copy: "
    "call TorchCompileWrapperWithCustomDispatcher.__init__(self, torch.compile(self.forward))"
)
NOT_SO_MANY = (
    "there is no compiled code {}: {} has {} so far, counted from 0; "
    "call compiled_callable with arguments that need another"
)
NOT_KEPT = (
    "there is no compiled code {}: with use_custom_dispatcher=False none is kept of {}; "
    "leave that argument out"
)
AS_WRITTEN = (
    "there is no compiled code {}: {} was given to __init__ as it is written; give it what "
    "torch.compile returns, switched on and without a decorator around it"
)
NONE_YET = (
    "there is no compiled code {}: torch has compiled nothing of {} for this instance so far; "
    "call compiled_callable first"
)
UNREACHABLE = (
    "no method of {} leads to what torch.compile was given: "
    "inside of a block only its value (`with ... as function`) runs compiled code"
)
GUARDS_ARE_GONE = (
    "torch has dropped the guards of {} before they could be taken: "
    "call compiled_callable again and dispatch to what it compiles, or do not check"
)


class Missing:
    """In the place of what __init__ sets, as long as it has not."""

    def __get__(self, instance: Optional[object], owner: type) -> object:
        if instance is None:
            return self
        # What has a __getattr__, as modules do, asks it next, and would tell of no reason.
        kind = RuntimeError if hasattr(owner, "__getattr__") else AttributeError
        raise kind(NOT_SET_UP.format(owner.__name__))


MISSING: Any = Missing()

# Not of an instance: a lock in it could not be copied.
_one_adds = threading.Lock()


class TorchCompileWrapperWithCustomDispatcher:
    """Derive from it, compile a method, and decide yourself which compiled code a call runs.

    `compiled_codes` grows with every compilation of that method for this very instance. Inside
    `with self.dispatch_to_code(i):` the method runs the code at that place, without its guards.
    `original_code_object` is the code of the method as it was written. `use_custom_dispatcher` is
    for derived classes to look at. With `check_every` guards are evaluated now and then.
    """

    compiled_codes: List[CodeType] = MISSING
    original_code_object: CodeType = MISSING
    use_custom_dispatcher: bool = MISSING

    def __init__(
        self,
        compiled_callable: Callable[..., Any],
        use_custom_dispatcher: bool = True,
        check_every: Optional[int] = None,
    ) -> None:
        # Not setattr: an nn.Module would make a submodule of a compiled module.
        state = self.__dict__
        target, every = target_of(compiled_callable), interval(check_every)
        self._undo()
        state["_compiled_callable"] = compiled_callable
        state["original_code_object"] = code_as_written(target.function)
        state["compiled_codes"] = []
        state["use_custom_dispatcher"] = use_custom_dispatcher
        state["_check_every"] = every
        state["_target"] = state["_method"] = target
        state["_ready"] = {}
        state["_dispatched_names"] = []
        if use_custom_dispatcher:
            state["_hook"] = weakref.finalize(self, register_hook(_weak_hook(self)))
            self._take_over_the_method()

    def _undo(self) -> None:
        """What an earlier __init__ did: its hook would record everything a second time."""
        state = self.__dict__
        for name in state.pop("_dispatched_names", ()):
            state.pop(name, None)
        if "_hook" in state:
            state.pop("_hook")()

    @property
    def compiled_callable(self) -> Callable[..., Any]:
        """What was given to __init__.

        Objects of one class share the code that torch made for any of them. Where there is such
        code, or where hooks of others may change what torch made, the call goes on to record which
        one served it, as no compilation will tell. With `check_every` it also takes the guards,
        which torch may drop before they are needed.
        """
        given = self._compiled_callable
        return self._recording(given) if self._has_to_record() else given

    @compiled_callable.setter
    def compiled_callable(self, value: Callable[..., Any]) -> None:
        self.__dict__["_compiled_callable"] = value

    def _has_to_record(self) -> bool:
        if not self.use_custom_dispatcher:
            return False
        if self._check_every or others_have_hooks():
            return True
        return not all(_holds(self.compiled_codes, each.code) for each in self._entries())

    def _recording(self, inner: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            result = inner(*args, **kwargs)
            self._record(args, kwargs)
            return result

        mark_as_wrapper(call, inner)
        return call

    def _record(self, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        entries = self._entries()
        # The most recently used comes first, unless another thread has been faster.
        for entry in entries[:1]:
            if not _holds(self.compiled_codes, entry.code):
                values = arguments_of(self._target, args, kwargs)
                if belongs_to(self._method, values) and entry.guards.hold(values):
                    self._add(entry.code)
        if self._check_every:
            self._take_guards(entries)

    def _add(self, code: CodeType) -> None:
        """Once, though several threads may have found it missing at the same time."""
        with _one_adds:
            if not _holds(self.compiled_codes, code):
                self.compiled_codes.append(code)

    def _entries(self) -> List[Entry]:
        """What torch holds now for the method.

        Hooks of others may put their code in the place of what ours was shown. It is one
        compilation all the same, and torch ties what both need to the life of theirs.
        """
        entries = entries_of(self._target.function.__code__)
        for entry in entries:
            for index, code in enumerate(self.compiled_codes):
                if code is not entry.code and is_same_compilation(code, entry.code):
                    self.compiled_codes[index] = entry.code
        return entries

    def _take_guards(self, entries: List[Entry]) -> None:
        guarded = [entry.code for entry in entries]
        for index, code in enumerate(self.compiled_codes):
            if id(code) not in self._ready and _holds(guarded, code):
                self._make_ready(index)

    def bytecode_hook(self, old_code: CodeType, new_code: CodeType) -> Optional[CodeType]:
        """Called by torch with everything it compiles; keeps what was compiled for us."""
        if old_code is not self._target.function.__code__:
            return None
        values = values_being_compiled(old_code)
        if values is None:
            warnings.warn(
                "this torch does not show which call it compiles: "
                f"{old_code.co_name} keeps its guards; use `unguarded`, or another torch",
                stacklevel=2,
            )
        elif belongs_to(self._method, values):
            self.compiled_codes.append(new_code)
        return None

    def dispatch_to_code(self, index: int) -> Dispatch:
        """A context manager: inside, the method runs that compiled code without its guards."""
        dispatch = Dispatch()
        try:
            # In this order: `compiled_codes` tells of an instance that is not set up.
            code = self.compiled_codes[index]
            dispatch.ready = self._ready[id(code)]
        except (KeyError, IndexError):
            dispatch.ready = self._make_ready(index)
        return dispatch

    def _make_ready(self, index: int) -> Ready:
        codes = self.compiled_codes
        if not -len(codes) <= index < len(codes):
            name = self.original_code_object.co_name
            raise IndexError(self._why_missing().format(index, name, len(codes)))
        guards = {id(entry.code): entry.guards for entry in self._entries()}
        code, original = codes[index], self._target.function
        function, bare = plain_function(original, code), bare_function(original, code)
        if self._check_every:
            if id(code) not in guards:
                raise RuntimeError(GUARDS_ARE_GONE.format(code.co_name))
            function = bare = checked(function, original, guards[id(code)], self._check_every)
        method = self._method
        ready = self._target.bind(function), method.bind(function), method.bind(bare), self
        self._ready[id(code)] = ready
        return ready

    def _why_missing(self) -> str:
        """Whether a callable is compiled does not show before: torch may be switched off."""
        if self.compiled_codes:
            return NOT_SO_MANY
        if not self.use_custom_dispatcher:
            return NOT_KEPT
        return NONE_YET if is_marked(self._compiled_callable) else AS_WRITTEN

    def _take_over_the_method(self) -> None:
        bound_to = receiver_of(self._target)
        found = dict(_attributes_of(type(self), functions_of(self._target)))
        if bound_to is None and not all(isinstance(each, staticmethod) for each in found.values()):
            self.__dict__["_method"] = Target(self._target.function, self)
        elif bound_to is self and not found:
            warnings.warn(UNREACHABLE.format(type(self).__name__), stacklevel=3)
        elif not any(bound_to is each for each in (None, self, type(self))):
            return
        for name in found:
            self.__dict__[name] = stand_in(self, self._method, getattr(self, name))
            self._dispatched_names.append(name)

    def __getstate__(self) -> Dict[str, object]:
        """A copy is an ordinary object with its own method, until its __init__ is called."""
        state = dict(self.__dict__)
        for name in (*state.get("_dispatched_names", ()), *OWN):
            state.pop(name, None)
        return state

    _compiled_callable: Callable[..., Any] = MISSING
    # What was compiled, and the same as the instance calls it: bound, if it is a method.
    _target: Target = MISSING
    _method: Target = MISSING
    _ready: Dict[int, Ready]
    _check_every: int
    _dispatched_names: List[str]
    _hook: Callable[[], object]


def _holds(codes: List[CodeType], code: CodeType) -> bool:
    """By identity: equal code objects may belong to different graphs."""
    return any(each is code for each in codes)


def _weak_hook(wrapper: TorchCompileWrapperWithCustomDispatcher) -> Hook:
    """The hook of an instance that does not keep the instance alive."""
    reference = weakref.ref(wrapper)

    def hook(old_code: CodeType, new_code: CodeType) -> Optional[CodeType]:
        alive = reference()
        return None if alive is None else alive.bytecode_hook(old_code, new_code)

    return hook


def _attributes_of(kind: type, functions: List[object]) -> Iterator[Tuple[str, object]]:
    """The names under which instances of a class reach one of the functions, and what is there."""
    for name in {name for base in kind.__mro__ for name in vars(base)}:
        found = next(vars(base)[name] for base in kind.__mro__ if name in vars(base))
        function = found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
        if any(innermost(function) is each for each in functions):
            yield name, found
