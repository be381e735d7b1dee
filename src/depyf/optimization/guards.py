"""The guards of one entry, behind one face: do they hold for these values, and which does not?

Torch has had two forms. `TreeGuards` asks the tree of newer versions, which is C++ and explains
itself; `FunctionGuards` evaluates the conditions of the older Python function one by one.
"""

from __future__ import annotations

import re
from types import CellType, FunctionType
from typing import (
    AbstractSet,
    Any,
    Callable,
    ContextManager,
    Dict,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Tuple,
)

Values = Dict[str, object]
Check = Callable[[Any], object]
# Older torch guards against another backend as well, and no backend is set outside of a call.
Without = Callable[[], ContextManager[object]]
VARIABLE = re.compile(r"L\['(\w+)'\]")
BACKEND = re.compile(r"_backend\(\d+\)|_config_hash\(\) == '\w+'")

# What evaluating an expression raises when the value it leads to is not there any more.
GONE = (AttributeError, LookupError, TypeError)

# Kinds of guard that relate several values, by the names of torch's classes.
RELATIONAL = ("NO_TENSOR_ALIASING", "OBJECT_ALIASING", "SYMBOLIC_SHAPE_GUARD")


class Failure(NamedTuple):
    """The first guard that does not hold: its text, and the user's line where torch tells."""

    text: str
    line: str


class Group(NamedTuple):
    """The guards on one value, which torch evaluates together, and a check for each of them.

    Guards that compare values with each other have no check: they remember what they have seen
    until the whole tree has been evaluated, so asking one alone would spoil the next call.
    """

    source: str
    guards: Tuple[str, ...]
    checks: Tuple[Check, ...]


class Guards:
    """What both forms can answer. `values` are the local variables of the guarded call."""

    # `hold`, as close to what torch itself calls as Python gets.
    check: Check
    # Whether the texts say all that is asked; of tensors, torch 2.2 says nothing but their names.
    tell_all = True

    def hold(self, values: Values) -> bool:
        raise NotImplementedError

    def failure(self, values: Values) -> Optional[Failure]:
        raise NotImplementedError

    def scope(self, values: Values) -> Dict[str, object]:
        """The names that the text of a guard uses."""
        raise NotImplementedError

    def groups(self) -> List[Group]:
        raise NotImplementedError

    def hold_on(self, names: AbstractSet[str], values: Values) -> bool:
        """Whether each of the guards on these variables alone holds, whatever the others do."""
        failure = self.failure(values)
        if failure is None:
            return True
        if _is_about(names, failure.text):
            return False
        scope = self.scope(values)
        return all(_holds(group, scope) for group in self.groups() if _is_on(names, group))


class TreeGuards(Guards):
    """torch 2.3 and later: `check` and `check_verbose` of a guard manager."""

    def __init__(self, manager: Any, without_backend: Without) -> None:
        self._manager = manager
        self._without_backend = without_backend
        self.check = getattr(manager, "root", manager).check

    def hold(self, values: Values) -> bool:
        with self._without_backend():
            return bool(self._manager.check(values))

    def failure(self, values: Values) -> Optional[Failure]:
        with self._without_backend():
            told = self._manager.check_verbose(values)
        if told.result:
            return None
        text = "; ".join(told.verbose_code_parts) or "a guard that torch does not name"
        stack = getattr(told, "user_stack", None)
        if stack:
            return Failure(text, f"{stack[-1].filename}:{stack[-1].lineno}")
        return Failure(text, "")

    def scope(self, values: Values) -> Dict[str, object]:
        manager = self._manager
        return {**(manager.closure_vars or {}), "L": values, "G": _globals_of(manager)}

    def groups(self) -> List[Group]:
        found, waiting = [], [self._manager.root]
        while waiting:
            manager = waiting.pop()
            found.append(_group(manager))
            waiting.extend(_managers_below(manager))
        return found


