"""The text of the code that a compilation started from: the user's own lines where possible."""

from __future__ import annotations

import inspect
import io
import re
import textwrap
import tokenize
import types
from typing import Iterator

from depyf.decompile.pipeline import decompile_code
from depyf.session.continuations import is_continuation
from depyf.session.model import CodeText


def original_text(code: types.CodeType) -> CodeText:
    """Dynamo makes resume functions of bytecode: those have no source. A lambda alone has none."""
    if code.co_name.isidentifier() and not is_continuation(code.co_name):
        try:
            lines = textwrap.dedent(inspect.getsource(code))
            return CodeText(code.co_name, _outside_its_class(lines, code), "exact", "", ["source"])
        except (OSError, TypeError, SyntaxError, IndexError, tokenize.TokenError):
            pass
    result = decompile_code(code)
    reasons = [part.reason for part in result.parts if part.reason]
    return CodeText(
        code.co_name, result.source, result.verdict, "; ".join(reasons), list(result.notes)
    )


# What Python makes of `__k` in a class called `P`; of `__k__` it makes nothing.
_PRIVATE = re.compile(r"_[^\W_]\w*?(__\w*?[^\W_]_?)")


def _outside_its_class(source: str, code: types.CodeType) -> str:
    """The text with its private names as they are called elsewhere: `s.__k` is `s._P__k`."""
    private = {match[1]: match[0] for match in map(_PRIVATE.fullmatch, _names(code)) if match}
    if not any(name in source for name in private):
        return source
    lines = source.split("\n")
    for kind, text, (row, start), (_, end), _ in reversed(list(_tokens(source))):
        if kind == tokenize.NAME and text in private:
            line = lines[row - 1]
            lines[row - 1] = line[:start] + private[text] + line[end:]
    return "\n".join(lines)


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(source).readline)


def _names(code: types.CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_varnames, *code.co_cellvars, *code.co_freevars)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
