"""Everything of torch and Python that depyf puts something else in place of, to be compared."""

from __future__ import annotations

import sys

import torch
from torch._dynamo import convert_frame, eval_frame

from depyf.debugger import block
from depyf.torch_capture import bytecode_hooks, compat, compat_debug, graph_text, prepare


def put_in() -> dict[str, object]:
    """By what it belongs to: what is there, compared by identity where that can be told."""
    logger = compat.trace_logger() or compat.output_code_logger()
    assert logger is not None
    callback, backward = compat_debug.compile_callback(), compat_debug.backward_compiler()
    return {
        "handlers": (list(logger.handlers), type(logger.handlers), logger.level, logger.propagate),
        "bytecode hooks": dict(convert_frame._bytecode_hooks),
        "our hooks": bytecode_hooks._listeners,
        "class of graph texts": [one.LazyString for one in compat.modules_of_graph_text()],
        "our graph listeners": (graph_text._listeners, list(graph_text._replaced)),
        "compile callback": vars(callback or object).get("__call__"),
        "backward compiler": vars(backward or object).get("get_or_compile"),
        "setters": [getattr(eval_frame, name, None) for name in compat_debug.SETTERS_BY_NAME],
        "interpreter": torch.fx.Interpreter.boxed_run,
        "breakpoint hook": sys.breakpointhook,
        "trace function": sys.gettrace(),
        "import finders": list(sys.meta_path),
        "open blocks": (
            [one for one in prepare._captures.values() if one.blocks],
            dict(block._open),
        ),
        "exchanged code": (list(block._links._exchanged), list(block._links._restore)),
    }


def put_back(before: dict[str, object]) -> None:
    """What was left behind on purpose; `before` is what `put_in` answered."""
    logger = compat.trace_logger() or compat.output_code_logger()
    assert logger is not None
    handlers, kind, logger.level, logger.propagate = before["handlers"]  # type: ignore[misc]
    logger.handlers = kind(handlers)
    convert_frame._bytecode_hooks.clear()
    convert_frame._bytecode_hooks.update(before["bytecode hooks"])
    bytecode_hooks._listeners, bytecode_hooks._ours = (), None
    for module, own in zip(compat.modules_of_graph_text(), before["class of graph texts"]):
        module.LazyString = own
    graph_text._listeners = ()
    graph_text._replaced.clear()
    block._links.undo()
    block._refusal.close()
    for kind, name, what in (
        (compat_debug.compile_callback(), "__call__", "compile callback"),
        (compat_debug.backward_compiler(), "get_or_compile", "backward compiler"),
        (torch.fx.Interpreter, "boxed_run", "interpreter"),
    ):
        if kind is not None:
            setattr(kind, name, before[what])
    for capture in prepare._captures.values():
        capture.is_listening = False
