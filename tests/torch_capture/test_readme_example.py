"""The README's example through prepare_debug, for each backend, with and without gradients."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf  # noqa: E402
from depyf.torch_capture import compat  # noqa: E402

from .programs import (  # noqa: E402
    RESUME,
    files_in,
    run_toy,
    same,
    session_of,
    stages,
    toy_example,
)

INFERENCE = {
    "eager": [("Captured_Graph", "")],
    "aot_eager": [("Captured_Graph", ""), ("Forward_graph", "forward")],
    "inductor": [
        ("AFTER_POST_GRAD", "forward"),
        ("Captured_Graph", ""),
        ("Forward_graph", "forward"),
        ("kernel", "forward"),
    ],
}
TRAINING = {
    "eager": [("Captured_Graph", "")],
    "aot_eager": [
        ("Backward_graph", "backward"),
        ("Captured_Graph", ""),
        ("Forward_graph", "forward"),
        ("Joint_graph", ""),
    ],
    "inductor": [
        ("AFTER_POST_GRAD", "backward"),
        ("AFTER_POST_GRAD", "forward"),
        ("Backward_graph", "backward"),
        ("Captured_Graph", ""),
        ("Forward_graph", "forward"),
        ("Joint_graph", ""),
        ("kernel", "backward"),
        ("kernel", "forward"),
    ],
}


@pytest.mark.parametrize("grad", [False, True], ids=["inference", "training"])
@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_every_stage_is_filed_under_its_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str, grad: bool
) -> None:
    expected = run_toy(backend, grad)
    torch._dynamo.reset()
    if not compat.traces_cached_graphs():
        monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "cold"))
    with depyf.prepare_debug(tmp_path):
        assert same(run_toy(backend, grad), expected)
    session = session_of(tmp_path)
    assert session.problems == []
    assert [frame.name for frame in session.frames] == ["toy_example", RESUME, RESUME]
    found = stages(session)
    assert len(found) == 3
    for each in found.values():
        assert each == (TRAINING if grad else INFERENCE)[backend]


def test_the_folder_holds_what_its_names_promise(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        run_toy("aot_eager")
    numbers = [graph.number for graph in session_of(tmp_path).graphs]
    expected = {
        "README.md",
        "session.json",
        "full_code_for_toy_example_0.py",
        "__transformed_code_0_for_toy_example.py",
        f"__transformed_code_0_for_{RESUME}.py",
        f"__transformed_code_1_for_{RESUME}.py",
        *(f"__compiled_fn_{number}.Captured_Graph.0.py" for number in numbers),
        *(f"__compiled_fn_{number}.Forward_graph.0.py" for number in numbers),
    }
    assert expected <= set(files_in(tmp_path))
    for name in files_in(tmp_path):
        if name.endswith(".py"):
            compile((tmp_path / name).read_text(encoding="utf-8"), name, "exec")


def test_frames_are_linked_to_graphs_and_continuations(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        run_toy()
    session = session_of(tmp_path)
    main, *resumed = session.frames
    assert main.compile_id.endswith("/0") and main.file.endswith("programs.py")
    assert main.line == toy_example.__code__.co_firstlineno
    assert [len(frame.graphs) for frame in session.frames] == [1, 1, 1]
    assert sorted(main.resumes) == sorted(name for frame in resumed for name in frame.resumed_by)
    assert main.original is not None and "x = a / (torch.abs(a) + 1)" in main.original.source
    assert main.guards and main.cache_position == 0


@pytest.mark.skipif(not compat.explains_breaks(), reason="this torch does not tell of breaks")
def test_the_graph_break_is_explained(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        run_toy()
    (broke,) = session_of(tmp_path).breaks
    assert broke.location is not None and broke.location.text == "if b.sum() < 0:"
    assert broke.reason


def test_the_running_code_is_compiled_from_five_readable_lines(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        run_toy()
    session = session_of(tmp_path)
    assert [frame.swapped for frame in session.frames] == [True] * 3
    main = session.frames[0]
    assert main.transformed is not None
    assert len(main.transformed.source.strip().split("\n")) <= 6
    written = (tmp_path / main.transformed_file).read_text(encoding="utf-8")
    assert written.startswith(main.transformed.source.rstrip("\n"))


def test_a_graph_is_called_by_its_name(tmp_path: Path) -> None:
    """Dynamo looks the graph up before the parameters that it is given."""
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    with depyf.prepare_debug(tmp_path):
        torch.compile(lambda x: model(x) + 1, backend="eager")(torch.ones(2, 3))
    (frame,) = session_of(tmp_path).frames
    assert frame.swapped and frame.transformed is not None
    assert re.search(r"\b__compiled_fn_\d+\(", frame.transformed.source)
    assert not re.search(r"= __compiled_fn_\d+$", frame.transformed.source, re.MULTILINE)


def test_a_continuation_that_was_not_reached_is_shown(tmp_path: Path) -> None:
    with depyf.prepare_debug(tmp_path):
        run_toy(rounds=1)
    last = session_of(tmp_path).frames[-1]
    assert last.outcome == "not run" and last.resumed_by
    assert last.original is not None and "return x * b" in last.original.source


PROGRAM = """
import sys
sys.path[:0] = [{tests!r}]
import depyf, programs, torch
for backend in ("eager", "aot_eager", "inductor"):
    for grad in (False, True):
        torch._dynamo.reset()
        with depyf.prepare_debug(f"{folder}/{{backend}}_{{grad}}"):
            programs.run_toy(backend, grad)
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cold runs and a warm one, each with a folder per backend; processes take their time."""
    found = tmp_path_factory.mktemp("runs")
    cache = found / "cache"
    for run in ("one", "two", "warm"):
        text = PROGRAM.format(tests=str(Path(__file__).parent), folder=str(found / run))
        run_python(text, {"TORCHINDUCTOR_CACHE_DIR": str(cache)})
        if run == "one":
            # Names of files in the cache may depend on where it is.
            shutil.rmtree(cache, ignore_errors=True)
    return found


@pytest.mark.parametrize("grad", [False, True], ids=["inference", "training"])
@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor"])
def test_two_cold_runs_write_the_same_and_a_warm_one_the_same_stages(
    runs: Path, backend: str, grad: bool
) -> None:
    folders = [runs / run / f"{backend}_{grad}" for run in ("one", "two", "warm")]
    one, two, warm = map(texts_in, folders)
    assert len(one) > 6 and one == two
    for name, text in one.items():
        assert not re.search(r"\b0x[0-9a-f]{6,}", text), name
        assert not re.search(r"__compiled_fn_\d+_[0-9a-f]{8}_", text), name
    uses_cache = backend == "inductor"
    if uses_cache and compat.trace_logger() is not None and not compat.traces_cached_graphs():
        return
    assert warm.keys() == one.keys()
    changed = [name for name in one if one[name] != warm[name]]
    if compat.trace_logger() is None or not uses_cache:
        # Hits and misses of caches are in the trace.
        assert changed == []
        return
    assert changed == ["README.md", "session.json"]
    for folder, said in ((folders[0], "miss"), (folders[2], "hit")):
        assert {graph.caches["inductor"] for graph in session_of(folder).graphs} == {said}


CALLS = """
import sys
import depyf, torch

