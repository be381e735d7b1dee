"""Makes ready to run a script or a module as `python` would, here and under the name `__main__`.

What the program can see is what it would see without us: its arguments, the first entry of
`sys.path`, its module, and in a traceback only its own frames. Whoever calls what comes out of here
is the only one of us below the program on the stack.
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
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple, Type

from depyf.errors import DepyfError

STANDARD_INPUT = "-"
# The module that was `__main__`; without this it would be emptied under the feet of its code.
_former_main: List[types.ModuleType] = []


def check_script(path: str) -> None:
    """A mistake in the path is told before anything is set up."""
    if not os.path.exists(path):
        raise DepyfError(f"There is no file called {path!r}.")
    file = _main_of(path) if os.path.isdir(path) else path
    if not os.path.exists(file):
        raise DepyfError(f"{path!r} is a folder without a __main__.py; name a script.")
    with open(file, "rb"):
        pass


def _main_of(folder: str) -> str:
    files = [os.path.join(folder, name) for name in ("__main__.py", "__main__.pyc")]
    return next(filter(os.path.exists, files), files[0])


class Program(NamedTuple):
    """`call(*given)` runs it; there is no frame of ours between the two."""

    call: Callable[..., object]
    given: Tuple[object, ...]


def script(path: str, arguments: List[str]) -> Program:
    """As `python PATH ARGUMENTS` does."""
    sys.argv[:] = [path, *arguments]
    file = _as_file(path)
    if os.path.isdir(path) or (os.path.isfile(path) and _is_archive(path)):
        _set_first_path(file)
        _set_fresh_main()
        return _as_main("__main__", keep_name=True)
    _set_first_path(os.path.dirname(os.path.realpath(path)))
    variables = _set_fresh_main()
    variables.update(_script_variables(file))
    return Program(exec, (_code_of(path, file), variables))


def _as_file(path: str) -> str:
    """Absolute from 3.9 on. Only Windows takes dots out: beyond a link they lead elsewhere."""
    if sys.version_info < (3, 9):
        return path
    return os.path.abspath(path) if os.name == "nt" else os.path.join(os.getcwd(), path)


def standard_input(_dash: str, arguments: List[str]) -> Program:
    """As `python - ARGUMENTS` does."""
    sys.argv[:] = [STANDARD_INPUT, *arguments]
    text = sys.stdin.buffer.read() if sys.stdin is not None else b""
    _set_first_path("")
    variables = _set_fresh_main()
    loader = importlib.machinery.BuiltinImporter
    variables.update({"__file__": "<stdin>", "__cached__": None, "__loader__": loader})
    return Program(exec, (compile(text, "<stdin>", "exec", dont_inherit=True), variables))


def module(name: str, arguments: List[str]) -> Program:
    """As `python -m NAME ARGUMENTS` does."""
    sys.argv[:] = ["-m", *arguments]
    _set_first_path(os.getcwd())
    _set_fresh_main()
    return _as_main(name, keep_name=False)


def _as_main(name: str, keep_name: bool) -> Program:
    # What the interpreter itself calls for -m, folders and archives.
    return Program(runpy._run_module_as_main, (name, not keep_name))  # type: ignore[attr-defined]


def _is_archive(path: str) -> bool:
    import zipfile

    return zipfile.is_zipfile(path)


def _set_first_path(path: str) -> None:
    """In place of the entry that the `depyf` command itself was found by."""
    if getattr(sys.flags, "safe_path", False) or sys.flags.isolated:
        return
    sys.path[0:1] = [path]


def _set_fresh_main() -> Dict[str, object]:
    """Its variables."""
    former = sys.modules["__main__"]
    _former_main.append(former)
    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    if "__annotations__" in vars(former):
        # Most Pythons give it to a main module, also to one without annotations.
        main.__dict__["__annotations__"] = {}
    sys.modules["__main__"] = main
    return main.__dict__


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


class Errors:
    """Around the program: its errors are shown without our frames, and are otherwise its own."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[types.TracebackType],
    ) -> None:
        if kind is not None and not issubclass(kind, SystemExit):
            # At worst our frames are shown as well.
            with contextlib.suppress(Exception):
                sys.excepthook = _without_our_frames(sys.excepthook)


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
    """What follows our frames, which follow those of whoever started us."""
    while trace is not None and not _is_ours(trace):
        trace = trace.tb_next
    while trace is not None and _is_ours(trace):
        trace = trace.tb_next
    return trace


def _is_ours(trace: types.TracebackType) -> bool:
    return os.path.dirname(trace.tb_frame.f_code.co_filename) == os.path.dirname(__file__)
