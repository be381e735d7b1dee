"""Runs a script or a module as `python` would, in this process and under the name `__main__`.

What the program can see is what it would see without us: its arguments, the first entry of
`sys.path`, its module, and in a traceback only its own frames.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.machinery
import io
import os
import runpy
import sys
import types
from typing import Callable, Dict, List, Optional, Type

from depyf.errors import DepyfError

# The module that was `__main__`; without this it would be emptied under the feet of its code.
_former_main: List[types.ModuleType] = []


def check_script(path: str) -> None:
    """A mistake in the path is told before anything is set up."""
    if not os.path.exists(path):
        raise DepyfError(f"There is no file called {path!r}.")
    with open(path if os.path.isfile(path) else os.path.join(path, "__main__.py"), "rb"):
        pass


def run_script(path: str, arguments: List[str]) -> None:
    """As `python PATH ARGUMENTS` does."""
    sys.argv[:] = [path, *arguments]
    if os.path.isdir(path) or (os.path.isfile(path) and _is_archive(path)):
        _set_first_path(path)
        main = _fresh_main()
        _guarded(lambda: _as_main("__main__", keep_name=True), main)
        return
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    main = _fresh_main()
    # Absolute from 3.9 on.
    file = os.path.abspath(path) if sys.version_info >= (3, 9) else path
    main.__dict__.update(_script_variables(file))
    _guarded(lambda: exec(_code_of(path, file), main.__dict__), main)


def run_module(name: str, arguments: List[str]) -> None:
    """As `python -m NAME ARGUMENTS` does."""
    sys.argv[:] = ["-m", *arguments]
    _set_first_path(os.getcwd())
    main = _fresh_main()
    _guarded(lambda: _as_main(name, keep_name=False), main)


def _as_main(name: str, keep_name: bool) -> None:
    # What the interpreter itself calls for -m, folders and archives.
    runpy._run_module_as_main(name, not keep_name)  # type: ignore[attr-defined]


def _is_archive(path: str) -> bool:
    import zipfile

    return zipfile.is_zipfile(path)


def _set_first_path(path: str) -> None:
    """In place of the entry that the `depyf` command itself was found by."""
    if getattr(sys.flags, "safe_path", False) or sys.flags.isolated:
        return
    sys.path[0:1] = [path]


def _fresh_main() -> types.ModuleType:
    former = sys.modules["__main__"]
    _former_main.append(former)
    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    if "__annotations__" in vars(former):
        # Most Pythons give it to a main module, also to one without annotations.
        main.__dict__["__annotations__"] = {}
    sys.modules["__main__"] = main
    return main


def _script_variables(file: str) -> Dict[str, object]:
    loader = importlib.machinery.SourceFileLoader("__main__", file)
    return {"__file__": file, "__cached__": None, "__loader__": loader}


def _code_of(path: str, file: str) -> types.CodeType:
    if path.endswith(".pyc"):
        code = importlib.machinery.SourcelessFileLoader("__main__", path).get_code("__main__")
        assert code is not None
        return code
    with io.open_code(path) as opened:
        text = opened.read()
    compiled: types.CodeType = compile(text, file, "exec", dont_inherit=True)
    return compiled


Hook = Callable[
    [Type[BaseException], BaseException, Optional[types.TracebackType]],
    object,
]


def _guarded(run: Callable[[], None], main: types.ModuleType) -> None:
    try:
        run()
    except SystemExit:
        raise
    except BaseException:
        # At worst our frames are shown as well.
        with contextlib.suppress(Exception):
            sys.excepthook = _without_our_frames(sys.excepthook)
        raise


def _without_our_frames(hook: Hook) -> Hook:
    """The interpreter shows the error, ends with its exit code, and never mentions us."""

    def show(
        kind: Type[BaseException], error: BaseException, trace: Optional[types.TracebackType]
    ) -> object:
        with contextlib.suppress(Exception):
            trace = _cut(trace)
            error.__traceback__ = trace
        return hook(kind, error, trace)

    return show


def _cut(trace: Optional[types.TracebackType]) -> Optional[types.TracebackType]:
    """What follows the last of our frames."""
    rest = trace
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == __file__:
            rest = trace.tb_next
        trace = trace.tb_next
    return rest
