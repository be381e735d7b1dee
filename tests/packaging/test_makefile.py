"""What `make demo` installs, and says about it, with a Python that only writes down its calls."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from interpreters import ROOT, environment

PYTHON = """\
#!/bin/sh
echo "$@" >> calls
case "$*" in {without}) exit 1;; esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    return tmp_path


def demo(checkout: Path, *arguments: str, without: str = "nothing") -> tuple[str, list[str]]:
    """What is said, and what was called. pip fails where its words fit the pattern `without`."""
    python = checkout / ".venv" / "bin" / "python"
    python.write_text(PYTHON.format(without=without), encoding="utf-8")
    python.chmod(0o755)
    # What a `make test TORCH=no` around us was told is not for this one.
    handed_down = ("MAKE", "MFLAGS", "TORCH")
    kept = {k: v for k, v in environment().items() if not k.startswith(handed_down)}
    answer = subprocess.run(
        ["make", "demo", *arguments],
        capture_output=True,
        text=True,
        env=kept,
        cwd=checkout,
        timeout=60,
    )
    assert answer.returncode == 0, answer.stderr
    calls = (checkout / "calls").read_text(encoding="utf-8").splitlines()
    (checkout / "calls").unlink()
    return answer.stdout, calls


def test_the_torch_of_the_tests_comes_first(checkout: Path) -> None:
    _, calls = demo(checkout)
    assert [call.partition("--editable ")[2] for call in calls] == [
        ".[dev]",
        ".[dev,torch-tests]",
        "",
    ]
    assert calls[-1] == "examples/demo.py"


def test_a_python_that_this_torch_is_not_made_for_gets_another(checkout: Path) -> None:
    said, calls = demo(checkout, without="*torch-tests*")
    assert "the newest that this Python has" in said and "could not" not in said
    assert calls[-2].endswith("--editable .[dev,torch] numpy")


def test_without_any_torch_the_demo_still_runs(checkout: Path) -> None:
    said, calls = demo(checkout, without="*torch*")
    assert "torch could not be installed: what needs it is left out" in said
    assert calls[-1] == "examples/demo.py"


def test_doing_without_torch_says_nothing_about_what_is_installed(checkout: Path) -> None:
    demo(checkout)
    said, calls = demo(checkout, "TORCH=no")
    assert said == "TORCH=no: the installation of torch is left out\n"
    assert calls == ["examples/demo.py --without-torch"]
