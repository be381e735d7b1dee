"""What an expression of a guard leads to, as text for a person.

The value may be gone, its `__repr__` may fail, and of some objects a guard tells the id alone.
"""

from __future__ import annotations

import ast
from types import CodeType
from typing import Dict, Iterator, Union

LONGEST_VALUE = 200


def shown(expression: ast.expr, scope: Dict[str, object]) -> str:
    return short(value_of(expression, scope))


def shown_type(expression: ast.expr, scope: Dict[str, object]) -> str:
    return with_type(value_of(expression, scope))


def with_type(value: object) -> str:
    text = short(value)
    return text if isinstance(value, _Unknown) else f"{type(value)} ({text})"


def shown_type_at(source: str, scope: Dict[str, object]) -> str:
    return with_type(value_at(source, scope))


class _Unknown:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def __repr__(self) -> str:
        return f"nothing ({type(self._error).__name__}: {self._error})"


def value_of(expression: ast.expr, scope: Dict[str, object]) -> object:
    return _evaluated(compile(ast.Expression(expression), "<guard>", "eval"), scope)


def value_at(source: str, scope: Dict[str, object]) -> object:
    """The same for text out of a message of torch, which need not be an expression."""
    return _evaluated(source, scope)


def _evaluated(code: Union[CodeType, str], scope: Dict[str, object]) -> object:
    try:
        return eval(code, dict(scope))
    except Exception as error:  # the value may be gone altogether: that is what is wrong with it
        return _Unknown(error)


def short(value: object) -> str:
    try:
        text = repr(value)
    except Exception as error:  # a user's __repr__
        text = f"a {type(value).__name__} that cannot be shown ({error})"
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "..."


def ast_text(node: ast.expr) -> str:
    """The text of an expression; `ast.unparse` came with Python 3.9."""
    unparse = getattr(ast, "unparse", None)
    return str(unparse(node)) if unparse else ast.dump(node)


def with_id(expression: ast.expr, what: str, scope: Dict[str, object]) -> str:
    """Older torch shows a number alone. What has no other owner than Python can be found by it."""
    number = value_of(expression, scope)
    found = (each for each in (True, False, None, *_all_types()) if id(each) == number)
    return next(map(str, found), f"the {what} with id {number}")


def _all_types() -> Iterator[type]:
    """Every type is a subclass of another."""
    seen = {object}
    waiting = list(seen)
    while waiting:
        found = waiting.pop()
        yield found
        below = set(type.__subclasses__(found)) - seen
        seen |= below
        waiting += below
