"""A session becomes files: their names, that they are Python, that they do not change."""

from __future__ import annotations

import dataclasses
import os
import re
from pathlib import Path

import pytest

from depyf.output import render, write
from depyf.session.model import CodeText, Frame, Graph, Session, Stage

from .sessions import FILE, RESUME, continuation, entry, guard, toy_session


def test_names_are_those_of_the_interface() -> None:
    assert sorted(render(toy_session())) == sorted(
        [
            "README.md",
            "full_code_for_toy_example_0.py",
            "__transformed_code_0_for_toy_example.py",
            "__transformed_code_1_for_toy_example.py",
            f"__transformed_code_0_for_{RESUME}.py",
            "__compiled_fn_1.Captured_Graph.0.py",
            "__compiled_fn_1.Forward_graph.0.py",
            "__compiled_fn_1.Backward_graph.0.py",
            "__compiled_fn_1.kernel_0.py",
            "__compiled_fn_1.kernel_1.py",
            "__compiled_fn_1.before_split.0.py",
            "__compiled_fn_5.Captured_Graph.0.py",
        ]
    )


def test_every_python_file_compiles() -> None:
    for name, text in render(toy_session()).items():
        if name.endswith(".py"):
            compile(text, name, "exec")


def test_the_same_session_gives_the_same_bytes() -> None:
    assert list(render(toy_session()).items()) == list(render(toy_session()).items())


def test_times_are_told_on_request_and_by_the_index_alone() -> None:
    session = toy_session()
    slower = toy_session()
    for frame in slower.frames:
        frame.seconds = 99.0
    assert render(session) == render(slower)
    one, other = render(session, with_times=True), render(slower, with_times=True)
    assert {name for name in one if one[name] != other[name]} == {"README.md"}
    assert f"Compiling took {99 * len(slower.frames):.2f} s." in other["README.md"]
    assert re.search(r"^\| 0/0 \| .* \| 99.00 \|$", other["README.md"], re.M)


def test_what_runs_keeps_its_line_numbers() -> None:
    session = toy_session()
    text = render(session)["__transformed_code_0_for_toy_example.py"]
    assert session.frames[0].transformed is not None
    assert text.startswith(session.frames[0].transformed.source)
    assert "full_code_for_toy_example_0.py" in text
    assert "__compiled_fn_1.Captured_Graph.0.py" in text
    assert f"__transformed_code_0_for_{RESUME}.py" in text


def test_what_does_not_run_says_so_in_its_first_line() -> None:
    first = render(toy_session())[f"__transformed_code_0_for_{RESUME}.py"].splitlines()[0]
    assert first.startswith("# Torch's own code runs, not this file")
    assert "at offset 3" in first


def test_a_free_variable_is_declared_as_python_allows_on_the_same_line() -> None:
    source = "def __transformed_code_0_for_g(x):\n    nonlocal n\n    n = n + x\n    return n\n"
    text = CodeText("g", source, "exact")
    frame = Frame("0/0", "g", "f.<locals>.g", FILE, 3, transformed=text, swapped=True)
    frame.free_variables = ["n"]
    files = render(Session(frames=[frame]))
    for name in ("__transformed_code_0_for_g.py", "full_code_for_g_0.py"):
        compile(files[name], name, "exec")
    written = files["__transformed_code_0_for_g.py"].splitlines()
    assert written[1].strip().startswith("global n  #") and written[2] == "    n = n + x"


@pytest.mark.parametrize(
    "name", ["<lambda>", "größe", "a" * 400, "with space", "../evil", "class", "a%s", "1st"]
)
def test_any_name_of_a_function_makes_safe_and_importable_files(name: str) -> None:
    source = "def __transformed_code_0_for_f(x):\n    return __compiled_fn_0(x)\n"
    frames = [
        Frame(f"{n}/0", name, name, FILE, n, transformed=CodeText("f", source, "exact"))
        for n in range(2)
    ]
    files = render(Session(frames=frames))
    assert len(files) == 5
    for path, text in files.items():
        assert len(path.encode()) < 255 and os.path.basename(path) == path and path.isascii()
        if path.endswith(".py"):
            compile(text, path, "exec")


def test_names_that_differ_only_in_case_do_not_meet() -> None:
    stages = [Stage("Pass", "pass"), Stage("pass", "pass")]
    names = [name.lower() for name in render(Session(graphs=[Graph(1, "0/0", stages)]))]
    assert len(names) == len(set(names)) == 3


def test_names_that_others_have_are_left_to_them() -> None:
    files = render(toy_session(), taken=["full_code_for_toy_example_0.py"])
    assert "full_code_for_toy_example_1.py" in files
    assert "full_code_for_toy_example_1.py" in files["README.md"]


def test_the_index_tells_what_happened() -> None:
    text = render(toy_session())["README.md"]
    told = [
        "1 function, 3 compiled frames, 3 graphs, 1 graph break, 1 recompilation, 1 frame not",
        "`full_code_for_toy_example_0.py`",
        "Data-dependent branching",
        f"{FILE}:16",
        "`if b.sum() < 0:`",
        "Use torch.cond",
        "failed guard: `L['a'] == 1`",
        "no tensors in it",
        "missing: Joint_graph: the cache was warm",
        "- wrapper sources",
        "- a problem",
        "2.13.0",
    ]
    assert [one for one in told if one not in text] == []


def test_graphs_say_which_way_they_go_and_where_they_come_from() -> None:
    files = render(toy_session())
    assert "(forward)" in files["__compiled_fn_1.kernel_0.py"].splitlines()[0]
    assert "(backward)" in files["__compiled_fn_1.kernel_1.py"].splitlines()[0]
    captured = files["__compiled_fn_1.Captured_Graph.0.py"]
    assert "__transformed_code_0_for_toy_example.py" in captured and f"{FILE}:14" in captured
    assert "# Next: __compiled_fn_1.Forward_graph.0.py" in captured


