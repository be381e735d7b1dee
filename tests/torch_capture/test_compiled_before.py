"""A function with a graph break that was compiled before depyf began to watch."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf  # noqa: E402
from depyf.torch_capture import compat  # noqa: E402

from .loading import load_file  # noqa: E402
from .programs import files_in, fresh, session_of  # noqa: E402


def breaks(x: torch.Tensor) -> torch.Tensor:
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2


def nothing_behind(x: torch.Tensor) -> None:
    x.add_(1)
    torch._dynamo.graph_break()


def compiled_before(function: Callable[..., object]) -> Callable[..., object]:
    made = torch.compile(fresh(function), backend="eager", dynamic=False)
    made(torch.ones(2))
    return made


def story_of(folder: Path, name: str) -> str:
    (found,) = [each for each in files_in(folder) if each.startswith("full_code_for_")]
    assert found == f"full_code_for_{name}_0.py"
    return (folder / found).read_text(encoding="utf-8")


def said_in(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


def test_the_continuation_is_part_of_the_story(tmp_path: Path) -> None:
    function = compiled_before(breaks)
    with depyf.prepare_debug(tmp_path):
        pass
    with depyf.prepare_debug(tmp_path):
        for size in (2, 3):
            function(torch.ones(size))
    text = story_of(tmp_path, "breaks")
    assert "not_here" not in text and "not reached" not in text
    frames = session_of(tmp_path).frames
    assert [len(frame.graphs) for frame in frames] == [1] * 4
    module = load_file(tmp_path / "full_code_for_breaks_0.py")
    for size in (2, 3):
        assert module.breaks(torch.ones(size)).tolist() == [4.0] * size


def test_also_where_it_was_seen_in_one_block_alone(tmp_path: Path) -> None:
    function = compiled_before(breaks)
    with depyf.prepare_debug(tmp_path):
        function(torch.ones(3))
    assert "not_here" not in story_of(tmp_path, "breaks")


def test_breaks_that_nobody_told_of_are_not_counted_as_none(tmp_path: Path) -> None:
    function = compiled_before(breaks)
    with depyf.prepare_debug(tmp_path):
        function(torch.ones(2))
    assert "0 graph breaks told of (none of those in code compiled before" in said_in(tmp_path)
    with depyf.prepare_debug(tmp_path):
        function(torch.ones(3))
    if compat.explains_breaks():
        assert "1 graph break, " in said_in(tmp_path)


def test_an_empty_continuation_is_not_said_to_be_out_of_reach(tmp_path: Path) -> None:
    function = compiled_before(nothing_behind)
    with depyf.prepare_debug(tmp_path):
        function(torch.ones(2))
    text = story_of(tmp_path, "nothing_behind")
    assert "# Skipped\n" in text and "Not reached" not in text
    assert "not_here" not in text


def test_what_is_compiled_again_has_a_name(tmp_path: Path) -> None:
    function = compiled_before(breaks)
    with depyf.prepare_debug(tmp_path):
        function(torch.ones(3))
    again = session_of(tmp_path).recompilations
    assert again and all(
        one.function.endswith("breaks") or "resume" in one.function for one in again
    )
