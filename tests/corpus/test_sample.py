"""A sample of the corpus, on every Python found, against the ratchet. `make corpus` runs it all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "ast.py,contextlib.py,json/*,heapq.py,textwrap.py,queue.py,shlex.py,asyncio/locks.py"


def corpus(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "corpus.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_sample() -> None:
    answer = corpus("--modules", SAMPLE)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_all_modules_below_a_folder(tmp_path: Path) -> None:
    inner = tmp_path / "tests"
    inner.mkdir()
    (tmp_path / "one.py").write_text("def f(x):\n    return x if x else None\n")
    (inner / "two.py").write_text("def g():\n    pass\n")
    (inner / "no_python.py").write_text("def {{ name }}\n")
    running = "%d.%d" % sys.version_info[:2]
    answer = corpus("--folder", str(tmp_path), "--versions", running)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    version, modules, compiling, codes, exact, *_ = answer.stdout.splitlines()[-1].split()
    assert (version, modules, compiling, codes, exact) == (running, "2", "2", "4", "4")


def test_a_folder_has_no_ratchet(tmp_path: Path) -> None:
    assert "there is no folder" in corpus("--folder", str(tmp_path / "missing")).stderr
    assert "ratchet" in corpus("--folder", str(tmp_path), "--init").stderr
