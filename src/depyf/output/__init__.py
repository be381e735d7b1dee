"""A session as files: every text is made here, one writer puts them on the disk."""

from __future__ import annotations

from .render import render
from .transformed import transformed_text
from .writer import write

__all__ = ["render", "transformed_text", "write"]
