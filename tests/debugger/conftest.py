"""Live torch in some of these tests: each starts with nothing compiled."""

from __future__ import annotations

import importlib.util
from typing import Iterator

import pytest


@pytest.fixture(autouse=True)
def nothing_compiled() -> Iterator[None]:
    if importlib.util.find_spec("torch") is None:
        yield
        return
    import torch
    from torch._dynamo import convert_frame

    torch._dynamo.reset()
    hooks = dict(convert_frame._bytecode_hooks)
    call = convert_frame.CatchErrorsWrapper.__call__
    yield
    torch._dynamo.reset()
    assert dict(convert_frame._bytecode_hooks) == hooks
    assert convert_frame.CatchErrorsWrapper.__call__ is call
