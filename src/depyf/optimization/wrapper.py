"""The class for people who dispatch themselves: `with self.dispatch_to_code(i): self.forward(x)`.

No code object is ever swapped. The instance gets a `forward` of its own that asks the current
context whether a `with` block of this instance is open, and calls the original when none is.
"""

from __future__ import annotations

import warnings
import weakref
from contextvars import ContextVar
from types import CodeType, FunctionType
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .bytecode import arguments_of, bare_function, belongs_to, dress, plain_function
from .dynamo import (
    Entry,
    Hook,
    Target,
    code_as_written,
    compiler_of_this_thread,
    entries_of,
    functions_of,
    given_of,
    innermost,
    is_same_compilation,
    leave_frames_alone,
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
)


# What a compiled code is to the caller of the block, to the instance, to the instance where torch
# compiles nothing, and whose it is.
Ready = Tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], object]

UNREACHABLE = (
    "no method of {} leads to what torch.compile was given: "
    "inside of a block only its value (`with ... as function`) runs compiled code"
)
GUARDS_ARE_GONE = (
    "torch has dropped the guards of {} before they could be taken: "
    "call compiled_callable again and dispatch to what it compiles, or do not check"
)


class Dispatch:
    """One open `with` block. A spent one may stay behind in a context: it is empty."""

    __slots__ = ("ready", "outer")

    ready: Optional[Ready]
    outer: Optional[Dispatch]

    def __enter__(self) -> Callable[..., Any]:
        ready, outer = self.ready, _innermost()
        while outer is not None and outer.ready is None:
            outer = outer.outer
        if ready is None or outer is self:
            raise RuntimeError("every `with` needs a dispatch_to_code(...) of its own")
        self.outer = outer
        _activate(self)
        return ready[0]

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.ready = None


# A context variable rather than a thread's own: tasks that take turns in one thread stay apart.
_dispatch: ContextVar[Optional[Dispatch]] = ContextVar("depyf_dispatch", default=None)
_innermost = _dispatch.get
_activate = _dispatch.set
_compiler = compiler_of_this_thread()


class TorchCompileWrapperWithCustomDispatcher:
    """Derive from it, compile a method, and decide yourself which compiled code a call runs.

    `compiled_codes` grows with every compilation of that method for this very instance. Inside
    `with self.dispatch_to_code(i):` the method runs the code at that place, without its guards.
    `original_code_object` is the code of the method as it was written. `use_custom_dispatcher` is
    for derived classes to look at. With `check_every` guards are evaluated now and then.
    """

    compiled_codes: List[CodeType]
    original_code_object: CodeType
    use_custom_dispatcher: bool

    def __init__(
        self,
        compiled_callable: Callable[..., Any],
        use_custom_dispatcher: bool = True,
        check_every: Optional[int] = None,
    ) -> None:
        # Not setattr: an nn.Module would make a submodule of a compiled module.
        state = self.__dict__
        target = target_of(compiled_callable)
        state["_compiled_callable"] = compiled_callable
        state["original_code_object"] = code_as_written(target.function)
        state["compiled_codes"] = []
        state["use_custom_dispatcher"] = use_custom_dispatcher
        state["_check_every"] = interval(check_every)
        state["_target"] = state["_method"] = target
        state["_ready"] = {}
        state["_dispatched_names"] = []
        if use_custom_dispatcher:
            weakref.finalize(self, register_hook(_weak_hook(self)))
            self._take_over_the_method()

    @property
    def compiled_callable(self) -> Callable[..., Any]:
        """What was given to __init__.

        Objects of one class share the code that torch made for any of them. Where there is such
        code, or where hooks of others may change what torch made, the call goes on to record which
        one served it, as no compilation will tell. With `check_every` it also takes the guards,
        which torch may drop before they are needed.
        """
        return self._recording() if self._has_to_record() else self._compiled_callable

    @compiled_callable.setter
    def compiled_callable(self, value: Callable[..., Any]) -> None:
        self.__dict__["_compiled_callable"] = value

    def _has_to_record(self) -> bool:
        if not self.use_custom_dispatcher:
            return False
        if self._check_every or others_have_hooks():
            return True
        return not all(_holds(self.compiled_codes, each.code) for each in self._entries())

    def _recording(self) -> Callable[..., Any]:
        inner = self._compiled_callable

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
                    self.compiled_codes.append(entry.code)
        if self._check_every:
            self._take_guards(entries)

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
                "this torch does not show which call it compiles; "
                f"{old_code.co_name} keeps its guards",
                stacklevel=2,
            )
        elif belongs_to(self._method, values):
            self.compiled_codes.append(new_code)
        return None

    def dispatch_to_code(self, index: int) -> Dispatch:
        """A context manager: inside, the method runs that compiled code without its guards."""
        dispatch = Dispatch()
        try:
            dispatch.ready = self._ready[id(self.compiled_codes[index])]
        except (KeyError, IndexError):
            dispatch.ready = self._make_ready(index)
        return dispatch

    def _make_ready(self, index: int) -> Ready:
        codes = self.compiled_codes
        if not -len(codes) <= index < len(codes):
            name = self.original_code_object.co_name
            raise IndexError(f"there is no compiled code {index}: {name} has {len(codes)} so far")
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
            self.__dict__[name] = _stand_in(self, self._method, getattr(self, name))
            self._dispatched_names.append(name)

    def __getstate__(self) -> Dict[str, object]:
        """A copy is an ordinary object with its own method, until its __init__ is called."""
        state = dict(self.__dict__)
        for name in (*state.get("_dispatched_names", ()), *OWN):
            state.pop(name, None)
        return state

    _compiled_callable: Callable[..., Any]
    # What was compiled, and the same as the instance calls it: bound, if it is a method.
    _target: Target
    _method: Target
    _ready: Dict[int, Ready]
    _check_every: int
    _dispatched_names: List[str]


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


def _stand_in(owner: object, method: Target, original: Callable[..., Any]) -> Callable[..., Any]:
    """What the instance has in the place of its method."""

    def forward(*args: Any, **kwargs: Any) -> Any:
        dispatch = _innermost()
        while dispatch is not None:
            ready = dispatch.ready
            if ready is not None and ready[3] is owner:
                function = ready[2] if _compiler() is None else ready[1]
                # Keywords are rare, and putting them together takes time.
                return function(*args, **kwargs) if kwargs else function(*args)
            dispatch = dispatch.outer
        return original(*args, **kwargs)

    assert isinstance(forward, FunctionType)
    leave_frames_alone(forward)
    dress(forward, method.function)
    mark_as_wrapper(forward, given_of(method))
    return forward