def kinds(x, p):
    return x + 1 if isinstance(p, dict) else x - 1

def mapped(x):
    return torch.vmap(lambda a: a.sum() * a)(x)

def recursive(x, n):
    if n == 0:
        return x
    torch._dynamo.graph_break()
    return recursive(x + n, n - 1) * 2

def chosen(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))

x = torch.ones(3, 2)
for function, calls in (
    (kinds, [(x, {}), (x, ())]), (mapped, [(x,)]), (recursive, [(x, 3)]), (chosen, [(x,)])
):
    with depyf.prepare_debug(f"{sys.argv[1]}/{function.__name__}"):
        for arguments in calls:
            torch.compile(function, backend="eager")(*arguments)
    torch._dynamo.reset()  # the next folder is to tell of its own function only
"""


@pytest.fixture(scope="module")
def programs_twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same calls into two folders, by two processes that hash differently."""
    found = tmp_path_factory.mktemp("twice")
    program = found / "program.py"
    program.write_text(CALLS, encoding="utf-8")
    folders = (found / "one", found / "the_other")
    for seed, folder in zip("12", folders):
        run_python(str(program), {"PYTHONHASHSEED": seed}, str(folder))
    return folders


@pytest.mark.parametrize("function", ["kinds", "mapped", "recursive", "chosen"])
def test_two_runs_write_the_same(programs_twice: tuple[Path, Path], function: str) -> None:
    one, other = (texts_in(folder / function) for folder in programs_twice)
    assert "session.json" in one and one == other
    for name, text in one.items():
        assert not re.search(r"\b0x[0-9a-f]{6,}|\b\d{12,}\b", text), name


def texts_in(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text(encoding="utf-8") for name in files_in(folder)}


def run_python(program: str, environment: dict[str, str], *arguments: str) -> None:
    """A program, or the file of one with its arguments."""
    source = str(Path(depyf.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": source, **environment}
    command = [program, *arguments] if arguments else ["-c", program]
    subprocess.run([sys.executable, *command], env=environment, check=True, timeout=300)
