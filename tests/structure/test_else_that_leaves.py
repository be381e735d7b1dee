"""What follows an `if` whose `else` leaves stands behind it, as it was written, not inside it."""

from __future__ import annotations

import ast

import pytest
from interpreters import ROOT

from depyf.decompile.pipeline import decompile_module

SAMPLE = ROOT / "tests" / "samples" / "else_that_leaves.py"
# Others have an `else` that says nothing, or a handler that 3.13 puts elsewhere.
AS_WRITTEN = "inside_another in_a_loop behind_elif behind_with behind_another_if behind_a_loop"


def functions(source: str) -> dict[str, str]:
    return {one.name: ast.dump(one) for one in ast.parse(source).body if hasattr(one, "name")}


@pytest.mark.parametrize("name", AS_WRITTEN.split())
def test_it_comes_back_as_written(name: str) -> None:
    source = SAMPLE.read_text(encoding="utf-8")
    text = decompile_module(compile(source, str(SAMPLE), "exec", dont_inherit=True)).source
    assert functions(text)[name] == functions(source)[name]
