"""The only module here that knows torch: named probes for what differs between its versions.

Everything is reached by name and looked for once; nothing asks for a version number. What goes
out is plain Python: functions, code objects, and guards that answer to `Guards`.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from inspect import unwrap
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import (
    Any,
    Callable,
    ContextManager,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Set,
    Tuple,
)

from .guards import Guards, backend_of, guards_of

Hook = Callable[[CodeType, CodeType], Optional[CodeType]]

# Hooks and modules around `forward` that compiled code knows nothing of.
HOOK_TABLES = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
MODULE_CALLS = ("_wrapped_call_impl", "_call_impl", "__call__")
# The marks that newer torch leaves around every graph call, for its profiler alone.
PROFILER_MARKS = ("record_pregraph_bytecode_enter", "record_pregraph_bytecode_exit")
RUN_ONLY = "skip_backend_check_for_run_only_mode"
GRAPH = "__compiled_fn_"
RESUME = "__resume_at_"
INLINE_HOME = "torch._dynamo.external_utils"
NO_MARK = "_depyf_no_profiler_mark"


def _torch(part: str) -> ModuleType:
    """A module of torch; the first one asked for finds out whether torch is there at all."""
    known = sys.modules.get(part)
    # Instances may die in the midst of an import, whose lock must then be left alone.
    if known is not None and not getattr(known.__spec__, "_initializing", False):
        return known
    try:
        return import_module(part)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise ImportError("depyf.optimization needs PyTorch: pip install torch") from error


_torch("torch")


class Target:
    """What was given to torch.compile: a function, and the object it is bound to, if any."""

    def __init__(self, function: FunctionType, owner: Optional[object]) -> None:
        self.function = function
        self.owner = owner

    def bind(self, function: Callable[..., object]) -> Callable[..., object]:
        return function if self.owner is None else MethodType(function, self.owner)


class Entry(NamedTuple):
    """One piece of code that torch made for a function, and the conditions it holds under."""

    code: CodeType
    guards: Guards
    number: int
    backend: object


def target_of(compiled: object) -> Target:
    """The function behind whatever torch.compile returned."""
    function, owner = _unwrapped(compiled)
    if isinstance(function, MethodType):
        owner = function.__self__
        function = function.__func__
    if _is_module(owner) and getattr(function, "__name__", "") in MODULE_CALLS:
        return target_of(getattr(owner, "forward"))  # noqa: B009
    if not isinstance(function, FunctionType):
        raise TypeError(
            f"{compiled!r} is not what torch.compile made of a Python function: "
            "pass what torch.compile returned"
        )
    return Target(function, owner)


def _unwrapped(compiled: object) -> tuple[object, object | None]:
    if _is_module(compiled):
        # An OptimizedModule keeps the compiled function as its `forward`; a module that was
        # compiled in place, or whose `forward` is decorated, keeps its own.
        compiled = getattr(compiled, "forward")  # noqa: B009
    if isinstance(compiled, MethodType):
        return innermost(compiled.__func__), compiled.__self__
    inner = innermost(compiled)
    return _unwrapped(inner) if _is_module(inner) else (inner, None)


def innermost(function: object) -> object:
    """Through torch's wrappers, never through a `functools.wraps` that copied their marks."""
    while isinstance(function, FunctionType) and _is_marked_itself(function):
        inner = getattr(function, "_torchdynamo_orig_callable", None)
        if inner is None:
            break
        function = inner
    return function


def is_marked(compiled: object) -> bool:
    """Whether torch.compile made this very thing. Told not to compile, it leaves things as is."""
    if _is_module(compiled):
        in_place = getattr(compiled, "_compiled_call_impl", None) is not None
        return in_place or is_marked(getattr(compiled, "forward"))  # noqa: B009
    function = compiled.__func__ if isinstance(compiled, MethodType) else compiled
    return innermost(function) is not function


