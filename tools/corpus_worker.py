"""Decompiles and proves modules of the standard library of the Python that runs it, or of a folder.

The folder is that of the variable DEPYF_CORPUS_FOLDER. Takes the path of a file that lists
modules (or `--list` to print all there are) and prints one line of JSON for each: first that it
begins, then what came out. Needs nothing but depyf.
"""

from __future__ import annotations

import json
import marshal
import os
import signal
import sys
import time
import traceback
import zipfile
from types import CodeType
from typing import Any, Iterator

SKIPPED_FOLDERS = {
    "test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__",
    "__phello__", "_bundled",
}  # fmt: skip
PYC_HEADER = 16
CPU_LIMIT = float(os.environ.get("DEPYF_CORPUS_CPU_LIMIT", "120"))

# Whose modules: those below a folder that somebody named, all of them, or the standard library.
FOLDER = os.environ.get("DEPYF_CORPUS_FOLDER", "")
HOME = FOLDER or os.path.dirname(os.__file__)


class TooSlowError(BaseException):
    """Not an `Exception`, so that nothing on the way takes it for one of its own."""


def modules() -> Iterator[str]:
    """Every module, as a path relative to its home, sorted."""
    if os.path.isdir(HOME):
        yield from _modules_in_folder()
    else:
        with zipfile.ZipFile(_archive()) as archive:
            yield from sorted(name for name in archive.namelist() if _wanted(name))


def _modules_in_folder() -> Iterator[str]:
    for folder, folders, files in os.walk(HOME):
        folders.sort()
        relative = os.path.relpath(folder, HOME).replace(os.sep, "/")
        prefix = "" if relative == "." else relative + "/"
        folders[:] = [name for name in folders if _is_kept(prefix + name)]
        yield from (prefix + name for name in sorted(files) if _wanted(prefix + name))


def _is_kept(folder: str) -> bool:
    return bool(FOLDER) or folder.rsplit("/", 1)[-1] not in SKIPPED_FOLDERS


def _wanted(path: str) -> bool:
    parts = path.split("/")[:-1]
    return path.endswith((".py", ".pyc")) and all(_is_kept(part) for part in parts)


def _archive() -> str:
    return HOME[: HOME.index(".zip") + len(".zip")]


def load(module: str) -> CodeType | None:
    """The code of a module; nothing if this Python cannot compile it (a template, old syntax)."""
    if os.path.isdir(HOME):
        with open(os.path.join(HOME, module), "rb") as file:
            data = file.read()
    else:
        with zipfile.ZipFile(_archive()) as archive:
            data = archive.read(module)
    if module.endswith(".pyc"):
        return marshal.loads(data[PYC_HEADER:])
    try:
        return compile(data, module, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None


def examine(module: str) -> dict[str, Any] | None:
    """What came out for one module; nothing if there is no code to begin with."""
    code = load(module)
    if code is None:
        return None
    report: dict[str, Any] = {"module": module, "compiles": False, "parts": [], "error": ""}
    start = time.process_time()
    _limit_cpu(CPU_LIMIT)
    try:
        _decompile(code, report)
    except TooSlowError:
        report["error"] = f"not finished after {CPU_LIMIT:g} s of CPU time"
    except Exception as error:
        report["error"] = _described(error)
    finally:
        _limit_cpu(0)
    report["seconds"] = time.process_time() - start
    return report


def _decompile(code: CodeType, report: dict[str, Any]) -> None:
    from depyf.decompile.pipeline import decompile_module

    result = decompile_module(code)
    report["parts"] = [
        [part.qualname, part.firstlineno, part.verdict, part.reason, list(part.notes)]
        for part in result.parts
    ]
    try:
        compile(result.source, report["module"], "exec", dont_inherit=True)
        report["compiles"] = True
    except (SyntaxError, ValueError) as error:
        report["error"] = f"the source does not compile: {error}"


def _described(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if "depyf" in frame.filename] or frames
    place = f"{os.path.basename(inside[-1].filename)}:{inside[-1].lineno}"
    return f"{type(error).__name__}: {error} ({place} in {inside[-1].name})"


def _limit_cpu(seconds: float) -> None:
    """Raise `TooSlowError` after so much CPU time; 0 for no limit. Not every system can."""
    if hasattr(signal, "setitimer") and sys.platform != "emscripten":
        signal.signal(signal.SIGVTALRM, _too_slow)
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def _too_slow(*_: object) -> None:
    raise TooSlowError


def say(message: object) -> None:
    print(json.dumps(message), flush=True)


def main(argument: str) -> None:
    if argument == "--list":
        say(list(modules()))
        return
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000))
    with open(argument, encoding="utf-8") as file:
        names = file.read().split("\n")
    for name in filter(None, names):
        say({"begin": name})
        say({"module": name, "done": examine(name)})


if __name__ == "__main__":
    main(sys.argv[1])
