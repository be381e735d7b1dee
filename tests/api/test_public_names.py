"""`import depyf`: the public names, and what importing them costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import depyf


def run(program: str) -> str:
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return answer.stdout


def test_every_public_name_is_there() -> None:
    for name in depyf.__all__:
        assert getattr(depyf, name) is not None
    assert isinstance(depyf.__version__, str)
    assert {"decompile", "Decompiler", "DecompilationError"} <= set(dir(depyf))


def test_the_old_import_path() -> None:
    from depyf.decompiler import DecompilationError, Decompiler, decompile

    assert Decompiler is depyf.Decompiler
    assert DecompilationError is depyf.DecompilationError
    assert decompile(test_the_old_import_path).startswith("def ")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        depyf.nonsense  # noqa: B018


def test_decompile_stays_a_function_when_its_package_is_imported() -> None:
    program = "import depyf.decompile.api, depyf; print(type(depyf.decompile).__name__)"
    assert run(program).strip() == "function"


def test_importing_loads_only_the_package_itself() -> None:
    program = (
        "import sys; before = set(sys.modules); import depyf;"
        "print(*sorted(set(sys.modules) - before))"
    )
    assert set(run(program).split()) <= {"depyf", "depyf.decompile", "__future__"}


def test_decompiling_does_not_import_torch() -> None:
    program = "import sys, depyf; depyf.decompile(lambda x: x + 1); print('torch' in sys.modules)"
    assert run(program).strip() == "False"
