"""A guard that does not hold any more, told so that a person can act on it.

In: the text that torch has for the guard, and the values it was evaluated over. Out: the error,
with the guard, the line of the user's program it comes from, what was expected and what is there.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from ..errors import DepyfError
from .dynamo import is_shortened
from .guards import Failure, Guards, Values, texts
from .shown import (
    ast_text,
    short,
    shown,
    shown_type,
    shown_type_at,
    value_at,
    value_of,
    with_id,
    with_type,
)
from .state import CHECK, changes, unnamed_change

TOLD_BY_TORCH = re.compile(r"expected (.*?)(?:,? but got|,? actual|\. actual|$)[: ]*(.*)$", re.S)
FLAG = re.compile(r"expected (\w+)=([01])")
# Torch 2.8 puts a hint between the guard and its comment, later ones behind it.
COMMENT = re.compile(r"\s+# |\s{2,}(?=\(HINT)")
PLACE = re.compile(r"(?:^|# )([^#]+?):(\d+) in \S+")
# What no line of the user's is behind, such as the bounds of sizes, comes from this line of torch.
NO_PROGRAM = "_dynamo/output_graph.py"
STATE = re.compile(r"GLOBAL_STATE changed: (.+)")
# What torch says when it does not even get to the value that its guards are about.
OUT_OF_REACH = re.compile(r"^(?:getattr failed on source|KeyError on|IndexError on) (.+)$")
# Not the guard, but what is true instead of it.
OTHER_SIZE = re.compile(r"^(len\(.+\)) != (\d+)$")
NO_TENSOR = re.compile(r"expected type of '?(\S+?)'? to be (.+?), ?'? ?but found ")
WANTED_TENSOR = "check_tensor({}, "
SUBJECT = re.compile(
    r"tensor '(.*?)' |type of '?(\S+?)'? to be |len\((.+)\) == |check_no_aliasing\((.+?), "
)
ALIASING = "Duplicate tensor"
NO_ALIASING = "check_no_aliasing("
VARIABLES = re.compile(r"\b[LG]\[")
WANTED_TYPE = re.compile(r"^\w+\((.*), \d+\), type=(.*)$", re.S)
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


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
    listed = texts(guards)
    guard, comment = _without_comment(_as_listed(failure.text, listed))
    scope = guards.scope(values)
    told = (
        _told_by_torch(guard, scope)
        or _told_of_no_tensor(guard, listed, scope)
        or _told_of_aliasing(guard, scope)
        or _told_with_type(guard, scope)
        or _told_by_evaluation(guard, scope)
    )
    line = failure.line or _place(comment) or _line_about(guard, listed)
    return GuardViolation(function, guard, line, told.expected, told.actual, call)


def _as_listed(text: str, listed: List[str]) -> str:
    """The guard itself, where torch tells what it found instead."""
    out_of_reach = OUT_OF_REACH.match(text)
    if out_of_reach is not None:
        return _about(out_of_reach.group(1), listed) or text
    if text.startswith(ALIASING):
        return next((each for each in listed if each.startswith(NO_ALIASING)), text)
    return OTHER_SIZE.sub(r"\1 == \2", text)


def _about(source: str, listed: List[str]) -> str:
    """The first guard on a value, or on what is in it."""
    return next((text for text in listed if source in _without_comment(text)[0]), "")


def _without_comment(text: str) -> Tuple[str, str]:
    parts = COMMENT.split(text, maxsplit=1)
    return parts[0].strip(), parts[1] if len(parts) > 1 else ""


def _place(comment: str) -> str:
    found = PLACE.search(comment)
    if found is None or found.group(1).endswith(NO_PROGRAM):
        return ""
    return f"{_whole_path(found.group(1))}:{found.group(2)}"


def _whole_path(shortened: str) -> str:
    """Torch leaves out what a path has in common with its own. It has read the file's lines."""
    loaded = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    known = [*(file for file in loaded if file), *linecache.cache]
    return next((file for file in known if is_shortened(file, shortened)), shortened)


def _line_about(guard: str, listed: List[str]) -> str:
    """Torch explains some failures without a line, but the guards on the same value have one."""
    subject = SUBJECT.search(guard)
    if subject is None:
        return ""
    source = _with_prefix(next(name for name in subject.groups() if name))
    about = (text for text in listed if source in _without_comment(text)[0])
    places = (_place(_without_comment(text)[1]) for text in about)
    return next((place for place in places if place), "")


def _with_prefix(name: str) -> str:
    """As torch writes it today. Older torch leaves out that a plain name is a local variable."""
    return name if VARIABLES.search(name) else f"L['{name}']"


