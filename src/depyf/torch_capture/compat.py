"""Everything of torch that is not its public interface, behind one named probe each.

A probe says which versions of torch it serves and answers None, or nothing, where torch has no such
thing. Nothing outside this module reaches into torch's internals.
"""

from __future__ import annotations

import logging
import os
import sys
import types
from typing import Callable, Dict, List, Optional, Tuple

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


def compile_id_of_entry(entry: object) -> str:
    """2.6 and later; "" before."""
    return str(getattr(entry, "compile_id", None) or "")


def globals_of_compiling_frame() -> Dict[str, object]:
    """The globals of the function whose bytecode hook is running. 2.2 and later.

    The hook is given no globals; Dynamo's `_compile`, which called it, has them as an argument.
    """
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "_compile":
        frame = frame.f_back  # type: ignore[assignment]
    found = frame.f_locals.get("globals") if frame is not None else None
    return found if isinstance(found, dict) else {}


def modules_of_graph_text() -> List[types.ModuleType]:
    """Modules whose global `LazyString` lazy_format_graph_code calls. 2.2 and later.

    The function moved from torch._dynamo.utils to torch.fx._utils in 2.5, and stayed importable
    from its old home. It finds the class in the module it was written in, whoever imported it.
    """
    from torch._dynamo.utils import lazy_format_graph_code

    home = sys.modules.get(lazy_format_graph_code.__module__)
    return [home] if home is not None and hasattr(home, "LazyString") else []


def inductor_cache_folder() -> str:
    """Where Inductor writes its code, if that was decided yet. 2.2 and later."""
    return os.environ.get("TORCHINDUCTOR_CACHE_DIR", "")


def what_is_missing() -> List[str]:
    """Sentences about what this torch cannot give."""
    if trace_logger() is None:
        return [
            f"torch {torch_version()} has no structured trace: reasons of graph breaks and "
            "recompilations, skipped frames, user stacks, cache hits and times are not available."
        ]
    return []
