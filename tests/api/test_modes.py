"""Code that `compile()` made of an expression or a line of a prompt, on every Python found."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from interpreters import VERSIONS, environment, find_interpreters

from depyf import decompile

FOUND = {python.version: python.command for python in find_interpreters()}
WORKER = Path(__file__).with_name("modes_worker.py")


@pytest.mark.parametrize("version", VERSIONS)
def test_expressions_and_prompts_are_exact(version: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} is not installed")
    answer = subprocess.run(
        [*FOUND[version], str(WORKER)], env=environment(), capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout.splitlines()[-1]) == []


def test_a_module_that_returns_a_value_and_is_no_expression_is_labelled() -> None:
    made = compile("a = 1\nb = a", "<input>", "exec")
    none = made.co_consts.index(None)
    consts = tuple(7 if place == none else value for place, value in enumerate(made.co_consts))
    text = decompile(made.replace(co_consts=consts))
    assert text.startswith("# depyf: unverified: ")
    assert text.endswith("a = 1\nb = a\n")
