"""Constants of torch's that no literal writes, and an expression does."""

from __future__ import annotations

from typing import Dict, Mapping

import torch

# Types whose texts tell all there is, with what has to stand in front of them.
_TOLD_BY_TEXT = {
    torch.Size: "",
    torch.dtype: "",
    torch.device: "torch.",
    torch.layout: "",
    torch.memory_format: "",
}


def torch_expressions(constants: Mapping[str, object]) -> Dict[str, str]:
    """By the names that the decompiled text uses for them."""
    return {
        name: f"{_TOLD_BY_TEXT[type(value)]}{value!r}"
        for name, value in constants.items()
        if type(value) in _TOLD_BY_TEXT
    }
