"""Guards of torch 2.2 to 2.5, which keep them as Python text around a closure.

There is no tree: the check is one function made from `code_parts`, each an expression over `L`,
`G` and names of the closure. A part that uses only names with one meaning stays as it is; any
other is evaluated by the closure itself, through `torch_says`.
"""

from __future__ import annotations

import ast
import weakref
from typing import Dict, List, Optional

from depyf import guard_checks
from depyf.session.clean import clean_condition
from depyf.session.model import Guard

from . import compat
from .guard_lines import take_apart

_NAMES = frozenset(
    "L G torch math True False None abs all any bool dict float frozenset getattr hasattr int "
    "isinstance len list max min set str tuple type".split()
)


def read_parts(entry: object) -> List[Guard]:
    check = _check(entry)
    file = getattr(getattr(entry, "code", None), "co_filename", "")
    guards: List[Guard] = []
    for number, part in enumerate(_texts(check)):
        code, cause = take_apart(part, file)
        text = clean_condition(code)
        python = (
            f"({code})" if text == code and _is_plain(code) else f"torch_says({number}, (L, G))"
        )
        guards.append(Guard("CODE", text, "", python, cause))
    return guards


def _check(entry: object) -> object:
    return getattr(entry, "check_fn", None) or getattr(entry, "guard_manager", None)


def _texts(check: object) -> List[str]:
    """The parts with comments where they are as many as those without, which are evaluated."""
    parts = list(getattr(check, "code_parts", None) or [])
    verbose = list(getattr(check, "verbose_code_parts", None) or [])
    return verbose if len(verbose) == len(parts) else parts


def _is_plain(code: str) -> bool:
    try:
        tree = ast.parse(code, mode="eval")
    except (SyntaxError, ValueError):
        return False
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return bool(names & {"L", "G"}) and names <= _NAMES


def asker(entry: object) -> guard_checks.Ask:
    check = _check(entry)
    try:
        alive = weakref.ref(check)
    except TypeError:
        return lambda number, value: None

    def ask(number: int, value: object) -> Optional[bool]:
        now = alive()
        if now is None or not isinstance(value, tuple):
            return None
        return _evaluate(now, number, value)

    return ask


def _evaluate(check: object, number: int, scopes: tuple[Dict[str, object], ...]) -> bool:
    parts: List[str] = list(getattr(check, "code_parts", None) or [])
    names: Dict[str, object] = dict(getattr(check, "closure_vars", None) or {})
    names.update(getattr(check, "global_scope", None) or {})
    names["L"] = scopes[0]
    names.setdefault("G", scopes[1])
    with compat.any_backend():
        return bool(eval(parts[number], names))
