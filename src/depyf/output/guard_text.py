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
_LONGEST = 100


def guard_function(name: str, frame: Frame, function: str) -> str:
    """The text of `name(L, G)`, which answers what Dynamo's own check answers."""
    guards = frame.guards
    lines = [
        f"@guard(__file__, {frame.transformed_file!r})",
        f"def {name}(L, G, **___kwargs_ignored):",
    ]
    if not guards:
        reason = f"torch did not give the guards of this entry of {function}"
        return "\n".join([*lines, f"    raise GuardUnavailable({reason!r})"])
    text = "\n".join([*lines, *_body(guards)])
    if why_not_python(text) is None:
        return text
    return "\n".join([*lines, *_body([_that_compiles(guard) for guard in guards])])


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
    for group in _grouped(guards):
        attributes = [_absent_attribute(guard) for guard in group]
        known = [one for one in attributes if one is not None]
        if len(group) > 1:
            yield _absent(known[0][0], [name for _, name in known]), _comment(group[0], "")
        else:
            yield _condition(group[0])


def _absent(value: str, names: List[str]) -> str:
    if {ast.literal_eval(name) for name in names} == set(MARKS):
        return f"has_no_marks({value})"
    return f"has_none_of({value}, {', '.join(names)})"


def _grouped(guards: Sequence[Guard]) -> List[List[Guard]]:
    groups: List[List[Guard]] = []
    for guard in guards:
        here = _absent_attribute(guard)
        last = _absent_attribute(groups[-1][-1]) if groups else None
        if here and last and here[0] == last[0] and guard.cause == groups[-1][-1].cause:
            groups[-1].append(guard)
        else:
            groups.append([guard])
    return groups


def _absent_attribute(guard: Guard) -> Optional[Tuple[str, str]]:
    match = _HAS_NOT.match(guard.python or "")
    return (match.group(1), match.group(2)) if match else None


def _condition(guard: Guard) -> Tuple[str, str]:
    python = guard.python
    if python is None:
        said = one_line(guard.text)
        return f"not_python({said!r})", _comment(guard, "")
    quoted = one_line(guard.text) if re.search(r"\btorch_(says|checks)\(", python) else ""
    return python, _comment(guard, quoted)


def _comment(guard: Guard, quoted: str) -> str:
    parts = [_said(guard.cause) if guard.cause else "", f"torch: {quoted}" if quoted else ""]
    return "; ".join(part for part in parts if part)


def _said(place: Location) -> str:
    where = f"{os.path.basename(place.file)}:{place.line}"
    return f"{where}: {one_line(place.text)}" if place.text else where
