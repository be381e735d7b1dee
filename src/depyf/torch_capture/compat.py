"""Everything of torch that is not its public interface, behind one named probe each.

A probe says which versions of torch it serves and answers None, or nothing, where torch has no such
thing. Nothing outside this module and `compat_debug` reaches into torch's internals.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import logging
import os
import sys
import threading
import types
from collections import OrderedDict
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Tuple

import torch

Hook = Callable[[types.CodeType, types.CodeType], Optional[types.CodeType]]
Remove = Callable[[], None]


def torch_version() -> str:
    """2.2 and later."""
    return str(torch.__version__)


def trace_logger() -> Optional[logging.Logger]:
    """The logger behind TORCH_TRACE. 2.3 and later; 2.2 has none."""
    try:
        from torch._logging._internal import trace_log
    except ImportError:
        return None
    return trace_log if isinstance(trace_log, logging.Logger) else None


def interned_files() -> Dict[int, str]:
    """Numbers that stacks in the trace give in place of file names. 2.3 and later."""
    try:
        from torch._logging.structured import INTERN_TABLE
    except ImportError:
        return {}
    return {number: name for name, number in list(INTERN_TABLE.items())}


def compiling_now() -> Tuple[str, int]:
    """Compile id and attempt of what this thread compiles, ("", 0) if nothing. 2.2 and later."""
    from torch._guards import CompileContext

    trace_id = CompileContext.current_trace_id()
    if trace_id is None:
        return "", 0
    return str(trace_id.compile_id), int(trace_id.attempt)


def aot_graph_now() -> str:
    """AOTAutograd's id of the graph that is being lowered, `3_backward`. 2.2 and later.

    2.2 compiles a backward graph outside of any compile id; forward and backward share the number.
    """
    from torch._functorch._aot_autograd.logging_utils import get_aot_compilation_context

    names = get_aot_compilation_context()[0]
    return str(names[0]) if names else ""


def output_code_logger() -> Optional[logging.Logger]:
    """Inductor's log of the code it wrote, where there is no trace to tell of it. 2.2 only."""
    if trace_logger() is not None:
        return None
    return logging.getLogger("torch._inductor.graph.__output_code")


def add_bytecode_hook(hook: Hook) -> Remove:
    """2.2 and later."""
    from torch._dynamo.convert_frame import register_bytecode_hook

    remove: Remove = register_bytecode_hook(hook).remove
    return remove


def call_last(hook: Hook) -> None:
    """Of all bytecode hooks; not while torch goes through them. 2.2 and later."""
    from torch._dynamo import convert_frame

    hooks = getattr(convert_frame, "_bytecode_hooks", None)
    if isinstance(hooks, OrderedDict):
        keys = [key for key, one in hooks.items() if one is hook]
        if keys and next(reversed(hooks)) != keys[0]:
            hooks.move_to_end(keys[0])


def compile_lock() -> Optional[threading.RLock]:
    """What a thread holds while it compiles. 2.2 and later, at first in another module."""
    from torch._dynamo import convert_frame, eval_frame

    lock: Optional[threading.RLock] = getattr(convert_frame, "compile_lock", None)
    return lock or getattr(eval_frame, "compile_lock", None)


@contextlib.contextmanager
def while_nothing_compiles(longest_wait: float) -> Iterator[bool]:
    """True, and no thread but this one compiles in the block; or False. 2.2 and later."""
    lock = compile_lock()
    if lock is None:
        yield True
        return
    got = lock.acquire(timeout=longest_wait) if longest_wait else lock.acquire(blocking=False)
    try:
        yield got
    finally:
        if got:
            lock.release()


def bytecode_logger() -> logging.Logger:
    """What `TORCH_LOGS="+bytecode"` turns on. 2.2 and later."""
    from torch._dynamo.convert_frame import bytecode_log

    logger: logging.Logger = bytecode_log
    return logger


def never_compile(codes: Iterable[types.CodeType]) -> None:
    """Dynamo leaves this code alone, but not what it calls. 2.2 and later."""
    from torch._dynamo.eval_frame import skip_code

    for code in codes:
        skip_code(code)


def compiled_codes() -> List[types.CodeType]:
    """Every live code object that Dynamo has compiled, oldest first. 2.2 and later."""
    from torch._dynamo import convert_frame

    alive = [reference() for reference in list(convert_frame.input_codes.seen)]
    return [code for code in alive if isinstance(code, types.CodeType)]


