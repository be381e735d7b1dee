"""A guard that does not hold any more, told so that a person can act on it.

In: the text that torch has for the guard, and the values it was evaluated over. Out: the error,
with the guard, the line of the user's program it comes from, what was expected and what is there.
"""

from __future__ import annotations

import ast
import re
from typing import Dict, Iterator, NamedTuple, Optional, Tuple

from ..errors import DepyfError
from .guards import Failure, Guards, Values, texts

TOLD_BY_TORCH = re.compile(r"expected (.*?)(?:,? but got|,? actual|\. actual|$)[: ]*(.*)$", re.S)
TENSOR_NAME = re.compile(r"tensor '(.*?)' ")
FLAG = re.compile(r"expected (\w+)=\d")
# Torch 2.8 puts a hint between the guard and its comment, later ones behind it.
COMMENT = re.compile(r"\s+# |\s{2,}(?=\(HINT)")
PLACE = re.compile(r"(\S+:\d+) in \S+")
STATE = re.compile(r"GLOBAL_STATE changed: (\w+)")
WANTED_TYPE = re.compile(r"^\w+\((.*), \d+\), type=(.*)$", re.S)
WANTED_STATE = '"{}":([^,}}]*)'
LONGEST_VALUE = 200


class GuardViolation(DepyfError):
    """Unguarded code was called with values it was not compiled for.

    `call` number so-and-so of `function` broke `guard`, which comes from `line` of the program:
    `expected` is what it was compiled for, `actual` what it got.
    """

    def __init__(
        self, function: str, guard: str, line: str, expected: str, actual: str, call: int
    ) -> None:
        super().__init__(function, guard, line, expected, actual, call)
        self.function = function
        self.guard = guard
        self.line = line
        self.expected = expected
        self.actual = actual
        self.call = call

    def __str__(self) -> str:
        place = f" (from {self.line})" if self.line else " (torch keeps no line for it)"
        return (
            f"call {self.call} of the unguarded {self.function} breaks the guard "
            f"`{self.guard}`{place}: expected {self.expected}, got {self.actual}"
        )


class Told(NamedTuple):
    expected: str
    actual: str


def violation(
    function: str, guards: Guards, failure: Failure, values: Values, call: int
) -> GuardViolation:
    guard, comment = _without_comment(failure.text)
    scope = guards.scope(values)
    told = (
        _told_by_torch(guard, guards, scope)
        or _told_with_type(guard, scope)
        or _told_by_evaluation(guard, scope)
    )
    line = failure.line or _place(comment) or _line_of_tensor(guard, guards)
    return GuardViolation(function, guard, line, told.expected, told.actual, call)


def _without_comment(text: str) -> Tuple[str, str]:
    parts = COMMENT.split(text, maxsplit=1)
    return parts[0].strip(), parts[1] if len(parts) > 1 else ""


def _place(comment: str) -> str:
    found = PLACE.search(comment)
    return found.group(1) if found else ""


def _line_of_tensor(guard: str, guards: Guards) -> str:
    """Torch explains a tensor without its line, but the guard it explains has one."""
    name = TENSOR_NAME.search(guard)
    if name is None:
        return ""
    wanted = f"check_tensor({_with_prefix(name.group(1))},"
    for text in texts(guards):
        if wanted in text or f"check_tensor({name.group(1)}," in text:
            return _place(_without_comment(text)[1])
    return ""


def _with_prefix(name: str) -> str:
    return name if name.startswith(("L[", "G[")) else f"L['{name}']"


def _told_by_torch(guard: str, guards: Guards, scope: Dict[str, object]) -> Optional[Told]:
    state = STATE.search(guard)
    if state is not None:
        return _state(state.group(1), guards)
    found = TOLD_BY_TORCH.search(guard)
    if found is None or "mismatch" not in guard:
        return None
    actual = found.group(2).strip() or _flag_of_tensor(guard, scope)
    return Told(found.group(1).strip(), actual)


