"""One construct a file: decompiled, proven, compiled again and run, on every Python found."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from interpreters import VERSIONS, environment, find_interpreters

HERE = Path(__file__).parent
SAMPLES = sorted((HERE / "samples").glob("*.py"))
# Samples whose text is right but not the same bytecode, by version and with the verdict.
GAPS = json.loads((HERE / "samples" / "gaps.json").read_text(encoding="utf-8"))
INTERPRETERS = {found.version: found for found in find_interpreters()}


@pytest.mark.parametrize("version", VERSIONS)
def test_samples(version: str) -> None:
    if version not in INTERPRETERS:
        pytest.skip(f"Python {version} is not installed")
    command = [*INTERPRETERS[version].command, str(HERE / "sample_worker.py")]
    answer = subprocess.run(
        [*command, *map(str, SAMPLES)], capture_output=True, text=True, env=environment()
    )
    reports = [json.loads(line) for line in answer.stdout.splitlines()]
    assert len(reports) == len(SAMPLES), answer.stderr
    wrong = [f"{report['sample']}: {report['wrong']}" for report in reports if "wrong" in report]
    assert not wrong, f"{len(wrong)} samples on Python {version}\n" + "\n".join(wrong)
    # The list of known gaps may only shrink: neither a new one nor one that is closed may stay.
    gaps = {each["sample"]: each["verdict"] for each in reports if each["verdict"] != "exact"}
    reasons = [each["reason"] for each in reports if each["sample"] in gaps]
    assert gaps == GAPS.get(version, {}), "\n".join(reasons)