def _is_marked_itself(function: object) -> bool:
    """Whether torch's marks are about this very function; older torch does not tell."""
    return getattr(function, "_torchdynamo_wrapper_id", id(function)) == id(function)


def _is_module(thing: object) -> bool:
    return isinstance(thing, _torch("torch").nn.Module)


def _in_the_frame_of_torch(function: FunctionType) -> Any:
    """What was given to torch.compile, where torch compiles a frame of its own around it.

    It does so for what it would pass over, such as the function that `torch.no_grad()` makes.
    """
    if function.__globals__.get("__name__") != INLINE_HOME:
        return function
    return getattr(function, "__wrapped__", function)


def functions_of(target: Target) -> List[object]:
    """What a class may have that leads to the target: what is compiled, and what was given."""
    given = _in_the_frame_of_torch(target.function)
    return [target.function, given.__func__ if isinstance(given, MethodType) else given]


def given_of(target: Target) -> Callable[..., object]:
    """What Dynamo is to follow where it finds the target in a function that it compiles."""
    given = _in_the_frame_of_torch(target.function)
    return given if isinstance(given, MethodType) else target.bind(given)


def receiver_of(target: Target) -> object | None:
    """What the compiled function is bound to, outside or inside of torch's frame around it."""
    if target.owner is not None:
        return target.owner
    given = _without_partial(_in_the_frame_of_torch(target.function))
    return given if _is_module(given) else getattr(given, "__self__", None)


def _without_partial(given: Any) -> Any:
    while isinstance(given, partial):
        given = given.func
    return given


def code_as_written(function: FunctionType) -> CodeType:
    """The code of the user's function that torch compiles, not of torch's frame around it."""
    given = _in_the_frame_of_torch(function)
    written = function if given is function else unwrap(_without_partial(given))
    code = getattr(written, "__code__", None)
    return code if isinstance(code, CodeType) else function.__code__


def name_of(function: FunctionType) -> str:
    """What the user calls it, whatever torch calls a frame of its own around it."""
    given = _without_partial(_in_the_frame_of_torch(function))
    if _is_module(given):
        return f"{type(given).__qualname__}.forward"
    return str(getattr(given, "__qualname__", function.__qualname__))


def module_hooks(compiled: object, target: Target) -> list[str]:
    """The hooks that calling the module runs and its compiled `forward` does not.

    What torch.compile makes of a module is a module itself, with hooks of its own.
    """
    owner = target.owner
    if not _is_module(compiled) or not _is_module(owner):
        return []
    everywhere = _torch("torch.nn.modules.module")
    around = (owner, compiled)
    own = [name for name in HOOK_TABLES if any(getattr(each, name, None) for each in around)]
    return own + [f"_global{name}" for name in HOOK_TABLES if getattr(everywhere, f"_global{name}")]


def entries_of(code: CodeType) -> list[Entry]:
    """What torch holds for a code object now, the most recently used first.

    Torch's own objects die with its cache, so only what outlives them is taken along.
    """
    found = _torch("torch._dynamo.eval_frame")._debug_get_cache_entry_list(code)
    # An entry whose guarded objects died has no code any more, and stays in the list.
    return [_entry(each) for each in found if getattr(each, "code", None) is not None]


def _entry(found: object) -> Entry:
    code: CodeType = getattr(found, "code")  # noqa: B009
    # `check_fn` up to 2.5, `guard_manager` since.
    guards = getattr(found, "guard_manager", None) or getattr(found, "check_fn", None)
    understood = guards_of(guards, without_backend)
    # Before entries had a `backend`, it was one of their guards.
    backend = getattr(found, "backend", None) or backend_of(understood)
    return Entry(code, understood, _serial_number(code), backend)


def tells_backends() -> bool:
    """Whether an entry says which backend it was compiled for; torch 2.5 keeps that to itself."""
    kept = hasattr(_torch("torch._dynamo.eval_frame"), "guarded_backend_cache")
    # Not a package everywhere: no import leads there.
    return kept or hasattr(_torch("torch._C")._dynamo.eval_frame._CacheEntry, "backend")


