"""The checker must object to every semantic mutation; `tools/checker_mutations.py` tries more."""

from __future__ import annotations

import pytest
from checker_mutations import run_elsewhere
from interpreters import VERSIONS, find_interpreters

FOUND = {python.version: python.command for python in find_interpreters()}
COUNT = 1000


@pytest.mark.parametrize("version", VERSIONS)
def test_every_mutation_is_objected_to(version: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} was not found")
    outcome = run_elsewhere(FOUND[version], COUNT, seed=0)
    assert sum(row["tried"] for row in outcome.values()) >= COUNT
    assert [case for row in outcome.values() for case in row["missed"]] == []