def _told_by_torch(guard: str, scope: Dict[str, object]) -> Optional[Told]:
    state = STATE.search(guard)
    if state is not None:
        return Told(*changes(state.group(1).split(), scope))
    if guard.startswith(CHECK):
        return Told(*unnamed_change(scope))
    found = TOLD_BY_TORCH.search(guard)
    if found is None or "mismatch" not in guard:
        return None
    actual = found.group(2).split(". Guard failed on")[0].strip() or _other_flag(guard)
    return Told(found.group(1).strip(), actual)


def _told_of_no_tensor(guard: str, listed: List[str], scope: Dict[str, object]) -> Optional[Told]:
    found = NO_TENSOR.search(guard)
    if found is None:
        return None
    source = _with_prefix(found.group(1))
    start = WANTED_TENSOR.format(source)
    wanted = next((text[len(start) :] for text in listed if text.startswith(start)), "tensor")
    expected = found.group(2) if "<class" in found.group(2) else f"a {wanted.split(',')[0]}"
    return Told(expected, shown_type_at(source, scope))


def _told_of_aliasing(guard: str, scope: Dict[str, object]) -> Optional[Told]:
    if not guard.startswith((ALIASING, NO_ALIASING)):
        return None
    return Told("different tensors", _same_tensors(guard, scope))


def _same_tensors(guard: str, scope: Dict[str, object]) -> str:
    """Which of the arguments of `check_no_aliasing(...)` are one and the same."""
    names: Dict[int, List[str]] = {}
    if guard.startswith(NO_ALIASING):
        condition = ast.parse(guard, mode="eval").body
        assert isinstance(condition, ast.Call)
        for argument in condition.args:
            names.setdefault(id(value_of(argument, scope)), []).append(ast_text(argument))
    same = [" and ".join(alike) for alike in names.values() if len(alike) > 1]
    return f"one as {'; '.join(same)}" if same else "one of them twice"


def _other_flag(guard: str) -> str:
    """`tensor 'x' requires_grad mismatch. expected requires_grad=0` leaves out what it is."""
    flag = FLAG.search(guard)
    if flag is None:
        return "something else"
    return f"{flag.group(1)}={1 - int(flag.group(2))}"


def _told_with_type(guard: str, scope: Dict[str, object]) -> Optional[Told]:
    """`___check_type_id(value, number), type=<class 'list'>`: newer torch shows what it wants."""
    found = WANTED_TYPE.search(guard)
    if found is None:
        return None
    value = value_at(found.group(1), scope)
    if "obj_id" in guard.split("(")[0]:
        return Told(f"the very {found.group(2)} of the compilation", short(value))
    return Told(found.group(2), with_type(value))


def _told_by_evaluation(guard: str, scope: Dict[str, object]) -> Told:
    """Most guards are Python: what is compared can be evaluated, and shown."""
    try:
        condition = ast.parse(guard, mode="eval").body
    except SyntaxError:
        return Told("that it holds", "that it does not")
    if isinstance(condition, ast.Tuple):
        condition = condition.elts[0]
    if isinstance(condition, ast.Compare) and any(isinstance(op, ORDERS) for op in condition.ops):
        wanted = ast.get_source_segment(guard, condition)
        return Told(wanted or guard, _asked(condition, scope))
    for rule in (_compared, _called, _negated):
        for told in rule(condition, scope):
            return told
    return Told(f"{ast_text(condition)} to be true", "false")


def _compared(condition: ast.expr, scope: Dict[str, object]) -> Iterator[Told]:
    if isinstance(condition, ast.Compare) and len(condition.ops) == 1:
        left, right = condition.left, condition.comparators[0]
        if isinstance(condition.ops[0], ast.Is) and not isinstance(right, ast.Constant):
            yield Told("one and the same object", "two objects")
        yield Told(shown(right, scope), shown(left, scope))


def _asked(condition: ast.Compare, scope: Dict[str, object]) -> str:
    """What stands between the bounds of `2 <= n <= 9`."""
    sides = [condition.left, *condition.comparators]
    return ", ".join([shown(each, scope) for each in sides if not isinstance(each, ast.Constant)])


def _called(condition: ast.expr, scope: Dict[str, object]) -> Iterator[Told]:
    """`___check_type_id(value, number)` and `___check_obj_id(value, number)`."""
    if not (isinstance(condition, ast.Call) and isinstance(condition.func, ast.Name)):
        return
    name = condition.func.id
    if "type_id" in name:
        yield Told(with_id(condition.args[1], "type", scope), shown_type(condition.args[0], scope))
    elif "obj_id" in name:
        yield Told(with_id(condition.args[1], "object", scope), shown(condition.args[0], scope))


def _negated(condition: ast.expr, scope: Dict[str, object]) -> Iterator[Told]:
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        yield Told(f"{ast_text(condition.operand)} to be false", "true")
