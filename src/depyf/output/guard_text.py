"""One guard function: the conditions under which Dynamo uses an entry, as Python that runs."""

from __future__ import annotations

import ast
import os
import re
from dataclasses import replace
from typing import Iterator, List, Optional, Sequence, Tuple

from depyf.guard_checks import MARKS
from depyf.session.model import Frame, Guard, Location

from .valid_python import one_line, why_not_python
from .wrapping import wrapped_call

# Torch asks the same of every tensor, one attribute after the other: one line for all of them.
_HAS_NOT = re.compile(r"not hasattr\((.+), ('\w+')\)$")
_QUOTED_MARKS = {repr(mark) for mark in MARKS}
_LONGEST = 100
UNGUARDED = "torch checks nothing: a guard_filter_fn left all guards out"
_MAY_BIND_LOOSELY = re.compile(r"\b(?:if|or|lambda)\b|:=")
_LOOSER_THAN_AND = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)


def guard_function(name: str, frame: Frame, function: str, doubtful: bool) -> str:
    """The text of `name(L, G)`, which answers what Dynamo's own check answers.

    Where it is `doubtful` that every condition is Python, each of them is looked at.
    """
    guards = frame.guards
    lines = [
        f"@guard(__file__, {frame.transformed_file!r})",
        f"def {name}(L, G, **___kwargs_ignored):",
    ]
    if frame.unguarded:
        return "\n".join([*lines, f"    return True  # {UNGUARDED}"])
    if not guards:
        reason = f"the guards of this entry of {function} were gone when depyf came to read them"
        return "\n".join([*lines, f"    raise GuardUnavailable({reason!r})"])
    if doubtful:
        guards = [_that_compiles(guard) for guard in guards]
    return "\n".join([*lines, *_body(guards)])


def _body(guards: Sequence[Guard]) -> List[str]:
    lines = ["    return ("]
    for position, (condition, comment) in enumerate(_conditions(guards)):
        joined = f"{'and ' if position else ''}{condition}"
        lines += _placed(joined, comment)
    return [*lines, "    )"]


def _that_compiles(guard: Guard) -> Guard:
    broken = guard.python is not None and why_not_python(f"({guard.python}\n)") is not None
    return replace(guard, python=None) if broken else guard


def _placed(condition: str, comment: str) -> List[str]:
    """The comment beside a short condition, above a long one."""
    line = f"        {condition}"
    if len(line) + len(comment) + 4 <= _LONGEST:
        return [f"{line}  # {comment}" if comment else line]
    above = [f"        # {comment}"] if comment else []
    return above + wrapped_call(condition, "        ", _LONGEST)


def _conditions(guards: Sequence[Guard]) -> Iterator[Tuple[str, str]]:
    for value, group, names in _grouped(guards):
        if len(group) > 1:
            yield _absent(value, names), _comment(group[0], "")
        else:
            yield _condition(group[0])


def _absent(value: str, names: List[str]) -> str:
    if set(names) == _QUOTED_MARKS:
        return f"has_no_marks({value})"
    return f"has_none_of({value}, {', '.join(names)})"


def _grouped(guards: Sequence[Guard]) -> List[Tuple[str, List[Guard], List[str]]]:
    """Guards that ask for attributes of one value, with the value and the names; others alone."""
    groups: List[Tuple[str, List[Guard], List[str]]] = []
    for guard in guards:
        value, name = _absent_attribute(guard) or ("", "")
        if value and groups and groups[-1][0] == value and groups[-1][1][-1].cause == guard.cause:
            groups[-1][1].append(guard)
            groups[-1][2].append(name)
        else:
            groups.append((value, [guard], [name]))
    return groups


def _absent_attribute(guard: Guard) -> Optional[Tuple[str, str]]:
    match = _HAS_NOT.match(guard.python or "")
    return (match.group(1), match.group(2)) if match else None


def _condition(guard: Guard) -> Tuple[str, str]:
    python = guard.python
    if python is None:
        said = one_line(guard.text)
        return f"not_python({said!r}, L)", _comment(guard, "")
    quoted = one_line(guard.text) if re.search(r"\btorch_(says|checks)\(", python) else ""
    return _as_operand(python), _comment(guard, quoted)


def _as_operand(condition: str) -> str:
    """In parentheses, where `and` would take only a part of it. Few need to be looked at."""
    if not _MAY_BIND_LOOSELY.search(condition):
        return condition
    try:
        root = ast.parse(condition, mode="eval").body
    except SyntaxError:
        return f"({condition})"
    loose = not isinstance(root, ast.BoolOp) or isinstance(root.op, ast.Or)
    return f"({condition})" if isinstance(root, _LOOSER_THAN_AND) and loose else condition


def _comment(guard: Guard, quoted: str) -> str:
    parts = [_said(guard.cause) if guard.cause else "", f"torch: {quoted}" if quoted else ""]
    return "; ".join(part for part in parts if part)


def _said(place: Location) -> str:
    where = f"{os.path.basename(place.file)}:{place.line}"
    return f"{where}: {one_line(place.text)}" if place.text else where
