"""From whatever a user hands over to the code behind it.

Wrappers (methods, partials, cached functions, generators, frames ...) are peeled off by a table,
one layer at a time, until a function, a class, a module, a code object or a file is left.
"""

from __future__ import annotations

import functools
import importlib.util
import marshal
import os
import sys
import types
from pathlib import Path
from typing import Any, Union

from depyf.errors import DecompilationError, DepyfError

from .decode.code import Code, code_from_live
from .decode.pyc import read_pyc
from .decode.sound import is_sound

AnyCode = Union[types.CodeType, Code]


class NoBytecodeError(DepyfError, TypeError):
    """An object that was not made from Python source: nothing to decompile."""


# A chain of wrappers longer than this leads back to itself.
DEEPEST_WRAPPING = 100

PYC_HEADER_SIZE = 16

# What is worn on the outside, and the attribute under which the next layer is found.
LAYERS: tuple[tuple[type, str], ...] = (
    (types.MethodType, "__func__"),
    (classmethod, "__func__"),
    (staticmethod, "__func__"),
    (functools.partial, "func"),
    (functools.partialmethod, "func"),
    (functools.singledispatchmethod, "func"),
    (functools.cached_property, "func"),
    (types.GeneratorType, "gi_code"),
    (types.CoroutineType, "cr_code"),
    (types.AsyncGeneratorType, "ag_code"),
    (types.FrameType, "f_code"),
    (types.TracebackType, "tb_frame"),
)


class Target:
    """The code to decompile. `function` and `cls` are there when the object was one."""

    __slots__ = ("cls", "code", "function", "is_module")

    def __init__(
        self,
        code: AnyCode | None,
        is_module: bool = False,
        function: types.FunctionType | None = None,
        cls: type | None = None,
    ) -> None:
        self.code = code
        self.is_module = is_module
        self.function = function
        self.cls = cls


def find_target(obj: object) -> Target:
    """What is to be decompiled for `obj`; `TypeError` if there is no bytecode behind it."""
    layer: object = obj
    for _ in range(DEEPEST_WRAPPING):
        target = _bare_target(layer)
        if target is not None:
            return target
        layer = _next_layer(layer, obj)
    raise NoBytecodeError(
        f"{_described(obj)} is wrapped around itself, there is no bytecode inside."
    )


def _bare_target(obj: Any) -> Target | None:
    # What an object says about its class may be made up, as that of a mock is.
    kind = type(obj)
    if issubclass(kind, types.FunctionType):
        return Target(obj.__code__, function=obj)
    if issubclass(kind, (types.CodeType, Code)):
        return Target(obj, is_module=is_module_code(obj))
    if issubclass(kind, type):
        return Target(None, cls=obj)
    if issubclass(kind, types.ModuleType):
        return Target(module_code(obj), is_module=True)
    if issubclass(kind, (str, os.PathLike)):
        return Target(file_code(_path(obj)), is_module=True)
    return None


def _next_layer(layer: Any, obj: object) -> object:
    if issubclass(type(layer), property):
        # One that can only be set or deleted is what does that.
        return next(
            (each for each in (layer.fget, layer.fset, layer.fdel) if each is not None), None
        )
    for kind, attribute in LAYERS:
        if issubclass(type(layer), kind):
            return getattr(layer, attribute)
    for inner in (_wrapped(layer), _called(layer)):
        if _may_hold_bytecode(inner):
            return inner
    if _has_methods(type(obj)):
        raise NoBytecodeError(
            f"{_described(obj)} has no bytecode to decompile; its class has, pass that."
        )
    raise NoBytecodeError(f"{_described(obj)} has no bytecode to decompile.")


def _has_methods(cls: type) -> bool:
    return any(issubclass(type(value), types.FunctionType) for value in vars(cls).values())


def _wrapped(layer: object) -> object:
    try:
        return getattr(layer, "__wrapped__", None)
    except Exception:  # looking up an attribute may run code of the object's own
        return None


