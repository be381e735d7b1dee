"""Constants that no literal writes, and an expression does: most of them are torch's."""

from __future__ import annotations

from typing import Dict, Mapping, Optional

import torch

# Types whose texts tell all there is, with what has to stand in front of them.
_TOLD_BY_TEXT = {
    torch.Size: "",
    torch.dtype: "",
    torch.device: "torch.",
    torch.layout: "",
    torch.memory_format: "",
    str: "",
    bytes: "",
    int: "",
    bool: "",
    type(None): "",
}


def torch_expressions(constants: Mapping[str, object]) -> Dict[str, str]:
    """By the names that the decompiled text uses for them."""
    found = {name: _expression(value) for name, value in constants.items()}
    return {name: text for name, text in found.items() if text is not None}


def _expression(value: object) -> Optional[str]:
    if type(value) in _TOLD_BY_TEXT:
        return f"{_TOLD_BY_TEXT[type(value)]}{value!r}"
    if type(value) not in (frozenset, tuple):
        return None
    items = [_expression(item) for item in value]  # type: ignore[attr-defined]
    if None in items:
        return None
    if type(value) is frozenset:
        # In an order that does not depend on the hashes of a run.
        return f"frozenset(({''.join(f'{item}, ' for item in sorted(map(str, items)))}))"
    return f"({''.join(f'{item}, ' for item in items)})"
