"""Names that a dispatch loop adds: state, stack slots, exceptions, built-ins, helpers.

All are chosen so that no name of the bytecode collides with them. Built-ins that the program
hides behind a variable of its own are imported under another name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Dict, List, Set

from depyf.decompile.decode.code import Code
from depyf.decompile.expr import nodes
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import CLASS, MODULE, Scope
from depyf.decompile.expr.statements import Body, Stmt, Suite

_SPECIAL = """\
from builtins import AttributeError, TypeError, hasattr, type
kind = type(owner)
for base in kind.__mro__:
    if name in base.__dict__:
        found = base.__dict__[name]
        if hasattr(type(found), '__get__'):
            found = type(found).__get__(found, owner, kind)
        return found
raise {error}
"""
_MISSING = (
    "TypeError(f\"'{kind.__name__}' object does not support the \"\n"
    "    f\"{'asynchronous ' * (name[2] == 'a')}context manager protocol\"\n"
    "    f\"{' (missed ' * name.endswith('exit__')}{name * name.endswith('exit__')}\"\n"
    "    f\"{' method)' * name.endswith('exit__')}\")"
)

# Each helper is (parameters, body); they name no variable of the function around them.
_HELPERS = {
    "match_keys": (
        "subject, keys",
        """\
from builtins import ValueError, object, set, tuple
seen, missing, values = set(), object(), []
for key in keys:
    if key in seen:
        raise ValueError(f'mapping pattern checks duplicate key ({key!r})')
    seen.add(key)
    value = subject.get(key, missing)
    if value is missing:
        return None
    values.append(value)
return tuple(values)
""",
    ),
    "join_template": (
        "strings, fields",
        """\
from builtins import zip
from string.templatelib import Template
parts = [strings[0]]
for field, string in zip(fields, strings[1:]):
    parts += [field, string]
return Template(*parts)
""",
    ),
    "match_group": (
        "raised, kind",
        """\
from builtins import BaseException, BaseExceptionGroup, TypeError
from builtins import isinstance, issubclass, tuple, type
kinds = kind if isinstance(kind, tuple) else (kind,)
for each in kinds:
    if not isinstance(each, type) or not issubclass(each, BaseException):
        raise TypeError('catching classes that do not inherit from BaseException is not allowed')
    if issubclass(each, BaseExceptionGroup):
        raise TypeError('catching ExceptionGroup with except* is not allowed. Use except instead.')
if raised is None:
    return None, None
if isinstance(raised, kinds):
    if isinstance(raised, BaseExceptionGroup):
        return None, raised
    group = BaseExceptionGroup('', (raised,))
    group.__traceback__ = raised.__traceback__
    return None, group
if isinstance(raised, BaseExceptionGroup):
    match, rest = raised.split(kinds)
    return rest, match
return raised, None
""",
    ),
    "join_group": (
        "original, results",
        """\
from builtins import BaseExceptionGroup, getattr, id, isinstance
results = [each for each in results if each is not None]
if not results:
    return None
if not isinstance(original, BaseExceptionGroup):
    return results[0]
def origin(each):
    notes = getattr(each, '__notes__', None)
    return (id(notes), id(each.__traceback__), id(each.__cause__), id(each.__context__))
def leaves(each):
    if not isinstance(each, BaseExceptionGroup):
        return {id(each)}
    return {leaf for part in each.exceptions for leaf in leaves(part)}
new, again = [], set()
for each in results:
    if isinstance(each, BaseExceptionGroup) and origin(each) == origin(original):
        again |= leaves(each)
    else:
        new.append(each)
kept = original.split(lambda each: id(each) in again)[0] if again else None
if kept is not None:
    new.append(kept)
return new[0] if len(new) == 1 else BaseExceptionGroup('', new)
""",
    ),
}


class Names:
    """The added names of one function; `prologue` defines those that need it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.in_namespace = scope.kind in (CLASS, MODULE)
        self.prologue: Body = []
        self.added: Set[str] = set()
        self._known: Dict[str, str] = {}
        code = scope.code
        # Names with underscores on both sides are neither mangled nor members of an enumeration.
        self.suffix = "__" if self.in_namespace or _holds_generic(_root(scope).code) else ""
        scope.temporary_suffix = self.suffix
        self._used = set(code.varnames + code.cellvars + code.freevars + code.names)

    def fresh(self, stem: str) -> str:
        """One name for each stem."""
        text = self._known.get(stem)
        if text is None:
            text = stem + self.suffix
            while text in self._used:
                text += "_"
            self._known[stem] = text
            self.added.add(text)
        return text

    @property
    def state(self) -> str:
        return self.fresh("__state")

    @property
    def pending(self) -> str:
        return self.fresh("__pending")

    def slot(self, place: int) -> Expr:
        text = self.fresh(f"__stack_{place}")
        return Expr(text, nodes.ATOM, "temp", text, True)

    def exception(self, level: int) -> str:
        # `except … as` deletes the name itself.
        text = self.fresh(f"__exc_{level}")
        self.added.discard(text)
        return text

    def builtin(self, name: str) -> str:
        """Text that means the built-in `name`, whatever the program calls by that name."""
        return self.imported("builtins", name) if self._is_hidden(name) else name

    def imported(self, module: str, name: str) -> str:
        alias = f"__{name}"
        if alias not in self._known:
            text = self.fresh(alias)
            self.prologue.append(Stmt("import", f"from {module} import {name} as {text}"))
        return self._known[alias]

    def _is_hidden(self, name: str) -> bool:
        scope = self.scope
        if name in scope.local_names or name in scope.code.freevars or scope.encloses(name):
            return True
        scope = _root(scope)
        return (scope.kind == MODULE or self.in_namespace) and (
            name in scope.code.names or (self.in_namespace and name in self.scope.code.names)
        )

    def helper(self, stem: str) -> str:
        """The name of a small function that does what one operation does."""
        key = f"__{stem}"
        if key in self._known:
            return self._known[key]
        name = self.fresh(key)
        if stem == "special":
            legacy = self.scope.code.version < (3, 11)
            error = "AttributeError(name)" if legacy else _MISSING
            parameters, text = "owner, name", _SPECIAL.format(error=error)
        else:
            parameters, text = _HELPERS[stem]
        self.prologue.append(Suite(f"def {name}({parameters})", _lines(text)))
        return name

    def forget(self, temporaries: Set[str]) -> Body:
        """What a class or module must not keep."""
        if not self.in_namespace:
            return []
        names = sorted(self.added | temporaries)
        # Not all of them are bound on every way through the loop.
        bind = Stmt("temporary", " = ".join(names) + " = None")
        return [bind, Stmt("delete", f"del {', '.join(names)}")] if names else []


def _root(scope: Scope) -> Scope:
    while scope.parent is not None:
        scope = scope.parent
    return scope


@lru_cache(maxsize=8)
def _holds_generic(code: Code) -> bool:
    """A generic class somewhere inside: some interpreters go on mangling names behind it."""
    work = [code]
    while work:
        inner = [const for const in work.pop().consts if isinstance(const, Code)]
        if any(const.name.startswith("<generic") for const in inner):
            return True
        work.extend(inner)
    return False


def _lines(text: str) -> Body:
    body: List[Stmt] = []
    for line in text.rstrip("\n").split("\n"):
        body.append(Stmt("helper", line))
    return body
