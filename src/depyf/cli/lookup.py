"""From the TARGET on a command line to the object it names."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Optional

from depyf.errors import DepyfError

FILE_SUFFIXES = (".py", ".pyw", ".pyc", ".pyo")


def find_object(target: str) -> object:
    """A path stays a path; `module` becomes its code, `module:name` the live object."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    if _is_path(target):
        return _existing(target)
    file, colon, _ = target.rpartition(":")
    if colon and _is_path(file):
        raise DepyfError(f"A name can be picked from a module, not from a file such as {file!r}.")
    module, colon, qualname = target.partition(":")
    if not colon:
        return _code_of_module(module)
    if not module or not qualname:
        raise DepyfError(f"{target!r} names nothing: it has to be module:name.")
    return _attribute(_import(module), module, qualname)


def _is_path(target: str) -> bool:
    return target.endswith(FILE_SUFFIXES) or os.sep in target or os.path.isfile(target)


def _existing(target: str) -> Path:
    _refuse_folder(target)
    if not os.path.exists(target):
        raise DepyfError(f"There is no file called {target!r}.")
    return Path(target)


def _refuse_folder(target: str) -> None:
    if os.path.isdir(target):
        raise DepyfError(f"{target!r} is a folder; name a file in it, or a module.")


def _code_of_module(name: str) -> object:
    """The code of a module, which is not run (importing the packages around it is)."""
    from depyf.decompile.targets import NoBytecodeError, loaded_code

    try:
        spec = importlib.util.find_spec(name) if name != "__main__" else _main_here()
    except Exception as error:  # the packages around it run code of their own
        _refuse_folder(name)
        _suggest_colon(name)
        raise DepyfError(f"Cannot find the module {name!r}: {_reason(error)}.") from error
    if spec is None:
        _refuse_folder(name)
        _suggest_colon(name)
        raise DepyfError(f"There is no file and no module called {name!r}.")
    code = loaded_code(name, spec)
    if code is None:
        # A folder of that name, without an __init__.py, is found as a module.
        _refuse_folder(name)
        raise NoBytecodeError(f"The module {name!r} has no bytecode to decompile.")
    return code


def _main_here() -> Optional[ModuleSpec]:
    """The `__main__` of the current folder: the one that is loaded is ours."""
    return PathFinder.find_spec("__main__", [os.getcwd()])


def _suggest_colon(name: str) -> None:
    """`module.name` is meant as `module:name` where the module is there and has the name."""
    module, dot, rest = name.rpartition(".")
    while dot:
        if _has(sys.modules.get(module), rest):
            raise DepyfError(f"{name!r} is no module; did you mean {module}:{rest}?")
        module, dot, last = module.rpartition(".")
        rest = f"{last}.{rest}"


def _has(found: object, qualname: str) -> bool:
    try:
        for part in qualname.split("."):
            found = getattr(found, part)
    except Exception:  # a module may do anything when it is asked for a name
        return False
    return True


def _import(name: str) -> object:
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may do anything while it is imported
        raise DepyfError(f"Cannot import the module {name!r}: {_reason(error)}.") from error


def _attribute(found: object, module: str, qualname: str) -> object:
    seen = module
    for part in qualname.split("."):
        # What the class holds, not what it hands out: a property or a classmethod stays itself.
        inside = vars(found).get(part) if isinstance(found, type) else None
        if inside is None:
            inside = getattr(found, part, None)
        if inside is None:
            raise DepyfError(f"There is no {part!r} in {seen!r}.")
        found, seen = inside, f"{seen}.{part}"
    if isinstance(found, (str, os.PathLike)):
        # Only what stands on the command line itself may be the path of a file.
        raise DepyfError(
            f"The {type(found).__name__!r} object {seen!r} has no bytecode to decompile."
        )
    return found


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
