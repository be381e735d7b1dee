"""The order of blocks never depends on where in memory they happen to lie."""

from __future__ import annotations

import pytest

from depyf.decompile.decode.code import code_from_live
from depyf.decompile.decode.normalise import normalise
from depyf.decompile.flow.graph import EXIT, Block, build_graph

SOURCE = """\
if a:
    b()
"""


@pytest.mark.parametrize("factor", [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9])
def test_blocks_of_one_place_come_as_they_are_reached(
    factor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sets of blocks are walked by their hashes, which are their addresses."""
    monkeypatch.setattr(Block, "__hash__", lambda block: id(block) * factor >> 17 & 0xFFFFFFFF)
    graph = build_graph(normalise(code_from_live(compile(SOURCE, "<test>", "exec"))))
    entry = graph.entry
    made = [graph.new_block(entry, [], EXIT) for _ in range(12)]
    entry.set_succs(list(made))
    assert graph.ends() == made
    assert graph.blocks() == [entry, *made]
