"""Text that is the same in every run: no memory addresses, no random suffixes, no cache folders.

One function does it for every text that torch or the user's objects produced.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Dict, List, Pattern, Tuple

_HEX = "[0-9a-f]"
RULES: List[Tuple[Pattern[str], str]] = [
    # __compiled_fn_1_be35abb5_4fd8_45a4_bad2_a88f853de746, and the same with dashes
    (
        re.compile(
            rf"(__compiled_fn_\d+|__resume_at_\d+_\d+)_{_HEX}{{8}}[-_](?:{_HEX}{{4}}[-_]){{3}}{_HEX}{{12}}"
        ),
        r"\1",
    ),
    # <built-in method _view_func_unsafe of Tensor object at 0x7f151adab6b0>
    (re.compile(r" at 0x[0-9a-fA-F]+(?=\W|$)"), ""),
    # Any other address. Nine digits and more: a constant of 32 bits in a kernel is none.
    (re.compile(r"\b0x[0-9a-fA-F]{9,12}(?![0-9a-zA-Z])"), "<address>"),
    # Modules that torch.fx makes up, numbered through the life of the process.
    (re.compile(r"<eval_with_key>\.\d+"), "<eval_with_key>"),
]


# Nothing to do in a text without any of these: most of the thousands of texts in a session.
_MARKS = ("0x", "__compiled_fn_", "__resume_at_", "<eval_with_key>")


def clean(text: str) -> str:
    for mark in _MARKS:
        if mark in text:
            break
    else:
        return text
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return text


_KNOWN_PARTS: Dict[type, List[str]] = {}


def _parts(kind: type) -> List[str]:
    known = _KNOWN_PARTS.get(kind)
    if known is None:
        left_alone = ("varies", "exact")
        parts = dataclasses.fields(kind)
        known = [one.name for one in parts if not any(map(one.metadata.get, left_alone))]
        _KNOWN_PARTS[kind] = known
    return known


def clean_fields(value: object) -> None:
    """Clean every text inside a tree of dataclasses, in place."""
    for name in _parts(type(value)):
        held = getattr(value, name)
        if isinstance(held, str):
            cleaned = clean(held)
            if cleaned is not held:
                setattr(value, name, cleaned)
        elif held is not None:
            _clean_inside(held)


def _clean_inside(held: object) -> None:
    if dataclasses.is_dataclass(held):
        clean_fields(held)
    elif isinstance(held, list):
        for index, item in enumerate(held):
            if isinstance(item, str):
                held[index] = clean(item)
            else:
                _clean_inside(item)
    elif isinstance(held, dict):
        for key, item in held.items():
            held[key] = clean(item) if isinstance(item, str) else item
