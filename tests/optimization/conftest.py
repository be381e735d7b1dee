"""Every test starts and ends with a torch that has compiled nothing."""

from __future__ import annotations

import gc
import sys

import pytest

CHANGING_MODULES = "guard_nn_modules"


@pytest.fixture(autouse=True)
def fresh_torch(monkeypatch):
    monkeypatch.delenv("DEPYF_CHECK_EVERY", raising=False)
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    import torch._dynamo

    config = torch._dynamo.config
    # Torch 2.2 trusts modules not to change, unless told otherwise.
    before = getattr(config, CHANGING_MODULES, None)
    if before is not None:
        setattr(config, CHANGING_MODULES, True)
    torch._dynamo.reset()
    gc.collect()
    yield
    if before is not None:
        setattr(config, CHANGING_MODULES, before)
    torch.set_grad_enabled(True)
    torch._dynamo.reset()
