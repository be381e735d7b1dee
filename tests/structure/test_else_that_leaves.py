"""What follows an `if` whose branch leaves stands where it was written: behind it, or inside."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from interpreters import ROOT

from depyf.decompile.pipeline import decompile_module

SAMPLES = ROOT / "tests" / "samples"
# Others have an `else` that says nothing, or a handler that 3.13 puts elsewhere.
BEHIND = "inside_another in_a_loop behind_elif behind_with behind_another_if behind_a_loop"
EMPTY = "chain in_while in_for"
BY_COLUMN = "with_else without chain separate long_else partly in_loop deeper"


def functions(source: str) -> dict[str, str]:
    return {one.name: ast.dump(one) for one in ast.parse(source).body if hasattr(one, "name")}


def assert_as_written(path: Path, name: str) -> None:
    source = path.read_text(encoding="utf-8")
    text = decompile_module(compile(source, str(path), "exec", dont_inherit=True)).source
    assert functions(text)[name] == functions(source)[name]


@pytest.mark.parametrize("name", BEHIND.split())
def test_behind_an_else(name: str) -> None:
    assert_as_written(SAMPLES / "else_that_leaves.py", name)


@pytest.mark.skipif(sys.version_info[:2] == (3, 12), reason="3.12 turns these tests round")
@pytest.mark.parametrize("name", EMPTY.split())
def test_clauses_that_do_nothing(name: str) -> None:
    assert_as_written(SAMPLES / "empty_clauses.py", name)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="needs the columns of instructions")
@pytest.mark.parametrize("name", BY_COLUMN.split())
def test_columns_tell_of_an_else(name: str) -> None:
    assert_as_written(SAMPLES / "else_as_written.py", name)


def test_a_chain_longer_than_anything_nests() -> None:
    clauses = [f"    elif a == {place}:\n        return {place}\n" for place in range(1, 2000)]
    source = "def f(a):\n    if a == 0:\n        return 0\n" + "".join(clauses)
    result = decompile_module(compile(source, "chain", "exec", dont_inherit=True))
    assert result.verdict == "exact" and not result.notes
