"""What debug() needs of torch's internals: the code that runs, and keeping torch from compiling.

The other half of `compat`, by the same rules: one named probe each, which says the versions of
torch that it serves and answers None, or nothing, where torch has no such thing.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import linecache
import os
import types
from typing import Callable, Container, ContextManager, Iterator, List, Optional, Sequence, Tuple

import torch

from .compat import Remove, inductor_cache_folder


def torch_folder() -> str:
    """Where torch itself lies. 2.2 and later."""
    return os.path.dirname(os.path.abspath(str(torch.__file__)))


def types_without_code() -> Tuple[type, ...]:
    """Objects that lead to many others and to no code that runs. 2.2 and later."""
    from torch.fx import Graph, Node

    return (torch.Tensor, Graph, Node)


def is_graph_code(code: types.CodeType) -> bool:
    """Whether torch.fx generated it of a graph; its file name says so. 2.2 and later."""
    return "<eval_with_key>" in code.co_filename


def text_of_graph_code(function: types.FunctionType) -> str:
    """What torch.fx compiled; it gives its texts to `linecache`. 2.2 and later."""
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


def run_graphs_from(files: Container[str]) -> Remove:
    """Graphs whose generated code lies in one of these files run as that code; undone by calling.

    2.2 to 2.8, where aot_eager interprets its graphs node by node and never calls that code.
    """
    from torch.fx import Interpreter

    own = Interpreter.boxed_run

    def boxed_run(self: torch.fx.Interpreter, args_list: List[object]) -> object:
        module = self.module
        linked = False
        with contextlib.suppress(Exception):
            linked = type(self) is Interpreter and _runs_from(module, files)
        if not linked:
            return own(self, args_list)
        arguments = list(args_list)
        args_list.clear()
        return module.forward(*arguments)

    Interpreter.boxed_run = boxed_run
    return functools.partial(setattr, Interpreter, "boxed_run", own)


def write_code_of_graphs_run_by(function: types.FunctionType) -> None:
    """A graph may have no code until it is first called, and none at all if it is interpreted.

    2.2 to 2.8 interpret, as above; later ones call the graph from their backends for debugging.
    """
    backends = os.path.join(torch_folder(), "_dynamo", "backends", "debugging.py")
    if "Interpreter" in function.__code__.co_names or function.__code__.co_filename == backends:
        for cell in function.__closure__ or ():
            write: Optional[Remove] = getattr(cell.cell_contents, "real_recompile", None)
            if write is not None and isinstance(cell.cell_contents, torch.fx.GraphModule):
                write()


def _runs_from(module: object, files: Container[str]) -> bool:
    """Graphs whose arguments go through a tree, or come in a list, are left alone."""
    from torch.fx.graph import CodeGen

    code = getattr(getattr(type(module), "forward", None), "__code__", None)
    is_plain = type(getattr(getattr(module, "graph", None), "_codegen", None)) is CodeGen
    return is_plain and isinstance(code, types.CodeType) and code.co_filename in files


def is_generated(code: types.CodeType) -> bool:
    """Whether torch.fx generated it, or Inductor into its cache. 2.2 and later."""
    if is_graph_code(code):
        return True
    folder = inductor_cache_folder()
    return bool(folder) and code.co_filename.startswith(os.path.join(folder, ""))


def is_about_to_call_graphs(code: types.CodeType) -> bool:
    """Whether it is AOTAutograd's, which compiles a backward pass and then calls it.

    2.2 and later.
    """
    return code.co_filename.startswith(os.path.join(torch_folder(), "_functorch", ""))


def compile_callback() -> Optional[type]:
    """The class of what torch calls to compile a frame, where that may answer "run it as written".

    2.7 and later: before, any answer without code also kept the function from being compiled
    for ever.
    """
    try:
        from torch._dynamo.convert_frame import CatchErrorsWrapper

        frame_runs_as_written()
    except (ImportError, AttributeError, TypeError):
        return None
    return CatchErrorsWrapper if isinstance(CatchErrorsWrapper, type) else None


def frame_runs_as_written() -> object:
    """The answer to a wish to compile: not now, and ask again next time. 2.7 and later."""
    from torch._C._dynamo.eval_frame import _FrameAction, _FrameExecStrategy
    from torch._dynamo.types import ConvertFrameReturn

    strategy = _FrameExecStrategy(_FrameAction.DEFAULT, _FrameAction.DEFAULT)
    return ConvertFrameReturn(frame_exec_strategy=strategy, apply_to_code=False)


def backward_compiler() -> Optional[type]:
    """The class that compiles a backward pass when it is first called.

    2.13 and later: before, it is a function inside others, and nothing can stop it.
    """
    try:
        # Torch's own order: loaded the other way round, the two see each other half finished.
        import torch._dynamo.utils  # noqa: F401
        from torch._functorch._aot_autograd.runtime_wrappers import _AutogradBackwardCompiler
    except ImportError:
        return None
    known = isinstance(_AutogradBackwardCompiler, type) and hasattr(
        _AutogradBackwardCompiler, "get_or_compile"
    )
    return _AutogradBackwardCompiler if known else None


def backward_as_captured(
    compiler: object, saved_tensors_use_once: bool
) -> Optional[Callable[[List[object]], object]]:
    """The graph of a backward pass that is not compiled yet, as torch calls it. 2.13 and later."""
    captured = getattr(compiler, "lazy_backward_info", None)
    graph = getattr(captured, "bw_module", None)
    if getattr(compiler, "compiled_bw", None) is not None or graph is None:
        return None
    # As before compiling: a graph that is to be kept must not give its buffers away.
    compiler._prepare_lazy_backward_context(saved_tensors_use_once)  # type: ignore[attr-defined]

    def run(arguments: List[object]) -> object:
        given = list(arguments)
        arguments.clear()
        return graph(*given)

    run._boxed_call = True  # type: ignore[attr-defined]
    return run


def tells_of_misses() -> bool:
    return compile_callback() is not None


def run_only() -> ContextManager[None]:
    """Compiled code runs, nothing is compiled: a stance from 2.6 on, the run mode before."""
    try:
        from torch.compiler import set_stance
    except ImportError:
        return _run_mode()
    stance: ContextManager[None] = set_stance("eager_on_recompile")
    return stance


@contextlib.contextmanager
def _run_mode() -> Iterator[None]:
    """2.2 to 2.5: the callback False, as torch._dynamo.run() sets it for one function."""
    from torch._dynamo import eval_frame

    # What every compiled function calls by its name; 2.5 put a function of its own around it.
    name = next(one for one in SETTERS_BY_NAME if hasattr(eval_frame, one))
    own = getattr(eval_frame, name)
    is_on = True

    def set_eval_frame(callback: object) -> object:
        return own(False if is_on and callable(callback) else callback)

    setattr(eval_frame, name, set_eval_frame)
    try:
        yield
    finally:
        is_on = False
        if getattr(eval_frame, name) is set_eval_frame:
            setattr(eval_frame, name, own)


SETTERS_BY_NAME = ("_maybe_set_eval_frame", "set_eval_frame")


def eval_frame_setter() -> Callable[[object], object]:
    """What sets Dynamo's callback for this thread, None for no Dynamo, and returns the one before.

    2.2 and later.
    """
    # Not a package everywhere: no import leads there.
    setter: Callable[[object], object] = torch._C._dynamo.eval_frame.set_eval_frame
    return setter


def is_never_compiled(code: types.CodeType) -> bool:
    """Whether torch's rules leave it alone: torch itself, the standard library. 2.2 and later."""
    from torch._dynamo import trace_rules

    return bool(trace_rules.check(code))


def is_compile_wrapper(code: types.CodeType) -> bool:
    """Whether it belongs to the function that torch.compile returned. 2.2 and later."""
    from torch._dynamo import eval_frame

    return code.co_filename == str(eval_frame.__file__)


def why_no_entry_fits(entries: Sequence[object], frame: types.FrameType) -> List[str]:
    """Torch's words for the guard of each entry that failed. 2.7 and later.

    Not by the function that torch itself calls: in 2.8 that one also logs, and counts, and
    raises where the user forbids to compile anew.
    """
    try:
        from torch._dynamo.guards import get_guard_fail_reason_helper
    except ImportError:
        return []
    # Later ones also want to know which backend asks.
    no_backend = (None,) * (len(inspect.signature(get_guard_fail_reason_helper).parameters) - 3)
    reasons = []
    for entry in entries:
        guards, compile_id = entry.guard_manager, entry.compile_id  # type: ignore[attr-defined]
        reason = getattr(guards, "invalidation_reason", None) or get_guard_fail_reason_helper(
            guards, frame.f_locals, compile_id, *no_backend
        )
        reasons.append(" ".join(str(reason).split()))
    return [reason for reason in reasons if reason]
