"""Live torch: every test starts with nothing compiled and leaves no listener behind."""

from __future__ import annotations

import gc
import importlib.util
from typing import Iterator

import pytest

if importlib.util.find_spec("torch") is None:
    # These tests compile. A conftest cannot be skipped, what it stands beside can.
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(autouse=True)
def nothing_compiled() -> Iterator[None]:
    import torch._dynamo
    from torch._dynamo import convert_frame

    from depyf.torch_capture import compat, graph_text

    torch._dynamo.reset()
    logger = compat.trace_logger() or compat.output_code_logger()
    if compat.trace_logger() is None:
        # Torch sets up the other logger where it makes it, which may be in the midst of a test.
        import torch._inductor.graph
    assert logger is not None
    before = (list(logger.handlers), type(logger.handlers), logger.level, logger.propagate)
    if convert_frame._bytecode_hooks:
        # Of dispatchers that tests before this one have dropped: not now is when they go.
        gc.collect()
    hooks = dict(convert_frame._bytecode_hooks)
    yield
    torch._dynamo.reset()
    # Torch itself takes away its handler that has nothing to do; ours must be gone.
    assert all(handler in before[0] for handler in logger.handlers)
    assert (type(logger.handlers), logger.level, logger.propagate) == before[1:]
    assert dict(convert_frame._bytecode_hooks) == hooks
    assert not graph_text._listeners and not graph_text._replaced