def without_backend() -> ContextManager[object]:
    """Guards evaluated inside do not ask for the backend of the current call: there is none."""
    settings = getattr(_torch("torch._dynamo.eval_frame"), "guarded_backend_cache", None)
    return nullcontext() if settings is None else _switched_on(settings, RUN_ONLY)


@contextmanager
def _switched_on(settings: object, name: str) -> Iterator[None]:
    """The settings are those of this thread."""
    before = getattr(settings, name, False)
    setattr(settings, name, True)
    try:
        yield
    finally:
        setattr(settings, name, before)


def _serial_number(code: CodeType) -> int:
    """Torch numbers the graphs of a process, and with them the code that calls them."""
    for name in graphs_of(code):
        digits = name[len(GRAPH) :].split("_")[0]
        return int(digits) if digits.isdigit() else 0
    return 0


def graphs_of(code: CodeType) -> List[str]:
    """The global names of the graphs that compiled code calls."""
    return [name for name in code.co_names if name.startswith(GRAPH)]


def is_same_compilation(one: CodeType, other: CodeType) -> bool:
    """Whether both call what torch made in one compilation, under names that it gives but once."""
    made = _made_for(one)
    return bool(made) and made == _made_for(other)


def _made_for(code: CodeType) -> Set[str]:
    return {name for name in code.co_names if name.startswith((GRAPH, RESUME))}


def compiler_of_this_thread() -> Callable[[], Optional[object]]:
    """What to call for whatever compiles the functions of this thread: None while torch is off.

    A torch that does not tell is taken to be on.
    """
    ask: Callable[[], Optional[object]]
    ask = getattr(_torch("torch")._C._dynamo.eval_frame, "get_eval_frame_callback", object)
    return ask


def without_switch(graph: object) -> Optional[object]:
    """What stands behind the wrapper that keeps torch from compiling what a graph calls."""
    if not getattr(graph, "_torchdynamo_disable", False) or not _is_marked_itself(graph):
        return None
    return getattr(graph, "_torchdynamo_orig_callable", None)


def code_without_marks(code: CodeType) -> CodeType:
    """The code without the calls that tell torch's profiler where a graph begins.

    They are two wrapped Python calls per graph, a quarter of a small call. Each is an attribute of
    one torch module, so naming another attribute there turns them into nothing at all.
    """
    if not set(PROFILER_MARKS) <= set(code.co_names):
        return code
    # Takes any arguments, does nothing with them, and is written in C.
    setattr(_torch("torch._dynamo.utils"), NO_MARK, "".format)
    names = (NO_MARK if name in PROFILER_MARKS else name for name in code.co_names)
    return code.replace(co_names=tuple(names))


def register_hook(hook: Hook) -> Callable[[], None]:
    """Call the hook for everything torch compiles from now on; the answer ends that."""
    handle = _torch("torch._dynamo.convert_frame").register_bytecode_hook(hook)
    _registered.add(handle.id)

    def remove_now() -> None:
        handle.remove()
        _registered.discard(handle.id)

    def remove() -> None:
        _to_remove.append(remove_now)
        # Torch walks through its hooks while it compiles, and instances may die meanwhile.
        while _to_remove and not _is_compiling():
            _to_remove.pop()()

    return remove


_to_remove: List[Callable[[], None]] = []
_registered: Set[int] = set()


def others_have_hooks() -> bool:
    """Whether somebody else may put code of theirs in the place of what torch compiles."""
    return len(_torch("torch._dynamo.convert_frame")._bytecode_hooks) > len(_registered)


def _is_compiling() -> bool:
    """In any thread."""
    home = str(_torch("torch._dynamo.convert_frame").__file__)
    # No variable here holds a frame: this one is among them and would keep itself alive.
    return any(_runs_in(home, frame) for frame in sys._current_frames().values())


