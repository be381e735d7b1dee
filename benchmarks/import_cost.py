"""What `import depyf` costs, in units of `import ast, dis`."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Iterator

from bars import Line

RUNS = 15
PROGRAM = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"


def measure(quick: bool) -> Iterator[Line]:
    ours = theirs = float("inf")
    for _ in range(5 if quick else RUNS):
        ours = min(ours, _seconds("depyf"))
        theirs = min(theirs, _seconds("ast, dis"))
    remark = f"{ours * 1000:.2f} ms against {theirs * 1000:.2f} ms"
    yield Line("import depyf / import ast, dis", ours / theirs, 2, remark)


def _seconds(what: str) -> float:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    # -S: without `site`, whose own imports would hide the cost of both.
    command = [sys.executable, "-S", "-c", PROGRAM.format(what)]
    answer = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return float(answer.stdout)
