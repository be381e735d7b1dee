"""`depyf run`: whatever function of ours raises, the program ends as it would have ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import depyf

WORKER = Path(__file__).with_name("run_worker.py")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the runs are forks of one process")
@pytest.mark.parametrize("options", [[], ["--debug"]], ids=["run", "debug"])
def test_an_error_of_ours_stays_ours(options: list[str], tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(depyf.__file__).parent.parent)}
    for name in ("PYTHONBREAKPOINT", "RANK"):
        environment.pop(name, None)
    done = subprocess.run(
        [sys.executable, str(WORKER), str(tmp_path), *options],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert not found["problems"], "\n".join(found["problems"])
    assert len(found["tested"]) >= 4