def test_the_ways_forward_and_backward_are_followed_apart() -> None:
    kinds = [
        ("Captured_Graph", ""),
        ("Joint_graph", ""),
        ("Forward_graph", "forward"),
        ("Backward_graph", "backward"),
        ("kernel", "forward"),
        ("kernel", "backward"),
    ]
    stages = [Stage(kind, "pass", direction) for kind, direction in kinds]
    files = render(Session(graphs=[Graph(1, "0/0", stages)]))

    def lines(name: str, start: str) -> list[str]:
        text = files[f"__compiled_fn_1.{name}.py"].splitlines()
        return [line[len(start) :] for line in text if line.startswith(start)]

    forward, backward = "__compiled_fn_1.Forward_graph.0.py", "__compiled_fn_1.Backward_graph.0.py"
    assert lines("Captured_Graph.0", "# Next: ") == ["__compiled_fn_1.Joint_graph.0.py"]
    assert lines("Joint_graph.0", "# Next: ") == [f"{forward}, {backward}"]
    assert lines("Forward_graph.0", "# Next: ") == ["__compiled_fn_1.kernel_0.py"]
    assert lines("kernel_1", "# Before: ") == [backward]
    assert lines("kernel_1", "# Next: ") == []


def test_a_break_that_happens_again_is_told_once() -> None:
    session = toy_session()
    session.breaks.append(dataclasses.replace(session.breaks[0], compile_id="0/1"))
    text = render(session)["README.md"]
    assert text.count("Data-dependent branching") == 1
    assert "in: 0/0 (`toy_example`), 0/1 (`toy_example`)" in text


def test_a_graph_that_is_no_python_is_quoted_with_the_reason() -> None:
    text = render(toy_session())["__compiled_fn_1.before_split.0.py"]
    assert "# Not Python: " in text and "# not ( python" in text


def test_an_empty_session_is_a_folder_with_an_index() -> None:
    assert sorted(render(Session())) == ["README.md"]


def test_a_folder_without_anything_says_what_may_be_the_cause() -> None:
    assert "Torch compiled nothing" in render(Session())["README.md"]
    skipped = Frame("0/0", "f", "f", "f.py", 1, outcome="skipped", failures=["0/0: n == 1"])
    readme = render(Session(frames=[skipped]))["README.md"]
    assert "Torch compiled nothing" not in readme
    assert "- `f`, f.py:1: skipped\n  - failed guard: `0/0: n == 1`\n" in readme


def test_rendering_leaves_the_session_alone() -> None:
    session = toy_session()
    before = dataclasses.asdict(session)
    render(session)
    assert dataclasses.asdict(session) == before


def test_writing_replaces_only_what_changed(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "dump %s ü"
    files = {"a.py": "1\n", "sub/b.py": "ü\n"}
    assert write(str(folder), files) == []
    os.utime(folder / "a.py", (1, 1))
    assert write(str(folder), {**files, "sub/b.py": "2\n"}) == []
    assert (folder / "a.py").stat().st_mtime == 1
    assert (folder / "sub" / "b.py").read_text() == "2\n"
    assert sorted(os.listdir(folder)) == ["a.py", "sub"]


def test_what_cannot_be_written_is_told_not_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    problems = write(str(tmp_path / "file"), {"a.py": "1", "b.py": "2"})
    assert len(problems) == 2 and "a.py" in problems[0]
    assert len(write("nul\0byte", {"a.py": ""})) == 1


def test_entries_of_different_functions_with_one_name_are_apart() -> None:
    first = entry(0, 1, "__resume_at_102_2", [guard("True")])
    second = entry(1, 7, "__resume_at_102_8", [guard("True")])
    second.compile_id, second.line = "5/0", 99
    session = Session(frames=[first, second, continuation()])
    files = render(session)
    assert "full_code_for_toy_example_1.py" in files
    assert "__guard_1_for" not in files["full_code_for_toy_example_0.py"]


@pytest.mark.parametrize(
    ("caches", "place", "told"),
    [
        ({"aot": "hit"}, "/other/toy.py:99", True),
        ({"aot": "hit"}, f"{FILE}:16", True),
        ({"aot": "hit"}, f"{FILE}:15", False),
        ({"aot": "miss"}, "/other/toy.py:99", False),
        ({"inductor": "hit"}, "/other/toy.py:99", False),
    ],
)
def test_comments_that_a_cache_kept_from_another_program(
    caches: dict[str, str], place: str, told: bool
) -> None:
    """AOTAutograd's cache holds texts, with the files and lines of whoever filled it."""
    text = "class GraphModule(torch.nn.Module):\n    # File: {} in f, code: x\n    pass\n"
    stages = [
        Stage("Captured_Graph", text.format(f"{FILE}:15")),
        Stage("Forward_graph", text.format(place), "forward"),
    ]
    files = render(Session(graphs=[Graph(1, "0/0", stages, caches)]))
    header = files["__compiled_fn_1.Forward_graph.0.py"].partition("\n\n")[0]
    assert ("those of the program that filled the cache" in header) == told
    assert "cache" not in files["__compiled_fn_1.Captured_Graph.0.py"]


def test_where_inductors_file_is() -> None:
    stage = Stage("kernel", "import torch\n", "forward", "$TORCHINDUCTOR_CACHE_DIR/ab/cab.py")
    text = render(Session(graphs=[Graph(1, "0/0", [stage])]))["__compiled_fn_1.kernel_0.py"]
    line = next(line for line in text.splitlines() if "What runs is" in line)
    assert "$TORCHINDUCTOR_CACHE_DIR/ab/cab.py (where that is not set: torchinductor_" in line
