"""The guards of a compiled entry: read as values, and kept at hand as torch's own checks.

In comes an entry of torch's cache. `read_guards` gives for each leaf torch's text, the line of the
user's that caused it and a condition in Python. `remember_guards` also lets the guard functions
written to a folder ask torch where there is no such condition.
"""

from __future__ import annotations

import re
import weakref
from typing import Callable, Dict, List, Optional, Protocol, Tuple

from depyf import guard_checks
from depyf.session.model import Guard

from .guard_lines import take_apart
from .guard_parts import asker, read_parts
from .guard_python import condition, named
from .guard_tree import DictShape, Found, Manager, Reached, leaves_of
from .importable import loaded, path_to

_IMPORTED = re.compile(r"imported\('([^']+)'\)")


class Wrapper(Protocol):
    """Torch's `GuardManagerWrapper`."""

    root: Manager

    def check(self, scope: object) -> bool: ...


# What tells a leaf apart when torch has reordered its tree: path, kind, text.
_Key = Tuple[str, str, Tuple[str, ...]]
# A guard, and the leaf it came from where torch has to be asked about it.
_Read = Tuple[Guard, Optional[_Key]]


def read_guards(entry: object) -> List[Guard]:
    """Every guard of a cache entry, in torch's order."""
    return [guard for guard, _ in _read(entry)]


def _read(entry: object) -> List[_Read]:
    wrapper = tree_of(entry)
    if wrapper is None:
        return [(guard, None) for guard in read_parts(entry)]
    file = getattr(getattr(entry, "code", None), "co_filename", "")
    read: List[_Read] = []
    for place in _places(wrapper):
        if isinstance(place, DictShape):
            read.append((_shape_guard(place), None))
        elif isinstance(place, Found):
            read += _leaf_guards(place, wrapper, len(read), file)
    return read


def tree_of(entry: object) -> Optional[Wrapper]:
    """Torch has called it by different names; torch 2.4 and older have no tree."""
    for name in ("guard_manager", "check_fn"):
        wrapper = getattr(entry, name, None)
        for candidate in (wrapper, getattr(wrapper, "guard_manager", None)):
            if hasattr(getattr(candidate, "root", None), "get_leaf_guards"):
                return candidate
    return None


def is_unguarded(entry: object) -> bool:
    """Whether a filter of the program's left nothing to check, as far as that can be told."""
    wrapper = tree_of(entry)
    # What stands for guards that are gone has an empty tree as well.
    gone = getattr(wrapper, "invalidation_reason", None)
    return wrapper is not None and not gone and not _places(wrapper)


def _places(wrapper: Wrapper) -> List[object]:
    scope = getattr(wrapper, "global_scope", None) or {}
    names = scope.get("G", {})
    places = leaves_of(wrapper.root, names)
    epilogue = getattr(wrapper.root, "get_epilogue_lambda_guards", list)
    return places + [Found(leaf, Reached("L")) for leaf in epilogue()]


def _leaf_guards(found: Found, wrapper: Wrapper, first: int, file: str) -> List[_Read]:
    read: List[_Read] = []
    for part in _parts_once(found):
        code, cause = take_apart(part, file)
        python, key = _python(found, code, wrapper), None
        if python is None and found.at.python is not None and callable(found.leaf):
            python = f"torch_says({first + len(read)}, {found.at.python})"
            key = _key_of(found)
        read.append((Guard(found.name, code, found.at.source, python, cause), key))
    return read


def _parts_once(found: Found) -> Tuple[str, ...]:
    """A leaf without a text is still a condition."""
    return found.parts or (found.name,)


def _python(found: Found, code: str, wrapper: Wrapper) -> Optional[str]:
    if found.at.python is None:
        return None
    if found.name == "TORCH_FUNCTION_MODE_STACK":
        return _mode_stack(wrapper)
    return condition(found, code)


def _mode_stack(wrapper: Wrapper) -> Optional[str]:
    """The expected types are only in the closure of the check that torch made for Python."""
    variables = getattr(wrapper, "closure_vars", None) or {}
    check = variables.get("___check_torch_function_mode_stack")
    cells = getattr(check, "__closure__", None) or ()
    free = getattr(getattr(check, "__code__", None), "co_freevars", ())
    expected = [cell.cell_contents for name, cell in zip(free, cells) if name == "types"]
    paths = [path_to(kind) for kind in expected[0]] if len(expected) == 1 else [None]
    if None in paths:
        return None
    return f"torch_function_modes_are({', '.join(named(path or '') for path in paths)})"


def _shape_guard(shape: DictShape) -> Guard:
    """A dictionary whose order matters: torch checks type and length before the items."""
    text = f"the type and the length of {shape.at.source}"
    return Guard("DICT_GUARD_MANAGER", text, shape.at.source, "torch_checks(L)")


# --- asking torch -----------------------------------------------------------------------------


def remember_guards(folder: str, transformed_file: str, entry: object) -> List[Guard]:
    """The guards; and guard functions in `folder` may ask torch as long as it keeps the entry."""
    read = _read(entry)
    guards = [guard for guard, _ in read]
    wrapper = tree_of(entry)
    ask = asker(entry) if wrapper is None else _asker(wrapper, [key for _, key in read])
    paths = _meanings(guards)
    guard_checks.remember(folder, transformed_file, ask, lambda path: _meaning(paths, path))
    return guards


def _asker(wrapper: Wrapper, keys: List[Optional[_Key]]) -> guard_checks.Ask:
    # Nothing here may keep alive what torch lets go.
    alive = weakref.ref(wrapper)

    def ask(number: int, value: object) -> Optional[bool]:
        now = alive()
        if now is None:
            return None
        if number == guard_checks.ALL_GUARDS:
            return bool(now.check(value))
        key = keys[number]
        if key is None:
            return None
        leaf = _leaves(now).get(key)
        return bool(leaf(value)) if callable(leaf) else None

    return ask


def _leaves(wrapper: Wrapper) -> Dict[_Key, object]:
    """Looked up at each question: torch moves what fails often to the front."""
    return {_key_of(place): place.leaf for place in _places(wrapper) if isinstance(place, Found)}


def _key_of(found: Found) -> _Key:
    return (found.at.python or found.at.source, found.name, found.parts)


def _meanings(guards: List[Guard]) -> Dict[str, Callable[[], Optional[object]]]:
    """What the names in the conditions mean now: later they may lead elsewhere."""
    paths = {path for one in guards for path in _IMPORTED.findall(one.python or "")}
    return {path: _reference(loaded(path)) for path in sorted(paths)}


def _reference(found: Optional[object]) -> Callable[[], Optional[object]]:
    try:
        return weakref.ref(found)
    except TypeError:
        return lambda: found


_GONE = object()


def _meaning(paths: Dict[str, Callable[[], Optional[object]]], path: str) -> Optional[object]:
    """None when nothing was noted; an object that equals nothing when it is gone."""
    if path not in paths:
        return None
    found = paths[path]()
    return _GONE if found is None else found
