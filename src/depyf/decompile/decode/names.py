"""Which names of bytecode can be written as they are, and what stands for the others."""

from __future__ import annotations

import functools
import keyword


@functools.lru_cache(maxsize=10_000)
def is_name(text: str) -> bool:
    """Whether something can be called this in source."""
    if not text.isidentifier() or keyword.iskeyword(text) or text == "__debug__":
        return False
    # The compiler takes a name for its normal form.
    return text.isascii() or text == _normal(text)


def _normal(text: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFKC", text)


def spellable(raw: str) -> str:
    """The normal form, with `_` for what no name may hold."""
    return "".join(char if f"_{char}".isidentifier() else "_" for char in _normal(raw))


def nearest_name(raw: str) -> str:
    """A name that looks like one that is none, not one that a class would take for its own."""
    text = spellable(raw)
    if text == _normal(raw):
        # Written so, it would mean something else, maybe a builtin or another attribute.
        text += "_"
    if not is_name(text):
        text = f"_{text}"
    return text if text.endswith("__") or text[:2] != "__" else "_" + text.lstrip("_")
