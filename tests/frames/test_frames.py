"""Frames that a code generator wrote: readable, proven, and the same when run, in every Python."""

from __future__ import annotations

import functools
import json
import subprocess
from pathlib import Path

import pytest
from interpreters import VERSIONS, environment, find_interpreters

FOUND = {python.version: python.command for python in find_interpreters()}
WORKER = Path(__file__).with_name("worker.py")
CASES = (
    "frame_branch",
    "frame_profiled",
    "frame_lives_on",
    "frame_hands_over",
    "frame_reads_once",
    "frame_order",
    "frame_shares",
    "frame_cleans_up",
    "frame_goes_on",
    "frame_into_with",
    "frame_makes",
    "frame_of_a_continuation",
    "frame_of_generics",
    "trusted in vain",
)


@functools.lru_cache(maxsize=None)
def answers(version: str) -> dict[str, list[str]]:
    answer = subprocess.run(
        [*FOUND[version], str(WORKER)], env=environment(), capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout.splitlines()[-1])


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("version", VERSIONS)
def test_in_every_python(version: str, case: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} was not found")
    assert set(answers(version)) == set(CASES)
    assert answers(version)[case] == []
