"""Finds the Pythons that the project supports on this machine.

Names on PATH come first, then what lies below `pyenv root`. Python 3.14 also runs under node,
from a WebAssembly build, where `tools/python314` has been set up.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Iterator, NamedTuple

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14")
ROOT = Path(__file__).resolve().parent.parent
NODE_RUNNER = ROOT / "tools" / "python314" / "run.mjs"


class Interpreter(NamedTuple):
    version: str
    command: list[str]


def find_interpreters(wanted: list[str] | None = None) -> list[Interpreter]:
    """One interpreter for every supported version that is there, oldest first."""
    found = (_find(version) for version in wanted or VERSIONS)
    return [interpreter for interpreter in found if interpreter is not None]


def missing_versions(found: list[Interpreter], wanted: list[str] | None = None) -> list[str]:
    have = {interpreter.version for interpreter in found}
    return [version for version in wanted or VERSIONS if version not in have]


def environment() -> dict[str, str]:
    """The environment in which an interpreter sees this source tree and nothing of its caller's."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    kept.update(PYTHONHASHSEED="0", PYTHONIOENCODING="utf-8", PYTHONDONTWRITEBYTECODE="1")
    return {**kept, "PYTHONPATH": str(ROOT / "src")}


def _find(version: str) -> Interpreter | None:
    for candidate in _candidates(version):
        executable = _executable_of(candidate, version)
        if executable is not None:
            return Interpreter(version, [executable])
    if version == "3.14" and _node_works():
        return Interpreter(version, ["node", str(NODE_RUNNER)])
    return None


def _candidates(version: str) -> Iterator[str]:
    on_path = shutil.which(f"python{version}")
    if on_path:
        yield on_path
    root = _pyenv_root()
    if root is not None:
        for home in sorted(root.glob(f"versions/{version}.*"), reverse=True):
            yield str(home / "bin" / "python")


def _pyenv_root() -> Path | None:
    if "PYENV_ROOT" in os.environ:
        return Path(os.environ["PYENV_ROOT"])
    if shutil.which("pyenv") is None:
        return None
    answer = subprocess.run(["pyenv", "root"], capture_output=True, text=True)
    return Path(answer.stdout.strip()) if answer.returncode == 0 else None


def _executable_of(command: str, version: str) -> str | None:
    """The real path behind a command, if it runs and is that version.

    Asking is needed: pyenv's shims exist for versions that are not active, and they are slow.
    """
    question = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"
    try:
        answer = subprocess.run(
            [command, "-c", question], capture_output=True, text=True, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found, _, executable = answer.stdout.strip().partition(" ")
    return executable if answer.returncode == 0 and found == version else None


def _node_works() -> bool:
    installed = (NODE_RUNNER.parent / "node_modules" / "pyodide").is_dir()
    return shutil.which("node") is not None and NODE_RUNNER.exists() and installed
