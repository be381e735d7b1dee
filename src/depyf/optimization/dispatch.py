"""One `with` block in which a method runs compiled code, and the method that asks for it.

A block is open for a context: a thread, an asyncio task, or a copy of either. The method of an
instance looks for the innermost block that is open and belongs to the instance.
"""

from __future__ import annotations

from contextvars import ContextVar
from types import FunctionType
from typing import Any, Callable, Optional, Tuple

from .bytecode import dress
from .dynamo import (
    Target,
    compiler_of_this_thread,
    given_of,
    leave_frames_alone,
    mark_as_wrapper,
)

# What a compiled code is to the caller of the block, to the instance, to the instance where torch
# compiles nothing, and whose it is.
Ready = Tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], object]


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


def stand_in(owner: object, method: Target, original: Callable[..., Any]) -> Callable[..., Any]:
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
