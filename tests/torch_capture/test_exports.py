"""What a folder says of `torch.export`, which runs no code of its own."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf  # noqa: E402
from depyf.torch_capture import compat  # noqa: E402

from .programs import files_in, fresh, session_of  # noqa: E402

needs_aot_compile = pytest.mark.skipif(
    importlib.util.find_spec("torch._dynamo.aot_compile") is None,
    reason="this torch has no aot_compile",
)


def plus_one(x: torch.Tensor) -> torch.Tensor:
    return x + 1


class Exported(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.sin() + 1


@pytest.mark.parametrize("strict", [False, True], ids=["non-strict", "strict"])
def test_export(tmp_path: Path, strict: bool) -> None:
    with depyf.prepare_debug(tmp_path):
        program = torch.export.export(Exported(), (torch.ones(3),), strict=strict)
    assert torch.equal(program.module()(torch.ones(3)), torch.ones(3).sin() + 1)
    session = session_of(tmp_path)
    assert session.problems == []
    assert all(frame.name and frame.file and frame.line for frame in session.frames)
    assert "nothing in it to compile" not in said_in(tmp_path)
    if not (starts_no_frame() if strict else shows_graphs_without_dynamo()):
        return
    (frame,) = session.frames
    assert (frame.name, frame.outcome) == ("forward", "exported")
    assert frame.line == Exported.forward.__code__.co_firstlineno
    assert [graph.number for graph in session.graphs] == frame.graphs
    assert len(frame.graphs) == strict
    said = "no code of its own runs" if strict else "does not go through Dynamo"
    assert said in said_in(tmp_path) and "1 exported function." in said_in(tmp_path)
    for name in files_in(tmp_path):
        if name.startswith("__compiled_fn_"):
            text = (tmp_path / name).read_text(encoding="utf-8")
            assert "# Exported from " in text and "Called by" not in text


@needs_aot_compile
def test_what_is_compiled_ahead_of_time(tmp_path: Path) -> None:
    """Its stages come without a compile id, those of an export behind it as well."""
    with depyf.prepare_debug(tmp_path):
        ahead = torch.compile(fresh(plus_one), fullgraph=True).aot_compile(((torch.ones(3),), {}))
        module = torch.compile(Exported(), fullgraph=True)
        module.forward.aot_compile(((torch.ones(3),), {}))
        torch.compile(fresh(plus_one), backend="eager")(torch.ones(2))
    assert torch.equal(ahead(torch.ones(3)), torch.full((3,), 2.0))
    session = session_of(tmp_path)
    assert session.problems == [] and "belongs to no graph" not in said_in(tmp_path)
    assert [(frame.qualname, frame.outcome) for frame in session.frames] == [
        ("plus_one", "ahead of time"),
        ("Exported.forward", "ahead of time"),
        ("plus_one", "compiled"),
    ]
    kinds = [[stage.kind for stage in graph.stages] for graph in session.graphs]
    whole = ["Captured_Graph", "Forward_graph", "AFTER_POST_GRAD", "kernel"]
    assert kinds == [whole, whole, ["Captured_Graph"]]
    assert "2 functions compiled ahead of time." in said_in(tmp_path)
    text = next(tmp_path.glob("*.kernel_0.py")).read_text(encoding="utf-8")
    assert "# Compiled ahead of time from " in text and "Called by" not in text


@needs_aot_compile
def test_a_compilation_ahead_of_time_that_fails_is_named(tmp_path: Path) -> None:
    def refuses(graph: object, inputs: object) -> None:
        raise ValueError("no")

    def breaks(x: torch.Tensor) -> torch.Tensor:
        torch._dynamo.graph_break()
        return x

    with depyf.prepare_debug(tmp_path):
        for function, backend in ((fresh(plus_one), refuses), (breaks, "inductor")):
            compiled = torch.compile(function, fullgraph=True, backend=backend)
            with pytest.raises(Exception, match=r"no|break"):
                compiled.aot_compile(((torch.ones(3),), {}))
    session = session_of(tmp_path)
    assert session.problems == []
    assert [(frame.name, frame.outcome) for frame in session.frames] == [
        ("plus_one", "failed"),
        ("breaks", "failed"),
    ]


def test_an_export_that_fails_is_named(tmp_path: Path) -> None:
    class Breaks(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            torch._dynamo.graph_break()
            return x + 1

    with depyf.prepare_debug(tmp_path), pytest.raises(Exception, match="break"):
        torch.export.export(Breaks(), (torch.ones(3),), strict=True)
    session = session_of(tmp_path)
    assert session.problems == []
    assert all(frame.name and frame.file and frame.line for frame in session.frames)
    if starts_no_frame():
        assert [(frame.name, frame.outcome) for frame in session.frames] == [("forward", "failed")]
        assert "in: `" in said_in(tmp_path)


def test_a_compilation_behind_an_export_is_its_own(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        torch.export.export(Exported(), (torch.ones(3),), strict=True)
        torch.compile(fresh(plus_one), backend="eager")(torch.ones(2))
        torch.export.export(Exported(), (torch.ones(3),), strict=False)
    session = session_of(tmp_path)
    assert session.problems == [] and len(session.graphs) == 2
    (own,) = [frame for frame in session.frames if frame.name == "plus_one"]
    assert own.outcome == "compiled" and len(own.graphs) == 1
    if starts_no_frame():
        outcomes = [frame.outcome for frame in session.frames]
        last = ["exported"] if shows_graphs_without_dynamo() else []
        assert outcomes == ["exported", "compiled", *last]


def shows_graphs_without_dynamo() -> bool:
    """Up to 2.13 a graph is shown while `strict=False` exports, which is how we notice it."""
    version = tuple(int(part) for part in torch.__version__.split(".")[:2])
    return compat.trace_logger() is not None and version < (2, 14)


def starts_no_frame() -> bool:
    """A newer torch captures the graph of an export alone; before, it compiles a frame."""
    import torch._dynamo.convert_frame

    return hasattr(torch._dynamo.convert_frame, "fullgraph_capture")


def said_in(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")
