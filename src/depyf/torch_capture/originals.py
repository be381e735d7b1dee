"""The text of the code that a compilation started from: the user's own lines where possible."""

from __future__ import annotations

import inspect
import textwrap
import types

from depyf.decompile.pipeline import decompile_code
from depyf.session.continuations import is_continuation
from depyf.session.model import CodeText


def original_text(code: types.CodeType) -> CodeText:
    """Dynamo makes resume functions of bytecode: those have no source. A lambda alone has none."""
    if code.co_name.isidentifier() and not is_continuation(code.co_name):
        try:
            lines = inspect.getsource(code)
            return CodeText(code.co_name, textwrap.dedent(lines), "exact", "", ["source"])
        except (OSError, TypeError, SyntaxError, IndexError):
            pass
    result = decompile_code(code)
    reasons = [part.reason for part in result.parts if part.reason]
    return CodeText(
        code.co_name, result.source, result.verdict, "; ".join(reasons), list(result.notes)
    )
