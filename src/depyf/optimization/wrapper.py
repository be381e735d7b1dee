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
    Hook,
    Target,
    compiler_of_this_thread,
    entries_of,
    leave_frames_alone,
    mark_as_wrapper,
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
    "_ready",
    "_dispatched_names",
)


# The function of a compiled code, the one to call where torch compiles nothing, and whose they are.
Ready = Tuple[Callable[..., Any], Callable[..., Any], object]


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
        state["original_code_object"] = target.function.__code__
        state["compiled_codes"] = []
        state["use_custom_dispatcher"] = use_custom_dispatcher
        state["_check_every"] = interval(check_every)
        state["_target"] = target
        state["_ready"] = {}
        state["_dispatched_names"] = []
        if use_custom_dispatcher:
            weakref.finalize(self, register_hook(_weak_hook(self)))
            self._take_over_the_method()

    @property
    def compiled_callable(self) -> Callable[..., Any]:
        """What was given to __init__.

        Objects of one class share the code that torch made for any of them. Where there is such
        code, the call goes on to record which one served it, as no compilation will tell.
        """
        found = entries_of(self.original_code_object) if self.use_custom_dispatcher else []
        if all(_holds(self.compiled_codes, entry.code) for entry in found):
            return self._compiled_callable
        return self._recording()

    @compiled_callable.setter
    def compiled_callable(self, value: Callable[..., Any]) -> None:
        self.__dict__["_compiled_callable"] = value

    def _recording(self) -> Callable[..., Any]:
        target, inner = self._target, self._compiled_callable

        def call(*args: Any, **kwargs: Any) -> Any:
            result = inner(*args, **kwargs)
            # The most recently used comes first, unless another thread has been faster.
            for entry in entries_of(target.function.__code__)[:1]:
                if _holds(self.compiled_codes, entry.code):
                    break
                if entry.guards.hold(arguments_of(target, args, kwargs)):
                    self.compiled_codes.append(entry.code)
            return result

        mark_as_wrapper(call, inner)
        return call

    def bytecode_hook(self, old_code: CodeType, new_code: CodeType) -> Optional[CodeType]:
        """Called by torch with everything it compiles; keeps what was compiled for us."""
        if old_code is not self.original_code_object:
            return None
        values = values_being_compiled(old_code)
        if values is None:
            warnings.warn(
                "this torch does not show which call it compiles; "
                f"{old_code.co_name} keeps its guards",
                stacklevel=2,
            )
        elif belongs_to(self._target, values):
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
        code, original = codes[index], self._target.function
        entries = entries_of(original.__code__)
        function, bare = plain_function(original, code), bare_function(original, code)
        guards = [entry.guards for entry in entries if entry.code is code]
        if not guards:
            # Another hook may have put its own code in the place of ours. Torch then ties what
            # both need to the life of that one.
            for each in (function, bare):
                each.__dict__["__siblings__"] = [entry.code for entry in entries]
        if self._check_every:
            if not guards:
                raise RuntimeError(f"torch holds no guards of {code.co_name} to check any more")
            function = bare = checked(function, original, guards[0], self._check_every)
        ready = self._target.bind(function), self._target.bind(bare), self
        self._ready[id(code)] = ready
        return ready

    def _take_over_the_method(self) -> None:
        if self._target.owner is self:
            stand_in = _stand_in(self, self._target)
            for name in _names_of(type(self), self._target.function):
                self.__dict__[name] = stand_in
                self._dispatched_names.append(name)

    def __getstate__(self) -> Dict[str, object]:
        """A copy is an ordinary object with its own method, until its __init__ is called."""
        state = dict(self.__dict__)
        for name in (*state.get("_dispatched_names", ()), *OWN):
            state.pop(name, None)
        return state

    _compiled_callable: Callable[..., Any]
    _target: Target
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


def _names_of(kind: type, function: FunctionType) -> Iterator[str]:
    """The names under which instances of a class reach the function."""
    for name in {name for base in kind.__mro__ for name in vars(base)}:
        found = next(vars(base)[name] for base in kind.__mro__ if name in vars(base))
        if found is function:
            yield name


def _stand_in(owner: object, target: Target) -> Callable[..., Any]:
    """What the instance has in the place of its method."""
    original = target.bind(target.function)

    def forward(*args: Any, **kwargs: Any) -> Any:
        dispatch = _innermost()
        while dispatch is not None:
            ready = dispatch.ready
            if ready is not None and ready[2] is owner:
                function = ready[1] if _compiler() is None else ready[0]
                # Keywords are rare, and putting them together takes time.
                return function(*args, **kwargs) if kwargs else function(*args)
            dispatch = dispatch.outer
        return original(*args, **kwargs)

    assert isinstance(forward, FunctionType)
    leave_frames_alone(forward)
    dress(forward, target.function)
    mark_as_wrapper(forward, original)
    return forward