def _runs_in(file: str, frame: Optional[FrameType]) -> bool:
    """Whether a frame, or one that led to it, runs code of a file."""
    while frame is not None:
        if frame.f_code.co_filename == file:
            return True
        frame = frame.f_back
    return False


def leave_frames_alone(function: FunctionType) -> None:
    """Torch runs the function as it is, and compiles only what the function calls."""
    _torch("torch._dynamo.decorators").skip(function)
    # What counts for frames is noted on the code object; the note on the function would also
    # keep torch from following `_torchdynamo_inline`.
    function.__dict__.pop("_torchdynamo_disable", None)


def mark_as_wrapper(wrapper: Callable[..., object], inner: object) -> None:
    """`torch.compile` of the wrapper, or of a function that calls it, means what is inside."""
    wrapper.__dict__.update(
        __wrapped__=inner,
        _torchdynamo_inline=inner,
        _torchdynamo_orig_callable=inner,
        _torchdynamo_wrapper_id=id(wrapper),
    )


def values_being_compiled(code: CodeType) -> Mapping[str, object] | None:
    """The local variables of the frame that torch is compiling, if the stack shows it.

    Torch does not tell a hook which frame it is about, but the frame is an argument called `frame`
    of the callback that every compilation starts with.
    """
    for frame in _outer_frames():
        candidate = frame.get("frame")
        if getattr(candidate, "f_code", None) is code:
            values: Mapping[str, object] = getattr(candidate, "f_locals")  # noqa: B009
            return values
    return None


def _outer_frames() -> Iterator[Mapping[str, object]]:
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        yield frame.f_locals


def compile_around(work: Callable[[], object]) -> Tuple[Callable[..., object], object]:
    """A compiled function with hardly any guards whose graph does this work, and an argument.

    The difference between calling it and calling its code is what torch.compile puts around a
    graph, be the graph as it may.
    """
    torch = _torch("torch")

    def increment(x: int) -> int:
        return x + 1

    def backend(graph: object, inputs: object) -> Callable[[object], object]:
        def run(x: object) -> object:
            work()
            return (x,)

        return run

    # Torch remembers what it compiled on the code object: each call needs one of its own.
    increment.__code__ = increment.__code__.replace()
    compiled: Callable[..., object] = torch.compile(increment, backend=backend)
    return compiled, torch.ones(1)


def file_of_switches() -> str:
    """Where the functions are that turn torch on for compiled functions and off for graphs."""
    return str(_torch("torch._dynamo.eval_frame").__file__)


def is_shortened(path: str, short: str) -> bool:
    """Whether torch writes this path so where it explains a guard."""
    shorten = _torch("torch.utils._traceback").shorten_filename
    return path == short or (path.endswith(short) and shorten(path) == short)


# How to ask for what guards on the state of torch are about, by the names that they give it.
STATES = {
    "grad_mode": "is_grad_enabled",
    "num_threads": "get_num_threads",
    "default_dtype": "get_default_dtype",
    "deterministic_algorithms": "are_deterministic_algorithms_enabled",
    "deterministic_algorithms_warn_only": "is_deterministic_algorithms_warn_only_enabled",
    "autocast(cpu)_enabled": "is_autocast_cpu_enabled",
    "autocast(cuda)_enabled": "is_autocast_enabled",
}


def state_now(name: str) -> object:
    """The present value of a part of torch's state, or None where nobody tells."""
    return getattr(_torch("torch"), STATES[name])() if name in STATES else None


def holds_with_other_grad_mode(check: Callable[[], object]) -> bool:
    torch = _torch("torch")
    with torch.set_grad_enabled(not torch.is_grad_enabled()):
        return bool(check())


def dtype_of(number: int) -> object:
    """The type that torch's C++ knows by this number."""
    torch = _torch("torch")
    return {5: torch.float16, 6: torch.float32, 7: torch.float64, 15: torch.bfloat16}.get(number)
