"""What a `full_code_*` file finds when it is imported: the function's module, the real graphs.

In the process that compiled, these are the live objects. In another process a graph is loaded from
its captured file, and whatever is not there says so when it is used, not before.
"""

from __future__ import annotations

import os
import sys
from typing import Callable, Dict, MutableMapping, Optional

# What belongs to the module that holds a name, not to the function that uses it.
_OWN = frozenset(
    "__name__ __file__ __doc__ __spec__ __loader__ __package__ __path__ __cached__ __builtins__ "
    "__annotations__ __dict__".split()
)


class NotHere(RuntimeError):
    """Used, but not known in this process."""


class _Missing:
    """Stands for an object that this process does not have."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __call__(self, *args: object, **kwargs: object) -> object:
        raise NotHere(f"Not available here: {self._what}.")

    def __repr__(self) -> str:
        return f"<not available here: {self._what}>"


def not_here(what: str) -> object:
    return _Missing(what)


def globals_of(file: str, into: MutableMapping[str, object]) -> Dict[str, object]:
    """The globals of the module that was loaded from `file`; its names are copied into `into`."""
    for module in list(sys.modules.values()):
        found = getattr(module, "__file__", None)
        if isinstance(found, str) and _same_file(found, file):
            live = vars(module)
            into.update({name: value for name, value in live.items() if name not in _OWN})
            return live
    return {}


def _same_file(one: str, other: str) -> bool:
    return os.path.abspath(one) == os.path.abspath(other)


def graph(name: str, live: Dict[str, object], beside: str, file: str) -> Callable[..., object]:
    """The compiled graph of this name, or the captured one from its file."""
    for key, value in list(live.items()):
        # Torch adds a random suffix: __compiled_fn_1_8a5f858c_...
        if (key == name or key.startswith(name + "_")) and callable(value):
            return value
    if not file:
        return _Missing(f"{name}, whose graph was not captured")
    return _StoredGraph(name, os.path.join(os.path.dirname(os.path.abspath(beside)), file))


class _StoredGraph:
    """A captured graph that is loaded when it is called."""

    def __init__(self, name: str, path: str) -> None:
        self._name = name
        self._path = path
        self._module: Optional[Callable[..., object]] = None

    def __call__(self, *args: object) -> object:
        if self._module is None:
            self._module = self._load()
        return self._module(*args)

    def _load(self) -> Callable[..., object]:
        names: Dict[str, object] = {"__name__": self._name, "__file__": self._path}
        try:
            with open(self._path, encoding="utf-8") as source:
                exec(compile(source.read(), self._path, "exec"), names)
        except (OSError, SyntaxError, ImportError) as error:
            raise NotHere(f"{self._name} could not be loaded from {self._path}: {error}") from error
        classes = [
            one for one in names.values() if isinstance(one, type) and one.__module__ == self._name
        ]
        if not classes:
            raise NotHere(f"{self._path} holds no graph")
        made: object = classes[-1]()
        if not callable(made):
            raise NotHere(f"{self._path} holds no graph")
        return made

    def __repr__(self) -> str:
        return f"<{self._name}, from {self._path}>"
