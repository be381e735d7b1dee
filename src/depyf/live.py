"""What a `full_code_*` file finds when it is imported: the function's module, the real graphs.

In the process that compiled, these are the live objects. In another process a graph is loaded from
its captured file, and whatever is not there says so when it is used, not before.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import os
import sys
import types
from typing import Callable, Dict, List, MutableMapping, Optional, Sequence, Tuple

from depyf import guard_checks
from depyf.guard_checks import GuardUnavailable, Missing, NotHere

# What belongs to the module that holds a name, not to the function that uses it.
_OWN = frozenset(
    "__name__ __file__ __doc__ __spec__ __loader__ __package__ __path__ __cached__ __builtins__ "
    "__annotations__ __dict__".split()
)


def not_here(what: str) -> object:
    return Missing(what)


def contents_of(cells: Sequence[object]) -> List[object]:
    """The values of the variables that Dynamo hands to a continuation as cells."""
    values = []
    for cell in cells:
        if not isinstance(cell, types.CellType):
            raise NotHere(f"Not available here: {getattr(cell, 'what', 'a cell')}.")
        values.append(cell.cell_contents)
    return values


def globals_of(file: str, into: MutableMapping[str, object]) -> Dict[str, object]:
    """The globals of the module that was loaded from `file`; its names are copied into `into`."""
    for module in list(sys.modules.values()):
        found = getattr(module, "__file__", None)
        if isinstance(found, str) and _same_file(found, file):
            live = vars(module)
            _copy(live, into)
            return live
    elsewhere = ReadGlobals(file)
    _copy(elsewhere.already_loaded(), into)
    return elsewhere


def _copy(found: Dict[str, object], into: MutableMapping[str, object]) -> None:
    """A file imports a helper under another name if its code means something else by the word."""
    for name, value in list(found.items()):
        if name not in _OWN and not _is_helper(into.get(name)):
            into[name] = value


def _is_helper(value: object) -> bool:
    return getattr(value, "__module__", None) in (__name__, guard_checks.__name__)


class ReadGlobals(Dict[str, object]):
    """The globals of a module that is not loaded, as far as its text tells: imports, constants.

    The module itself is not run. What only running it could tell is reported, not guessed.
    """

    def __init__(self, file: str) -> None:
        super().__init__()
        self._file = file
        self._imports: Dict[str, Tuple[str, str]] = {}
        self._read()

    def _read(self) -> None:
        try:
            with open(self._file, encoding="utf-8") as source:
                body = ast.parse(source.read()).body
        except (OSError, ValueError, SyntaxError):
            return
        for statement in body:
            if isinstance(statement, ast.Import):
                self._note_import(statement)
            elif isinstance(statement, ast.ImportFrom) and not statement.level:
                for alias in statement.names:
                    self._imports[alias.asname or alias.name] = (statement.module or "", alias.name)
            elif isinstance(statement, ast.Assign):
                self._note_constant(statement)

    def _note_import(self, statement: ast.Import) -> None:
        for alias in statement.names:
            name = alias.asname or alias.name.split(".")[0]
            self._imports[name] = (alias.name if alias.asname else name, "")

    def _note_constant(self, statement: ast.Assign) -> None:
        for target in statement.targets:
            if isinstance(target, ast.Name):
                # A name bound twice, or to something else, is not known.
                known = target.id in self
                self.pop(target.id, None)
                with contextlib.suppress(ValueError, TypeError, SyntaxError):
                    value = ast.literal_eval(statement.value)
                    if not known:
                        self[target.id] = value

    def already_loaded(self) -> Dict[str, object]:
        """What can be had without importing anything."""
        loaded = {name: self[name] for name, (module, _) in self._imports.items()
                  if module in sys.modules}  # fmt: skip
        return {**dict(self), **loaded}

    def __missing__(self, name: str) -> object:
        module, attribute = self._imports.get(name, ("", ""))
        if name.startswith("__import_"):
            # The name under which torch keeps a module: __import_torch_dot_nn
            module = name[len("__import_") :].replace("_dot_", ".")
        if name.startswith("__builtins_dict__"):
            return vars(builtins)
        if not module:
            raise GuardUnavailable(f"{name} of {self._file} is known only where that file runs")
        try:
            found: object = importlib.import_module(module)
            return getattr(found, attribute) if attribute else found
        except (ImportError, AttributeError) as error:
            raise GuardUnavailable(f"{name} of {self._file} is not there: {error}") from error


def take_defaults(function: types.FunctionType, original: types.FunctionType) -> None:
    """Let `function` be called as `original`, which has the same parameters, can be called."""
    function.__defaults__ = tuple(map(_known_default, original.__defaults__ or ()))
    by_name = original.__kwdefaults__ or {}
    function.__kwdefaults__ = {name: _known_default(value) for name, value in by_name.items()}


def _known_default(value: object) -> object:
    """The text of an original has `...` for what would have to be computed."""
    if value is not ...:
        return value
    return Missing("its default value, which is computed where the function is defined")


def global_called(name: str, live: Dict[str, object]) -> object:
    """A global whose name stands for something else in the function."""
    try:
        return live[name]
    except (KeyError, GuardUnavailable):
        return Missing(f"the global {name}")


def module_called(name: str, live: Dict[str, object]) -> object:
    """The module that torch keeps under a name like `__import_torch_dot_nn`."""
    try:
        found = live[name]
    except (KeyError, GuardUnavailable):
        return Missing(f"the module {name}")
    make = getattr(found, "_create_nested_fn", None)
    return found if make is None else _FunctionMaker(found, make)


class _FunctionMaker:
    """Torch's module with which transformed code makes functions, of code that has no literal."""

    def __init__(self, module: object, make: Callable[..., object]) -> None:
        self._module = module
        self._make = make

    def __getattr__(self, name: str) -> object:
        return getattr(self._module, name)

    def _create_nested_fn(self, code: object, names: object, name: str, *more: object) -> object:
        for part in (code, names):
            if isinstance(part, Missing):
                raise NotHere(f"Not available here: the function {name}, made of {part.what}.")
        return self._make(code, names, name, *more)


def _same_file(one: str, other: str) -> bool:
    return os.path.abspath(one) == os.path.abspath(other)


def graph(name: str, live: Dict[str, object], beside: str, file: str) -> Callable[..., object]:
    """The compiled graph of this name, or the captured one from its file."""
    for key, value in list(live.items()):
        # Torch adds a random suffix: __compiled_fn_1_8a5f858c_...
        if (key == name or key.startswith(name + "_")) and callable(value):
            return value
    if not file:
        return Missing(f"{name}, whose graph was not captured")
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