def cache_entries(code: types.CodeType) -> List[object]:
    """What torch would run in place of this code, each with its guards. 2.2 and later."""
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list

    return list(_debug_get_cache_entry_list(code))


def code_of_entry(entry: object) -> Optional[types.CodeType]:
    """2.2 and later."""
    code = getattr(entry, "code", None)
    return code if isinstance(code, types.CodeType) else None


def entry_just_made() -> Optional[object]:
    """What is about to go into torch's cache, while its metrics are told. 2.3 and later."""
    found = _given_to_compile("guarded_code")
    # Later versions wrap it together with what to do about the next frame.
    return getattr(found, "guarded_code", found)


def compile_id_of_entry(entry: object) -> str:
    """2.6 and later; "" before."""
    return str(getattr(entry, "compile_id", None) or "")


def globals_of_entry(entry: object) -> Dict[str, object]:
    """The globals of the function behind an entry, which its guards hold. 2.2 and later."""
    for name in ("guard_manager", "check_fn"):
        check = getattr(entry, name, None)
        for holder in (check, getattr(check, "guard_manager", None)):
            scope = getattr(holder, "global_scope", None)
            found = scope.get("G") if isinstance(scope, dict) else None
            if isinstance(found, dict):
                return found
    return {}


def globals_of_compiling_frame() -> Dict[str, object]:
    """The globals of the function whose bytecode hook is running. 2.2 and later."""
    found = _given_to_compile("globals")
    return found if isinstance(found, dict) else {}


def must_be_one_graph() -> bool:
    """Whether what is being compiled was given `fullgraph=True`. 2.2 and later."""
    return _given_to_compile("one_graph") is True


def _given_to_compile(argument: str) -> object:
    """Neither hooks nor the trace are told; Dynamo's `_compile`, on the stack, has it."""
    frame: Optional[types.FrameType] = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "_compile":
        frame = frame.f_back
    return frame.f_locals.get(argument) if frame is not None else None


def compiling_ahead_now() -> Optional[types.CodeType]:
    """The code that `aot_compile` of a compiled function is at. 2.9 and later.

    Neither hooks nor the trace are told; the function that does it is on the stack.
    """
    frame: Optional[types.FrameType] = sys._getframe(1)
    while frame is not None and not _is_of_aot_compile(frame):
        frame = frame.f_back
    if frame is None:
        return None
    function, owner = sys.modules["torch._dynamo.convert_frame"].get_traced_fn(
        frame.f_locals["model"]
    )
    if getattr(function, "__name__", "") == "_wrapped_call_impl":
        # All modules are called through that one: what is compiled is their own code.
        function = getattr(type(owner), "forward", function)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def _is_of_aot_compile(frame: types.FrameType) -> bool:
    return (
        frame.f_code.co_name == "aot_compile_fullgraph"
        and frame.f_globals.get("__name__") == "torch._dynamo.aot_compile"
    )


def exporting_now() -> Optional[Tuple[types.CodeType, bool]]:
    """The code that torch.export is at, and whether through Dynamo ("strict"). 2.5 and later.

    Nothing tells of an export; the function that does it is on the stack, with its arguments.
    """
    frame: Optional[types.FrameType] = sys._getframe(1)
    while frame is not None and not _is_of_export(frame):
        frame = frame.f_back
    if frame is None:
        return None
    module = frame.f_locals.get("mod")
    own = getattr(module, "__dict__", {}).get("forward")
    code = getattr(own or getattr(type(module), "forward", module), "__code__", None)
    strict = frame.f_locals.get("strict") is True
    return (code, strict) if isinstance(code, types.CodeType) else None


def _is_of_export(frame: types.FrameType) -> bool:
    return (
        frame.f_code.co_name == "_export"
        and frame.f_globals.get("__name__") == "torch.export._trace"
    )


def modules_of_graph_text() -> List[types.ModuleType]:
    """Modules whose global `LazyString` lazy_format_graph_code calls. 2.2 and later.

    The function moved from torch._dynamo.utils to torch.fx._utils in 2.5, and stayed importable
    from its old home. It finds the class in the module it was written in, whoever imported it.
    """
    from torch._dynamo.utils import lazy_format_graph_code

    home = sys.modules.get(lazy_format_graph_code.__module__)
    return [home] if home is not None and hasattr(home, "LazyString") else []