def _called(layer: object) -> object:
    """What a call of the object runs; a `__call__` of its metaclass is not for it."""
    spaces = [vars(cls) for cls in type(layer).__mro__]
    return next((space["__call__"] for space in spaces if "__call__" in space), None)


def _may_hold_bytecode(obj: object) -> bool:
    """Neither nothing nor one of the callables that the interpreter implements in C."""
    in_c = (types.BuiltinFunctionType, types.WrapperDescriptorType, types.MethodWrapperType)
    return obj is not None and not isinstance(obj, (*in_c, types.MethodDescriptorType))


def _described(obj: object) -> str:
    try:
        name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    except Exception:  # as above
        name = None
    kind = f"{type(obj).__name__!r} object"
    return f"The {kind} {name!r}" if isinstance(name, str) else f"The {kind}"


def is_module_code(code: AnyCode) -> bool:
    name = code.name if isinstance(code, Code) else code.co_name
    return name == "<module>"


def module_code(module: types.ModuleType) -> types.CodeType:
    """The code that made a module, from its loader or else from its file."""
    code = loaded_code(module.__name__, getattr(module, "__spec__", None))
    if code is not None:
        return code
    path = getattr(module, "__file__", None)
    if not isinstance(path, str) or not path.endswith(".py"):
        raise NoBytecodeError(f"The module {module.__name__!r} has no bytecode to decompile.")
    return compile_source(Path(path))


def loaded_code(name: str, spec: Any) -> types.CodeType | None:
    """What the import system would run for this module, without running it."""
    get_code = getattr(getattr(spec, "loader", None), "get_code", None)
    if get_code is None:
        return None
    try:
        code = get_code(spec.name)
    except SyntaxError as error:
        raise _not_compiled(error.filename or name, error) from error
    except Exception as error:  # anybody may have written the loader
        raise DecompilationError("Cannot read the code of a module", name, str(error)) from error
    return code if isinstance(code, types.CodeType) else None


def file_code(path: Path) -> AnyCode:
    """The module code of a `.py` (compiled here) or of a `.pyc` of any supported version."""
    if path.suffix in (".py", ".pyw"):
        return compile_source(path)
    data = _read(path)
    return _as_live(read_pyc(data, str(path)), data)


def _as_live(record: Code, data: bytes) -> Code:
    """With the live code of a file that the running Python wrote, which makes a proof possible.

    It was read once without the interpreter's own reader, which trusts what it is given.
    """
    if data[:4] != importlib.util.MAGIC_NUMBER or not is_sound(record):
        return record
    try:
        live = marshal.loads(data[PYC_HEADER_SIZE:])
    except (ValueError, TypeError, EOFError, OverflowError, MemoryError, SystemError):
        return record
    return code_from_live(live) if isinstance(live, types.CodeType) else record


def compile_source(path: Path) -> types.CodeType:
    try:
        code: types.CodeType = compile(_read(path), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _not_compiled(str(path), error) from error
    return code


def _not_compiled(path: str, error: Exception) -> DecompilationError:
    version = "%d.%d" % sys.version_info[:2]
    what = f"Python {version} cannot compile the source"
    return DecompilationError(what, path, str(error) or "it is nested too deeply")


def _path(obj: str | os.PathLike[str]) -> Path:
    if not os.fspath(obj):
        # It would mean the folder that the program was started in.
        raise _not_a_path("")
    return Path(obj)


def _not_a_path(text: str) -> FileNotFoundError:
    return FileNotFoundError(f"{text!r} is not the path of a file")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except ValueError as error:
        raise _not_a_path(str(path)) from error
    except IsADirectoryError as error:
        raise IsADirectoryError(
            f"{str(path)!r} is a folder; name a file in it, or pass a module."
        ) from error
    except FileNotFoundError as error:
        if path.suffix:
            raise FileNotFoundError(f"There is no file {str(path)!r}.") from error
        raise FileNotFoundError(
            f"There is no file {str(path)!r}; to decompile a module, import it and hand it over."
        ) from error
