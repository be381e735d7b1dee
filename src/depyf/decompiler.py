"""The decompiler under the import path that its users know: `from depyf.decompiler import ...`."""

from __future__ import annotations

from .decompile.api import Decompiler, decompile
from .errors import DecompilationError

__all__ = ["DecompilationError", "Decompiler", "decompile"]
