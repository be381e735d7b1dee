"""The code that torch runs, with the lines of a file of ours: same instructions, other lines.

What a debugger, a traceback and `inspect` know of a place in the code is a file name and a table of
lines. Only these two are replaced, and only where the text is shown to be the text of that code.
"""

from __future__ import annotations

import ast
import sys
import types
from typing import Iterator, List, Optional, Tuple

from depyf.session.clean import clean

from .line_table import with_mapped_lines
from .same_statements import Function, line_map, place_like

_LINE_TABLE = "co_linetable" if sys.version_info >= (3, 10) else "co_lnotab"
# All that decides what a code object does; flags of `from __future__` change nothing in it.
_MEANING = (
    "co_code co_names co_varnames co_freevars co_cellvars co_argcount co_kwonlyargcount "
    "co_posonlyargcount co_name"
).split()


def functions_in(text: str) -> List[Function]:
    """Every function of a file, in classes too; none where it is no Python."""
    tree = _parsed(text)
    return [] if tree is None else [one for one in ast.walk(tree) if isinstance(one, Function)]


def with_lines_of(
    running: types.CodeType, running_text: str, ours: Function, path: str
) -> Optional[types.CodeType]:
    """`running`, told to come from the function `ours` in `path`; None where that is another one.

    Its own text is compiled once more with the positions that the same statements have in ours.
    That must give the very instructions that run; then the new table of lines is theirs as well.
    From 3.12 on lines decide which instructions are joined: there lines are put into the table.
    """
    tree = _parsed(running_text)
    definitions = [one for one in tree.body if isinstance(one, Function)] if tree else []
    for definition in definitions:
        if tree is None or definition.name != running.co_name:
            continue
        own_text = _compiled_like(running, tree, path)
        lines = line_map(definition, ours)
        if own_text is None or not place_like(definition, ours):
            continue
        code = _compiled_like(running, tree, path)
        if code is not None:
            return _retold(running, code)
        return with_mapped_lines(running, path, ours.lineno, lines)
    return None


def _compiled_like(
    running: types.CodeType, tree: ast.Module, path: str
) -> Optional[types.CodeType]:
    codes = _nested(compile(tree, path, "exec", dont_inherit=True))
    return next((code for code in codes if _same(code, running)), None)


def _retold(running: types.CodeType, code: types.CodeType) -> types.CodeType:
    table = {_LINE_TABLE: getattr(code, _LINE_TABLE)}
    return running.replace(
        co_filename=code.co_filename, co_firstlineno=code.co_firstlineno, **table
    )


def _parsed(text: str) -> Optional[ast.Module]:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _nested(part)


def _same(one: types.CodeType, other: types.CodeType) -> bool:
    if any(getattr(one, name) != getattr(other, name) for name in _MEANING):
        return False
    if getattr(one, "co_exceptiontable", b"") != getattr(other, "co_exceptiontable", b""):
        return False
    return _spelt(one.co_consts) == _spelt(other.co_consts)


def _spelt(value: object) -> Tuple[object, ...]:
    """0.0 is equal to -0.0 and 1 to True, but not the same: type and spelling decide."""
    if isinstance(value, types.CodeType):
        return (value.co_code, value.co_names, _spelt(value.co_consts))
    if isinstance(value, tuple):
        return (tuple, *(_spelt(one) for one in value))
    return (type(value), repr(value))


def moved(code: types.CodeType, path: str, by: int) -> types.CodeType:
    """The code and all code in it, as if its text stood `by` lines further down in `path`."""
    consts = tuple(
        moved(part, path, by) if isinstance(part, types.CodeType) else part
        for part in code.co_consts
    )
    return code.replace(co_filename=path, co_firstlineno=code.co_firstlineno + by, co_consts=consts)


def lines_above(text: str, running_text: str, cache_folder: str) -> Optional[int]:
    """How many lines our file has above the text that runs; None if it is another text.

    Ours names the cache folder by its variable and has no addresses; the lines are the same.
    """
    if cache_folder:
        running_text = running_text.replace(cache_folder, "$TORCHINDUCTOR_CACHE_DIR")
    ours, theirs = text.rstrip().split("\n"), clean(running_text).rstrip().split("\n")
    blank = next((place for place, line in enumerate(theirs) if line.strip()), 0)
    above = len(ours) - len(theirs)
    if above + blank < 0 or ours[above + blank :] != theirs[blank:]:
        return None
    return above
