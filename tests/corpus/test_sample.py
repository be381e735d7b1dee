"""A sample of the corpus, on every Python found, against the ratchet. `make corpus` runs it all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "ast.py,contextlib.py,json/*,heapq.py,textwrap.py,queue.py,shlex.py,asyncio/locks.py"


def test_sample() -> None:
    command = [sys.executable, str(ROOT / "tools" / "corpus.py"), "--modules", SAMPLE]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr
