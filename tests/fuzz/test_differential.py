"""A short, seeded run of the random programs in every Python found, and tests of the shrinker."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from interpreters import ROOT, VERSIONS, environment, find_interpreters
from supervise import run_seeds

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from fuzz import differential  # noqa: E402
from fuzz.programs import generate  # noqa: E402

COUNT = int(os.environ.get("DEPYF_FUZZ_COUNT", "60"))
FOUND = {interpreter.version: interpreter for interpreter in find_interpreters()}


@pytest.mark.parametrize("version", VERSIONS)
def test_decompiled_programs_do_what_the_originals_do(version: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} is not installed")
    worker = HERE / "differential.py"
    events = list(run_seeds(FOUND[version], worker, [], start=1_000_000, count=COUNT, jobs=1))
    failures = [event["failure"] for event in events if "failure" in event]
    assert not failures, (
        failures[0]["kind"] + "\n" + failures[0]["detail"] + failures[0].get("source", "")
    )
    assert sum(event["summary"]["programs"] for event in events) == COUNT


def test_the_generator_makes_the_same_program_again() -> None:
    assert generate(7, (3, 9)) == generate(7, (3, 9))
    assert generate(7, (3, 9)) != generate(8, (3, 9))


def test_the_generator_reaches_every_statement_and_expression() -> None:
    seen = {
        type(node)
        for seed in range(1200)
        for node in ast.walk(ast.parse(generate(seed, sys.version_info)))
    }
    missing = {kind.__name__ for kind in _concrete(ast.stmt) + _concrete(ast.expr)} - {
        kind.__name__ for kind in seen
    }
    # Names of nodes that no parser makes any more.
    assert missing <= {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice"}


def _concrete(kind: type) -> list[type]:
    below = kind.__subclasses__()
    return [leaf for sub in below for leaf in _concrete(sub)] if below else [kind]


def test_a_lie_is_found_and_shrunk() -> None:
    def lying(_code: object, source: str) -> object:
        return source.replace("break", "continue"), [("exact", ())]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed, failure = _first_failure(lying)
        source = generate(seed, sys.version_info)
        small = differential.shrunk(source, seed, failure.kind, lying)
    assert "break" in small
    assert len(small) < len(source) / 4


def _first_failure(decompile: differential.Decompile) -> tuple[int, differential.Failure]:
    for seed in range(500):
        try:
            differential.check(
                generate(seed, sys.version_info), seed, decompile, differential.Tally()
            )
        except differential.Failure as failure:
            return seed, failure
    raise AssertionError("no program noticed")


def test_help() -> None:
    for tool in ("fuzz.py", "mutate_bytecode.py", "stdlib_tests.py"):
        command = [sys.executable, str(ROOT / "tools" / tool), "--help"]
        answer = subprocess.run(command, env=environment(), capture_output=True, text=True)
        assert answer.returncode == 0
        assert "--versions" in answer.stdout
