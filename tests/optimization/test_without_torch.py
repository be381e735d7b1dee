"""torch stays away until it is asked for, and its absence is said in a sentence."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from interpreters import environment

WITHOUT = "import sys; sys.modules['torch'] = None\n"


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment()
    )


def test_import_depyf_imports_neither_torch_nor_this() -> None:
    answer = run(
        "import depyf, sys; print('torch' in sys.modules, 'depyf.optimization' in sys.modules)"
    )
    assert answer.stdout.split() == ["False", "False"]


def test_without_torch_the_error_says_what_to_install() -> None:
    answer = run(WITHOUT + "from depyf.optimization import unguarded")
    assert "ImportError: depyf.optimization needs PyTorch: pip install torch" in answer.stderr


def test_the_attribute_is_the_package() -> None:
    answer = run("import depyf; print(depyf.optimization.unguarded)")
    if find_spec("torch") is None:
        assert "ImportError: depyf.optimization needs PyTorch" in answer.stderr
    else:
        assert answer.stdout.startswith("<function unguarded"), answer.stderr


def test_without_torch_the_attribute_says_what_to_install() -> None:
    answer = run(WITHOUT + "import depyf; depyf.optimization")
    assert "ImportError: depyf.optimization needs PyTorch: pip install torch" in answer.stderr


def test_without_torch_decompiling_works() -> None:
    answer = run(WITHOUT + "import depyf\nprint(depyf.decompile((lambda: 1).__code__))")
    assert answer.returncode == 0, answer.stderr
