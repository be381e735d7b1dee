"""Dynamo looks at the functions that the program calls; ours are not among them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

torch = pytest.importorskip("torch")

import depyf  # noqa: E402
from depyf.torch_capture import unseen  # noqa: E402

OURS = os.path.dirname(depyf.__file__) + os.sep


def with_hooks() -> None:
    """The code of a continuation dies while compiled code runs, and a weak reference tells us."""
    log = []
    layers = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
    layers[0].register_forward_hook(lambda m, i, o: (log.append(o.sum().item()), o * 2)[1])
    layers.register_forward_pre_hook(lambda m, i: (i[0] + 1,))
    given = torch.ones(2, 3, requires_grad=True)
    torch.compile(layers, backend="aot_eager")(given).sum().backward()


def with_compiled_autograd() -> None:
    layer = torch.nn.Linear(2, 2)

    def step(x: Any) -> Any:
        loss = layer(x).sum()
        loss.backward()
        return loss

    with torch._dynamo.config.patch(compiled_autograd=True):
        torch.compile(step, backend="aot_eager")(torch.ones(1, 2))


def test_every_loaded_module_of_ours_is_hidden(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        loaded = {name for name in sys.modules if name.startswith(unseen._CALLED)}
        assert loaded == unseen._hidden


@pytest.mark.parametrize("program", [with_hooks, with_compiled_autograd])
def test_dynamo_does_not_look_at_our_functions(
    program: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if program is with_compiled_autograd and not hasattr(torch._dynamo.config, "compiled_autograd"):
        pytest.skip("this torch has no such switch")
    from torch._dynamo import convert_frame

    if not hasattr(convert_frame, "ConvertFrame"):
        pytest.skip("nothing to listen at in this torch")
    looked_at = []
    convert = convert_frame.ConvertFrame.__call__

    def noting(self: Any, frame: Any, *rest: Any, **more: Any) -> Any:
        looked_at.append(frame.f_code.co_filename)
        return convert(self, frame, *rest, **more)

    monkeypatch.setattr(convert_frame.ConvertFrame, "__call__", noting)
    torch._dynamo.reset()
    with depyf.prepare_debug(tmp_path):
        program()
    assert looked_at
    assert [file for file in looked_at if file.startswith(OURS)] == []