class FunctionGuards(Guards):
    """torch 2.2: a Python function over `L`, with its conditions as text."""

    tell_all = False

    def __init__(self, function: Any, without_backend: Without) -> None:
        self._function = self.check = _as_in_its_call(function)
        self._without_backend = without_backend

    def hold(self, values: Values) -> bool:
        with self._without_backend():
            try:
                return bool(self._function(values))
            except GONE:
                return False

    def failure(self, values: Values) -> Optional[Failure]:
        scope = self.scope(values)
        scope["___check_tensors"] = scope.get("___check_tensors_verbose")
        with self._without_backend():
            for part in self._function.verbose_code_parts:
                try:
                    answer = eval(part, dict(self._function.global_scope), scope)
                except GONE:
                    answer = False
                if isinstance(answer, str) or not answer:
                    return Failure(answer if isinstance(answer, str) else part, "")
        return None

    def scope(self, values: Values) -> Dict[str, object]:
        function = self._function
        return {**(function.closure_vars or {}), "L": values, "G": _globals_of(function)}

    def groups(self) -> List[Group]:
        names = {**self._function.global_scope, **self.scope({})}
        return [_condition(part, names) for part in self._function.verbose_code_parts]


def _as_in_its_call(function: Any) -> Any:
    """The function for what was compiled so: with which configuration, and for `fullgraph` or not.

    It asks this of the call through torch.compile that is under way, and there is none.
    """
    answers = {
        "___compile_config_hash": lambda: getattr(function, "config_hash", b"").hex(),
        "___needs_nopython": lambda: False,
    }
    asked = answers.keys() & (function.closure_vars or {}).keys()
    names = {**(function.closure_vars or {}), **{name: answers[name] for name in asked}}
    free = function.__code__.co_freevars
    cells = tuple(
        CellType(answers[name]) if name in asked else cell
        for name, cell in zip(free, function.__closure__ or ())
    )
    code, scope, defaults = function.__code__, function.__globals__, function.__defaults__
    copy: Any = FunctionType(code, scope, function.__name__, defaults, cells)
    copy.__dict__.update(function.__dict__, closure_vars=names)
    return copy


def _condition(part: str, names: Dict[str, object]) -> Group:
    check: Check = eval(f"lambda L: {part.split('  # ')[0]}", names)
    return Group("L", (part,), (check,))


def _is_on(names: AbstractSet[str], group: Group) -> bool:
    # The conditions of older Python functions are all evaluated over the whole of L.
    return _is_about(names, group.guards[0] if len(group.guards) == 1 else group.source)


def _is_about(names: AbstractSet[str], text: str) -> bool:
    mentioned = set(VARIABLE.findall(text.split("  # ")[0]))
    return bool(mentioned) and mentioned <= names


def _holds(group: Group, scope: Dict[str, object]) -> bool:
    try:
        value = eval(group.source, dict(scope))
    except GONE:
        return False
    except Exception:  # not every value has an expression
        return True
    return all(check(value) for check in group.checks)


def _globals_of(guards: Any) -> Mapping[str, object]:
    scope: Mapping[str, object] = guards.global_scope or {}
    inner = scope.get("G", scope)
    return inner if isinstance(inner, dict) else scope


def guards_of(found: Any, without_backend: Without) -> Guards:
    kind = TreeGuards if hasattr(found, "check_verbose") else FunctionGuards
    return kind(found, without_backend)


def backend_of(found: Guards) -> str:
    """Which backend and configuration an entry is for, where these are among its guards."""
    return " ".join(named for text in texts(found) for named in BACKEND.findall(text))


def texts(found: Guards) -> List[str]:
    """The text of every guard."""
    return [text for group in found.groups() for text in group.guards]


def _group(manager: Any) -> Group:
    leaves = list(manager.get_leaf_guards())
    if hasattr(manager, "get_epilogue_lambda_guards"):
        leaves += manager.get_epilogue_lambda_guards()
    guards = tuple("; ".join(leaf.verbose_code_parts()) for leaf in leaves)
    checks = tuple(leaf for leaf in leaves if _may_be_asked_alone(leaf))
    return Group(manager.get_source(), guards, checks)


def _may_be_asked_alone(leaf: Any) -> bool:
    return callable(leaf) and type(leaf).__name__ not in RELATIONAL


def _managers_below(manager: Any) -> List[Any]:
    if hasattr(manager, "get_key_value_managers"):
        pairs = manager.get_key_value_managers()
        return [each for _, pair in sorted(pairs.items()) for each in pair if each is not None]
    return list(manager.get_child_managers())
