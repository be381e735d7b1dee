"""Live torch: every test starts with nothing compiled and leaves no listener behind."""

from __future__ import annotations

from typing import Iterator

import pytest

try:
    import torch
except ImportError:
    # These tests compile. A conftest cannot be skipped, what it stands beside can.
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(autouse=True)
def nothing_compiled() -> Iterator[None]:
    from torch._dynamo import convert_frame
    from torch._logging._internal import trace_log

    import depyf.torch_capture.graph_text as graph_text

    torch._dynamo.reset()
    before = (list(trace_log.handlers), type(trace_log.handlers), trace_log.level)
    hooks = dict(convert_frame._bytecode_hooks)
    yield
    torch._dynamo.reset()
    # Torch itself takes away its handler that has nothing to do; ours must be gone.
    assert all(handler in before[0] for handler in trace_log.handlers)
    assert (type(trace_log.handlers), trace_log.level) == before[1:]
    assert dict(convert_frame._bytecode_hooks) == hooks
    assert not graph_text._listeners and not graph_text._replaced