def inductor_cache_folder() -> str:
    """Where Inductor writes its code, if that was decided yet. 2.2 and later.

    2.2 only reads the variable that later ones also set, and decides anew each time.
    """
    folder = os.environ.get("TORCHINDUCTOR_CACHE_DIR", "")
    home = "torch._inductor.utils"
    decide = getattr(sys.modules.get(home), "cache_dir", None)
    if folder or "torch._inductor.codecache" not in sys.modules or not callable(decide):
        return folder
    return str(decide()) if getattr(decide, "__module__", "") == home else folder


@contextlib.contextmanager
def any_backend() -> Iterator[None]:
    """Guards asked inside hold for any backend: outside of a call there is none. 2.2 only."""
    from torch._dynamo import eval_frame

    settings = getattr(eval_frame, "guarded_backend_cache", None)
    name = "skip_backend_check_for_run_only_mode"
    before = getattr(settings, name, False)
    if settings is not None:
        setattr(settings, name, True)
    try:
        yield
    finally:
        if settings is not None:
            setattr(settings, name, before)


# --- what a torch can give --------------------------------------------------------------------


def explains_breaks() -> bool:
    """Graph breaks are in the trace, with a reason. Later than 2.5."""
    return _mentions("torch._dynamo.symbolic_convert", "dynamo_graph_break_reason")


def tells_frames_beyond_limit() -> bool:
    """A frame that is compiled no more, for the recompile limit, is in the trace. After 2.5."""
    from torch._dynamo import config

    return hasattr(config, "recompile_limit")


def has_tree_of_guards() -> bool:
    """Guards are a tree that can be walked; before, text around a closure. 2.5 and later."""
    try:
        from torch._C._dynamo.guards import GuardManager
    except ImportError:
        return False
    return hasattr(GuardManager, "get_leaf_guards")


def tells_types_of_guards() -> bool:
    """The tree of guards knows the types that it saw. After 2.5."""
    try:
        from torch._C._dynamo.guards import GuardManager
    except ImportError:
        return False
    return hasattr(GuardManager, "get_type_of_guarded_value")


@functools.lru_cache(maxsize=None)
def keeps_lines_of_guards() -> bool:
    """A guard knows the line of the user's behind it, whatever torch logs. Not 2.5."""
    from torch._dynamo.source import LocalSource
    from torch._guards import Guard, GuardsSet

    guard = Guard(LocalSource("x"), len)
    try:
        GuardsSet().add(guard, collect_debug_stack=False)
    except TypeError:
        # Before it was a matter of choice.
        return True
    return guard.user_stack is not None


def traces_cached_graphs() -> bool:
    """What Inductor takes from its cache is in the trace like what it makes. After 2.5."""
    return _mentions("torch._inductor.codecache", "inductor_post_grad_graph")


def numbers_compiled_autograd() -> bool:
    """A compile id names the backward pass that compiled autograd captured. After 2.5."""
    from torch._guards import CompileId

    return "compiled_autograd_id" in getattr(CompileId, "__dataclass_fields__", ())


@functools.lru_cache(maxsize=None)
def _mentions(module: str, words: str) -> bool:
    """Whether the text of one of torch's modules has these words in it."""
    spec = importlib.util.find_spec(module)
    try:
        with open(spec.origin if spec and spec.origin else "", encoding="utf-8") as file:
            return words in file.read()
    except OSError:
        return False


_OF_THE_TRACE: List[Tuple[Callable[[], bool], str]] = [
    (explains_breaks, "reasons and lines of graph breaks"),
    (tells_frames_beyond_limit, "frames that reached the recompile limit"),
    (traces_cached_graphs, "the graphs and kernels that Inductor takes from a warm cache"),
    (numbers_compiled_autograd, "the graphs of compiled autograd"),
]


def what_is_missing() -> List[str]:
    """Sentences about what this torch cannot give."""
    said = f"torch {torch_version()}"
    missing: List[str] = []
    if trace_logger() is None:
        missing.append(
            f"{said} has no structured trace: reasons of graph breaks and recompilations, skipped "
            "frames, frames that reached the recompile limit, user stacks, cache hits, times and "
            "the graphs of compiled autograd are not available."
        )
    else:
        missing += [f"{said} does not tell {what}." for has, what in _OF_THE_TRACE if not has()]
    if not tells_types_of_guards():
        missing.append(
            f"{said} does not tell what types its guards saw: most guards are answered by asking "
            "torch while the program runs."
        )
    if not keeps_lines_of_guards():
        missing.append(
            f"{said} keeps the line of yours behind a guard only while its own log of guards is on "
            '(TORCH_LOGS="guards"): few guards name theirs.'
        )
    return missing