def _flag_of_tensor(guard: str, scope: Dict[str, object]) -> str:
    """`tensor 'x' requires_grad mismatch. expected requires_grad=0` leaves out what it is."""
    name, flag = TENSOR_NAME.search(guard), FLAG.search(guard)
    if name is None or flag is None:
        return "something else"
    tensor = ast.parse(_with_prefix(name.group(1)), mode="eval").body
    return f"{flag.group(1)}={int(bool(getattr(_value(tensor, scope), flag.group(1), 0)))}"


def _state(name: str, guards: Guards) -> Told:
    wanted = next((text for text in texts(guards) if "___check_global_state" in text), "")
    value = re.search(WANTED_STATE.format(name), wanted)
    expected = f"{name}={value.group(1)}" if value else f"the {name} of the compilation"
    other = {"true": "false", "false": "true"}.get(value.group(1) if value else "")
    return Told(expected, f"{name}={other}" if other else f"another {name}")


def _told_with_type(guard: str, scope: Dict[str, object]) -> Optional[Told]:
    """`___check_type_id(value, number), type=<class 'list'>`: newer torch shows what it wants."""
    found = WANTED_TYPE.search(guard)
    if found is None:
        return None
    value = _value(ast.parse(found.group(1), mode="eval").body, scope)
    if "obj_id" in guard.split("(")[0]:
        return Told(f"the very {found.group(2)} of the compilation", _short(value))
    return Told(found.group(2), f"{type(value)} ({_short(value)})")


def _told_by_evaluation(guard: str, scope: Dict[str, object]) -> Told:
    """Most guards are Python: what is compared can be evaluated, and shown."""
    try:
        condition = ast.parse(guard, mode="eval").body
    except SyntaxError:
        return Told("that it holds", "that it does not")
    if isinstance(condition, ast.Tuple):
        condition = condition.elts[0]
    for rule in (_compared, _called, _negated):
        for told in rule(condition, scope):
            return told
    return Told(f"{ast_text(condition)} to be true", "false")


def _compared(condition: ast.expr, scope: Dict[str, object]) -> Iterator[Told]:
    if isinstance(condition, ast.Compare) and len(condition.ops) == 1:
        left, right = condition.left, condition.comparators[0]
        yield Told(_shown(right, scope), _shown(left, scope))


def _called(condition: ast.expr, scope: Dict[str, object]) -> Iterator[Told]:
    """`___check_type_id(value, number)` and `___check_obj_id(value, number)`."""
    if not (isinstance(condition, ast.Call) and isinstance(condition.func, ast.Name)):
        return
    name = condition.func.id
    if "type_id" in name:
        yield Told(
            f"the type with id {ast_text(condition.args[1])}", _shown_type(condition.args[0], scope)
        )
    elif "obj_id" in name:
        yield Told(
            f"the object with id {ast_text(condition.args[1])}", _shown(condition.args[0], scope)
        )


def _negated(condition: ast.expr, scope: Dict[str, object]) -> Iterator[Told]:
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        yield Told(f"{ast_text(condition.operand)} to be false", "true")


def _shown(expression: ast.expr, scope: Dict[str, object]) -> str:
    return _short(_value(expression, scope))


def _shown_type(expression: ast.expr, scope: Dict[str, object]) -> str:
    value = _value(expression, scope)
    return f"{type(value)} ({_short(value)})"


class _Unknown:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def __repr__(self) -> str:
        return f"nothing ({type(self._error).__name__}: {self._error})"


def _value(expression: ast.expr, scope: Dict[str, object]) -> object:
    code = compile(ast.Expression(expression), "<guard>", "eval")
    try:
        return eval(code, dict(scope))
    except Exception as error:  # the value may be gone altogether: that is what is wrong with it
        return _Unknown(error)


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception as error:  # a user's __repr__
        text = f"a {type(value).__name__} that cannot be shown ({error})"
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "..."


def ast_text(node: ast.expr) -> str:
    """The text of an expression; `ast.unparse` came with Python 3.9."""
    unparse = getattr(ast, "unparse", None)
    return str(unparse(node)) if unparse else ast.dump(node)
