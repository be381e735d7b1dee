"""A frame that torch.compile rewrote, as a person would write it, and code compiled from that text.

In comes the code object that Dynamo made; out go the text of a function, how far it is proven, and
a code object that runs that very text in place of Dynamo's, or None where it is not proven.
"""

from __future__ import annotations

import types
from typing import Optional

from depyf.errors import DecompilationError

from .pipeline import decompile_code
from .recompile import Recompiler
from .result import UNVERIFIED, Decompilation


class FrameText:
    """`running` may take the place of the original; `result` is its text with notes and lines."""

    __slots__ = ("result", "running", "why_not")

    def __init__(
        self, result: Decompilation, running: Optional[types.CodeType], why_not: str
    ) -> None:
        self.result = result
        self.running = running
        self.why_not = why_not


def decompile_frame(code: types.CodeType, name: str, filename: str) -> FrameText:
    """The text of `code` as a function called `name`, compiled as if it were read from `filename`."""
    result = decompile_code(code, name=name)
    if result.verdict == UNVERIFIED:
        reasons = [part.reason for part in result.parts if part.verdict == UNVERIFIED]
        return FrameText(result, None, "; ".join(reasons))
    recompiler = Recompiler(code, name, result, filename)
    try:
        made = recompiler.compile((code.co_freevars, code.co_cellvars))
        recompiler.prove(made)
    except DecompilationError as error:
        return FrameText(result, None, error.why or str(error))
    if (made.co_freevars, made.co_cellvars) != (code.co_freevars, code.co_cellvars):
        return FrameText(result, None, "its free variables or cells come in another order")
    return FrameText(result, made, "")
