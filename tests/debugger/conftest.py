"""Live torch in some of these tests: each starts with nothing compiled."""

from __future__ import annotations

import gc
import importlib.util
from typing import Iterator

import pytest


@pytest.fixture(autouse=True)
def nothing_compiled() -> Iterator[None]:
    if importlib.util.find_spec("torch") is None:
        yield
        return
    import torch

    torch._dynamo.reset()
    # What earlier tests dropped takes its hooks away only when it is collected.
    gc.collect()
    before = _exchanged()
    yield
    torch._dynamo.reset()
    assert _exchanged() == before


def _exchanged() -> list[object]:
    """Everything that debug() puts something else in place of, and the hooks of capture."""
    from torch._dynamo import convert_frame, eval_frame

    from depyf.torch_capture import compat_debug

    setters = [getattr(eval_frame, name, None) for name in compat_debug.SETTERS_BY_NAME]
    asked = vars(compat_debug.compile_callback() or object).get("__call__")
    return [dict(convert_frame._bytecode_hooks), asked, *setters]
