"""The exceptions depyf raises for its users: one base class and few subclasses.

Each says in one sentence what could not be done, where, and why.
"""

from __future__ import annotations


class DepyfError(Exception):
    """Base of every error that depyf raises on purpose."""


class DecompilationError(DepyfError, ValueError):
    """A code object that cannot be decoded or turned into source.

    `what` could not be done, `where` (the name of the code object, an offset, a file), and `why`.
    """

    def __init__(self, what: str, where: str = "", why: str = "") -> None:
        super().__init__(what, where, why)
        self.what = what
        self.where = where
        self.why = why

    def __str__(self) -> str:
        place = f" in {self.where}" if self.where else ""
        reason = f": {self.why}" if self.why else ""
        return f"{self.what}{place}{reason}"
