"""What users call: any object with bytecode in, source out.

`examine` is the richer answer behind `decompile`: source, verdict, notes and line map.
"""

from __future__ import annotations

import os
import types

from .classes import decompile_class
from .decode.names import is_name
from .pipeline import decompile_code, decompile_module
from .recompile import compile_like
from .result import Decompilation
from .targets import AnyCode, find_target


def decompile(obj: object) -> str:
    """Return the source of anything that carries bytecode; `TypeError` says when it does not."""
    return examine(obj).source


def examine(
    obj: object,
    indentation: int = 4,
    temporary_prefix: str = "__temp_",
    name: str | None = None,
) -> Decompilation:
    """Decompile `obj` and say how well the result is proven.

    It takes what `decompile` takes, and the options of `Decompiler.decompile`.
    """
    _check_options(indentation, temporary_prefix, name)
    target = find_target(obj)
    if target.cls is not None:
        return decompile_class(target.cls, indentation, temporary_prefix, name)
    assert target.code is not None
    if target.is_module:
        return decompile_module(target.code, indentation, temporary_prefix)
    return decompile_code(
        target.code, indentation, temporary_prefix, name, function=target.function
    )


def _check_options(indentation: int, temporary_prefix: str, name: str | None) -> None:
    if not isinstance(indentation, int) or indentation < 1:
        raise ValueError(f"indentation must be a positive number of spaces, not {indentation!r}.")
    if not isinstance(temporary_prefix, str) or not is_name(f"{temporary_prefix}0"):
        raise ValueError(f"temporary_prefix must begin a name, {temporary_prefix!r} does not.")
    if name is not None and not (isinstance(name, str) and is_name(name)):
        raise ValueError(f"A function cannot be called {name!r}.")


def _template(path: str | os.PathLike[str] | None) -> str | None:
    if path is None:
        return None
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise TypeError(f"filepath_template must be the path of a file, not {path!r}.")
    return os.fspath(path)


class Decompiler:
    """Decompiles one object, with a say in how the source looks."""

    def __init__(self, obj: object) -> None:
        self.obj = obj

    def decompile(
        self,
        indentation: int = 4,
        temporary_prefix: str = "__temp_",
        overwite_fn_name: str | None = None,
    ) -> str:
        """Return the source, with `indentation` spaces a level.

        Variables that had to be made up begin with `temporary_prefix`. A function is called
        `overwite_fn_name` if that is given (the misspelling has users and stays).
        """
        return examine(self.obj, indentation, temporary_prefix, overwite_fn_name).source

    @staticmethod
    def supported_opnames() -> list[str]:
        """The instructions of the running Python that the decompiler understands."""
        from .decode.coverage import supported_opnames

        return supported_opnames()

    @staticmethod
    def decompile_and_compile_like(
        code_to_decompile: AnyCode | types.FunctionType,
        reference_code: types.CodeType | types.FunctionType,
        indentation: int = 4,
        temporary_prefix: str = "__temp_",
        filepath_template: str | os.PathLike[str] | None = None,
    ) -> types.CodeType:
        """Compile the decompiled source into code that can take the place of `reference_code`.

        Functions stand for their code. With `filepath_template` the source is written there, its
        `%s` replaced by the name of the function, and the new code points to that file.
        """
        _check_options(indentation, temporary_prefix, None)
        return compile_like(
            _code_of(code_to_decompile),
            _live_code_of(reference_code),
            indentation,
            temporary_prefix,
            _template(filepath_template),
        )


def _code_of(obj: object) -> AnyCode:
    target = find_target(obj)
    if target.code is None or target.is_module:
        kind = "module" if target.is_module else "class"
        raise TypeError(f"A function or its code can be replaced, a {kind} cannot.")
    return target.code


def _live_code_of(obj: object) -> types.CodeType:
    code = _code_of(obj)
    if not isinstance(code, types.CodeType):
        raise TypeError("The reference must be a function or code of the running Python.")
    return code
