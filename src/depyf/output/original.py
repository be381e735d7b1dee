"""The user's own function, as text that can stand in another file.

Its name changes, because the dispatcher has the user's name there. Decorators and defaults would
run on import: decorators become comments, defaults that are no constants become `...`.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from typing import Iterator, List, Optional

from .edits import Edit, edited
from .signature import FunctionNode, function_in, statements, with_globals
from .valid_python import as_comment, why_not_python

# Dynamo tells itself by this variable where a continuation begins; nobody else reads it.
_PROLOGUE = "__is_tracing_resume_prologue"


def original_text(source: str, name: str, not_here: str = "not_here") -> str:
    """The text of a function called `name` with the body that `source` has.

    `not_here` is what the file calls the function of that name.
    """
    source = _without_prologue(textwrap.dedent(source)).strip("\n")
    function = function_in(source)
    if function is None:
        return _lambda_text(source, name, not_here)
    lines = edited(source, _decorators(function) + _defaults(function)).split("\n")
    _rename(function, lines, name)
    text = with_globals("\n".join(lines))
    return text if why_not_python(text) is None else _stub(source, name, not_here)


def _without_prologue(source: str) -> str:
    lines = [_without_mark(line) if _PROLOGUE in line else line for line in source.split("\n")]
    shorter = "\n".join(line for line in lines if line is not None)
    return source if _PROLOGUE in shorter or function_in(shorter) is None else shorter


def _without_mark(line: str) -> Optional[str]:
    """An assignment without the mark. The end of the mark looks like one with what comes next:

    `name, __is_tracing_resume_prologue = ___stack0, False`.
    """
    text = line.strip()
    assignment = next(iter(statements(text)), None)
    if not isinstance(assignment, ast.Assign) or len(assignment.targets) != 1:
        return line
    targets, values = _items(assignment.targets[0]), _items(assignment.value)
    if len(targets) != len(values):
        return line
    kept = [pair for pair in zip(targets, values) if not _is_mark(*pair)]
    if not kept:
        return None
    left, right = (", ".join(_text_of(text, one) for one in side) for side in zip(*kept))
    # From 3.12 on, a value that the continuation drops is bound to the mark as well.
    shown = right if left == _PROLOGUE else f"{left} = {right}"
    return line[: len(line) - len(line.lstrip())] + shown


def _items(value: ast.expr) -> List[ast.expr]:
    return value.elts if isinstance(value, ast.Tuple) else [value]


def _is_mark(target: ast.expr, value: ast.expr) -> bool:
    is_flag = isinstance(value, ast.Constant) and isinstance(value.value, bool)
    return is_flag and isinstance(target, ast.Name) and target.id == _PROLOGUE


def _text_of(text: str, part: ast.expr) -> str:
    return ast.get_source_segment(text, part) or ""


def _rename(function: FunctionNode, lines: List[str], name: str) -> None:
    # `function.lineno` is the line of `def`, also below decorators.
    row = function.lineno - 1
    pattern = rf"(def\s+){re.escape(function.name)}\b"
    lines[row] = re.sub(pattern, rf"\g<1>{name}", lines[row], count=1)


def _decorators(function: FunctionNode) -> List[Edit]:
    if not function.decorator_list:
        return []
    first = min(one.lineno for one in function.decorator_list)
    return [(row, 0, 0, "# ") for row in range(first, function.lineno)]


def _defaults(function: FunctionNode) -> List[Edit]:
    values = [*function.args.defaults, *function.args.kw_defaults]
    computed = [one for one in values if one is not None and not _is_literal(one)]
    return [edit for value in computed for edit in _omitted(value)]


def _omitted(value: ast.expr) -> Iterator[Edit]:
    """The lines of a value stay lines, for the numbers of those below it."""
    last, end = value.end_lineno or value.lineno, value.end_col_offset
    for line in range(value.lineno, last + 1):
        first = line == value.lineno
        start, written = (value.col_offset, "...") if first else (0, "")
        yield line, start, end if line == last and end is not None else sys.maxsize, written


def _is_literal(value: ast.expr) -> bool:
    """Also -1 and (1, 2): nothing is called, or looked up, when they are evaluated."""
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def has_defaults(text: str) -> bool:
    """Whether the function in a text of `original_text` is there, and has default values."""
    function = function_in(text) or _lambda_in(text)
    return function is not None and any([*function.args.defaults, *function.args.kw_defaults])


def _lambda_in(text: str) -> Optional[ast.Lambda]:
    values = [one.value for one in statements(text) if isinstance(one, ast.Assign)]
    return next((one for one in values if isinstance(one, ast.Lambda)), None)


def _lambda_text(source: str, name: str, not_here: str) -> str:
    text = f"{name} = (\n{textwrap.indent(source, '    ')}\n)"
    if source.startswith("lambda") and why_not_python(text) is None:
        return text
    return _stub(source, name, not_here)


def _stub(source: str, name: str, not_here: str) -> str:
    """What cannot stand alone (a lambda inside a line, a text that is no Python) is quoted."""
    quoted = as_comment(source)
    return f'{quoted}\n{name} = {not_here}("the original of {name}: only its text is known")'
