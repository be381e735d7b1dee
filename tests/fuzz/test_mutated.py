"""A short, seeded run of damaged code objects and .pyc files in every Python found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from interpreters import VERSIONS, find_interpreters
from supervise import run_seeds

WORKER = Path(__file__).resolve().parent / "mutated.py"
COUNT = int(os.environ.get("DEPYF_FUZZ_COUNT", "150"))
FOUND = {interpreter.version: interpreter for interpreter in find_interpreters()}


@pytest.mark.parametrize("version", VERSIONS)
def test_damaged_bytecode_gives_source_or_an_error(version: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} is not installed")
    events = list(run_seeds(FOUND[version], WORKER, [], start=1_000_000, count=COUNT, jobs=1))
    failures = [event["failure"] for event in events if "failure" in event]
    assert not failures, failures[0]["kind"] + "\n" + failures[0]["detail"]
    outcomes = [event["summary"]["outcomes"] for event in events if "summary" in event]
    assert sum(sum(counts.values()) for counts in outcomes) == COUNT
