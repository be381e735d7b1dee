"""Ways into and out of a capture that others fell over, one test each."""

from __future__ import annotations

import gc
import json
import os
import pickle
import subprocess
import sys
import threading
import types
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf  # noqa: E402
from depyf.decompile.frames import FrameText  # noqa: E402
from depyf.torch_capture import compat, hook, prepare  # noqa: E402

from .programs import (  # noqa: E402
    files_in,
    fresh,
    needs_trace,
    run_toy,
    same,
    session_of,
    stages,
    toy_example,
)


def plus_one(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def compiled_plus_one(**options: object) -> object:
    return torch.compile(fresh(plus_one), **{"backend": "eager", **options})


def transformed(folder: Path) -> list[str]:
    return [name for name in files_in(folder) if name.startswith("__transformed_code_")]


# Entering and leaving


def test_compiled_before_entering(tmp_path: Path) -> None:
    function = compiled_plus_one()
    function(torch.ones(2))
    with depyf.prepare_debug(tmp_path):
        assert torch.equal(function(torch.ones(2)), torch.full((2,), 2.0))
    (frame,) = [f for f in session_of(tmp_path).frames if f.name == "plus_one"]
    assert frame.compiled_before and not frame.swapped and frame.guards
    assert frame.transformed is not None and "__compiled_fn" in frame.transformed.source
    (graph,) = session_of(tmp_path).graphs
    assert graph.stages == [] and graph.missing
    first_line = (tmp_path / frame.transformed_file).read_text(encoding="utf-8").split("\n")[0]
    assert "compiled before" in first_line


def test_the_same_folder_again(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        run_toy(rounds=1)
    first = {name: (tmp_path / name).read_text(encoding="utf-8") for name in transformed(tmp_path)}
    with depyf.prepare_debug(tmp_path):
        function = compiled_plus_one()
        function(torch.ones(2))
    names = [frame.name for frame in session_of(tmp_path).frames]
    assert "toy_example" in names and "plus_one" in names
    assert set(first) < set(transformed(tmp_path))
    for name, text in first.items():
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(text.split("\n\n\n")[0])


def test_the_same_function_again_gets_the_next_number(tmp_path: Path) -> None:
    for size in (2, 3):
        with depyf.prepare_debug(tmp_path):
            torch._dynamo.reset()
            compiled_plus_one()(torch.ones(size))
    assert transformed(tmp_path) == [
        "__transformed_code_0_for_plus_one.py",
        "__transformed_code_1_for_plus_one.py",
    ]


def test_a_folder_that_was_emptied_starts_anew(tmp_path: Path) -> None:
    for _ in range(2):
        for name in files_in(tmp_path):
            (tmp_path / name).unlink()
        torch._dynamo.reset()
        with depyf.prepare_debug(tmp_path):
            compiled_plus_one()(torch.ones(2))
        assert transformed(tmp_path) == ["__transformed_code_0_for_plus_one.py"]


def test_nested_on_one_folder(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        with depyf.prepare_debug(tmp_path):
            compiled_plus_one()(torch.ones(2))
        run_toy(rounds=1)
    names = [f.name for f in session_of(tmp_path).frames if f.outcome == "compiled"]
    assert names.count("plus_one") == 1 and names.count("toy_example") == 1


def test_nested_on_two_folders(tmp_path: Path) -> None:
    outer, inner = tmp_path / "outer", tmp_path / "inner"
    with depyf.prepare_debug(outer):
        with depyf.prepare_debug(inner):
            compiled_plus_one()(torch.ones(2))
        run_toy(rounds=1)
    assert "plus_one" in [frame.name for frame in session_of(inner).frames]
    assert "toy_example" not in [frame.name for frame in session_of(inner).frames]
    assert {"plus_one", "toy_example"} <= {frame.name for frame in session_of(outer).frames}
    texts = [(one / "__transformed_code_0_for_plus_one.py").read_text() for one in (inner, outer)]
    running = inner / "__transformed_code_0_for_plus_one.py"
    said = f"# The text of another capture runs, not this file: {running}\n"
    assert [text.startswith(said) for text in texts] == [False, True]
    assert said in (outer / "full_code_for_plus_one_0.py").read_text()
    assert "the text of another capture runs" in (outer / "README.md").read_text()


def test_by_hand_and_in_the_wrong_order(tmp_path: Path) -> None:
    one, two = depyf.prepare_debug(tmp_path / "one"), depyf.prepare_debug(tmp_path / "two")
    one.__enter__()
    two.__enter__()
    compiled_plus_one()(torch.ones(2))
    one.__exit__(None, None, None)
    compiled_plus_one()(torch.ones(3))
    two.__exit__(None, None, None)
    two.__exit__(None, None, None)
    assert len(session_of(tmp_path / "one").frames) == 1
    assert len(session_of(tmp_path / "two").frames) == 2


# Exceptions


def test_an_exception_of_the_program_passes(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="mine"), depyf.prepare_debug(tmp_path):
        compiled_plus_one()(torch.ones(2))
        raise KeyError("mine")
    assert [frame.name for frame in session_of(tmp_path).frames] == ["plus_one"]


def test_an_exception_inside_compiled_code(tmp_path: Path) -> None:
    def divide(x: torch.Tensor, y: list[int]) -> torch.Tensor:
        x = x + 1
        torch._dynamo.graph_break()
        return x * y[5]

    with depyf.prepare_debug(tmp_path), pytest.raises(Exception, match="out of range"):
        torch.compile(divide, backend="eager")(torch.ones(2), [1])
    session = session_of(tmp_path)
    assert "divide" in [frame.name for frame in session.frames]
    if compat.explains_breaks():
        (rest,) = [frame for frame in session.frames if frame.name != "divide"]
        assert rest.outcome == "skipped" and "xception" in rest.reason and rest.original


@needs_trace
def test_an_exception_of_the_backend(tmp_path: Path) -> None:
    def backend(graph: object, inputs: object) -> object:
        raise RuntimeError("backend refuses")

    with depyf.prepare_debug(tmp_path), pytest.raises(Exception, match="backend refuses"):
        compiled_plus_one(backend=backend)(torch.ones(2))
    (frame,) = session_of(tmp_path).frames
    assert frame.outcome == "failed" and "backend refuses" in frame.reason


@needs_trace
def test_fullgraph_that_breaks(tmp_path: Path) -> None:
    def breaks(x: torch.Tensor) -> torch.Tensor:
        torch._dynamo.graph_break()
        return x + 1

    with depyf.prepare_debug(tmp_path), pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(breaks, backend="eager", fullgraph=True)(torch.ones(2))
    session = session_of(tmp_path)
    assert session.frames[0].outcome == "failed" and session.frames[0].reason
    assert not compat.explains_breaks() or session.breaks[0].explanation


# Kinds of programs


def test_a_backend_object_without_code(tmp_path: Path) -> None:
    class Backend:
        def __call__(self, graph: torch.fx.GraphModule, inputs: object) -> object:
            return graph.forward

    with depyf.prepare_debug(tmp_path):
        compiled_plus_one(backend=Backend())(torch.ones(2))
    assert list(stages(session_of(tmp_path)).values()) == [[("Captured_Graph", "")]]


def test_dynamic_shapes_and_why_it_was_compiled_again(tmp_path: Path) -> None:
    function = compiled_plus_one()
    with depyf.prepare_debug(tmp_path):
        for size in (4, 5, 6):
            function(torch.ones(size))
    session = session_of(tmp_path)
    assert [frame.compile_id[-2:] for frame in session.frames] == ["/0", "/1"]
    if compat.trace_logger() is None:
        return
    (again,) = session.recompilations
    assert again.compile_id == session.frames[1].compile_id and again.function == "plus_one"
    assert "size mismatch" in again.failures[0]
    assert [frame.cache_position for frame in session.frames] in ([0, 1], [1, 0])


@needs_trace
@needs_trace
def test_a_continuation_with_nothing_to_compile(tmp_path: Path) -> None:
    def ends(x: torch.Tensor) -> int:
        x.sin()
        torch._dynamo.graph_break()
        return 5

    with depyf.prepare_debug(tmp_path):
        assert torch.compile(ends, backend="eager")(torch.ones(2)) == 5
    first, rest = session_of(tmp_path).frames
    assert first.outcome == "compiled" and first.transformed is not None
    assert rest.outcome == "skipped" and "nothing in it to compile" in rest.reason
    assert rest.original is not None and rest.resumed_by == first.resumes


@needs_trace
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_a_compilation_that_is_interrupted(tmp_path: Path, error: type[BaseException]) -> None:
    def backend(graph: torch.fx.GraphModule, inputs: object) -> object:
        raise error

    with depyf.prepare_debug(tmp_path), pytest.raises(error):
        torch.compile(fresh(plus_one), backend=backend)(torch.ones(2))
    (frame,) = session_of(tmp_path).frames
    assert frame.outcome == "failed" and frame.name == "plus_one"
    assert frame.reason == f"the compilation was interrupted by {error.__name__}"
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert f"failed, {frame.reason}" in readme


@needs_trace
def test_an_interruption_that_is_handled_is_none_of_the_compilation(tmp_path: Path) -> None:
    def empty(x: torch.Tensor) -> torch.Tensor:
        torch._dynamo.graph_break()
        return x

    with depyf.prepare_debug(tmp_path):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            torch.compile(empty, backend="eager")(torch.ones(2))
    frames = session_of(tmp_path).frames
    assert frames and not any("interrupted" in frame.reason for frame in frames)


def test_more_recompilations_than_the_limit(tmp_path: Path) -> None:
    limit = (
        "recompile_limit"
        if hasattr(torch._dynamo.config, "recompile_limit")
        else "cache_size_limit"
    )
    with torch._dynamo.config.patch({limit: 3}), depyf.prepare_debug(tmp_path):
        function = compiled_plus_one(dynamic=False)
        for size in range(2, 8):
            assert function(torch.ones(size)).sum() == 2 * size
    session = session_of(tmp_path)
    if not compat.tells_frames_beyond_limit():
        assert "recompile limit" in " ".join(session.unavailable)
        return
    assert [frame.outcome for frame in session.frames] == ["compiled"] * 3 + ["skipped"]
    assert session.frames[-1].name == "plus_one" and "limit" in session.frames[-1].reason
    assert len(session.recompilations) == 2 and session.breaks == []


@needs_trace
def test_compiled_autograd(tmp_path: Path) -> None:
    weight = torch.ones(3, requires_grad=True)
    with depyf.prepare_debug(tmp_path), torch._dynamo.config.patch(compiled_autograd=True):
        function = torch.compile(lambda x: (x * weight).sum(), backend="aot_eager")

        @torch.compile(backend="aot_eager")
        def train(x: torch.Tensor) -> None:
            (x * weight).sum().backward()

        train(torch.full((3,), 2.0))
        function(torch.ones(3))
    assert weight.grad is not None and weight.grad.tolist() == [2.0, 2.0, 2.0]
    session = session_of(tmp_path)
    assert session.problems == []
    kinds = [kind for each in stages(session).values() for kind, _ in each]
    told = "compiled autograd" not in " ".join(session.unavailable)
    assert ("Compiled_autograd_graph" in kinds) == told


def test_a_module_destroyed_before_leaving(tmp_path: Path) -> None:
    module = torch.nn.Linear(2, 2)
    with depyf.prepare_debug(tmp_path):
        torch.compile(module, backend="eager")(torch.ones(2))
        del module
        torch._dynamo.reset()
        gc.collect()
    session = session_of(tmp_path)
    assert session.problems == []
    assert [frame.outcome for frame in session.frames] == ["compiled"]


def test_code_is_not_kept_alive(tmp_path: Path) -> None:
    """Torch frees a compiled graph with the function it belongs to; that must not wait for us."""
    import weakref

    with depyf.prepare_debug(tmp_path):
        function = fresh(plus_one)
        torch.compile(function, backend="eager")(torch.ones(2))
        code = weakref.ref(function.__code__)
        del function
        torch._dynamo.reset()
        gc.collect()
        assert code() is None


def test_threads_compile_at_once(tmp_path: Path) -> None:
    results: dict[int, object] = {}

    def work(number: int) -> None:
        results[number] = compiled_plus_one(dynamic=False)(torch.ones(number + 2)).sum().item()

    with depyf.prepare_debug(tmp_path):
        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == {number: 2 * (number + 2) for number in range(4)}
    session = session_of(tmp_path)
    assert session.problems == []
    assert len({frame.transformed_file for frame in session.frames}) == len(session.frames) >= 4
    assert all(each == [("Captured_Graph", "")] for each in stages(session).values())


def test_graphs_that_a_framework_shows(tmp_path: Path) -> None:
    # Imported before anybody listens, under another name.
    from torch._dynamo.utils import lazy_format_graph_code as show

    def backend(graph: torch.fx.GraphModule, inputs: object) -> object:
        show("before split", graph)
        show("post_grad.3.SomePass.before", graph)
        return graph.forward

    with depyf.prepare_debug(tmp_path):
        compiled_plus_one(backend=backend)(torch.ones(2))
    session = session_of(tmp_path)
    (graph,) = session.graphs
    kinds = [stage.kind for stage in graph.stages]
    assert kinds == ["Captured_Graph", "before split", "post_grad.3.SomePass.before"]
    assert "l_x_ + 1" in graph.stages[1].text
    assert f"__compiled_fn_{graph.number}.before_split.0.py" in files_in(tmp_path)


# The folder


def test_a_relative_folder_and_another_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with depyf.prepare_debug("dump"):
        os.chdir("elsewhere")
        compiled_plus_one()(torch.ones(2))
    assert "session.json" in files_in(tmp_path / "dump")
    assert files_in(tmp_path / "elsewhere") == []


def test_a_folder_that_cannot_be_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("not a folder")
    with depyf.prepare_debug(tmp_path / "file" / "dump"):
        assert same(run_toy(), run_toy())
    told = [line for line in capfd.readouterr().err.split("\n") if line.startswith("depyf:")]
    assert len(told) == 1 and "Could not write" in told[0]


def test_a_path_with_odd_characters(tmp_path: Path) -> None:
    folder = tmp_path / "100% of Größe {x} '\"; 文件"
    with depyf.prepare_debug(folder):
        run_toy()
    assert session_of(folder).problems == []
    assert len(transformed(folder)) == 3


def test_a_path_like_object_and_bytes(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path / "a"), depyf.prepare_debug(os.fsencode(tmp_path / "b")):
        compiled_plus_one()(torch.ones(2))
    assert transformed(tmp_path / "a") == transformed(tmp_path / "b") != []


TWO_PROCESSES = """
import sys, types, torch, depyf
source = "def shared(x):\\n    return " + ["x + 1", "x.sin() * 3"][{which}]
names = {{"torch": torch}}
exec(compile(source, "shared_%d.py" % {which}, "exec"), names)
with depyf.prepare_debug({folder!r}):
    torch.compile(names["shared"], backend="eager")(torch.ones(2))
    print("compiled", flush=True)
    sys.stdin.readline()
"""


def test_two_processes_in_one_folder(tmp_path: Path) -> None:
    source = str(Path(depyf.__file__).parent.parent)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", TWO_PROCESSES.format(which=which, folder=str(tmp_path))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )
        for which in range(2)
    ]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "compiled\n"
    for process in processes:
        process.communicate("\n", timeout=100)
        assert process.returncode == 0
    assert len(transformed(tmp_path)) == 2
    graphs = [name for name in files_in(tmp_path) if "Captured_Graph" in name]
    texts = "".join((tmp_path / name).read_text(encoding="utf-8") for name in graphs)
    assert "+ 1" in texts and "sin()" in texts


# Code that runs from the files


def test_code_that_is_proven_runs_from_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decompile = hook.decompile_frame
    made: list[types.CodeType] = []

    def proven(
        original: types.CodeType, code: types.CodeType, name: str, filename: str
    ) -> FrameText:
        made.append(code.replace(co_filename=filename))
        return FrameText(decompile(original, code, name, filename).result, made[-1], "")

    monkeypatch.setattr(hook, "decompile_frame", proven)
    function = fresh(plus_one)
    with depyf.prepare_debug(tmp_path / "one"):
        torch.compile(function, backend="eager")(torch.ones(2))
        path = Path(made[0].co_filename)
        assert path.parent == tmp_path / "one" and path.exists()
    (entry,) = torch._dynamo.eval_frame._debug_get_cache_entry_list(function.__code__)
    assert entry.code is made[0]
    session = session_of(tmp_path / "one")
    assert session.frames[0].swapped and session.frames[0].guards
    # Seen from another folder it is an old frame, and torch's code is what is shown.
    with depyf.prepare_debug(tmp_path / "two"):
        pass
    (old,) = session_of(tmp_path / "two").frames
    assert old.compiled_before and not old.swapped and old.runs_from == made[0].co_filename


@pytest.mark.parametrize("with_dill", [False, True])
def test_bytecode_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_dill: bool) -> None:
    from depyf.torch_capture import bytecode_files

    if with_dill:
        pytest.importorskip("dill", reason="dill is optional")
    else:
        monkeypatch.setattr(bytecode_files, "_dill", lambda: None)
    with depyf.prepare_debug(tmp_path, log_bytecode=True):
        run_toy()
    base = tmp_path / "__transformed_code_0_for_toy_example.py"
    with open(f"{base}.original_bytecode", "rb") as file:
        assert pickle.load(file) == toy_example.__code__
    with open(f"{base}.transformed_bytecode", "rb") as file:
        assert any(name.startswith("__compiled_fn_") for name in pickle.load(file).co_names)
    said = json.dumps(session_of(tmp_path).unavailable)
    assert ("dill is not installed" in said) != with_dill


def test_missing_torch_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.delitem(vars(depyf), "prepare_debug", raising=False)
    with pytest.raises(ImportError, match="pip install torch"):
        depyf.prepare_debug  # noqa: B018
    assert prepare.prepare_debug is not None
