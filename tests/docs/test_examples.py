"""Examples that no page shows, and the notebook, do what they say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from interpreters import ROOT, environment

EXAMPLES = ROOT / "examples"
NOTEBOOK = EXAMPLES / "notebook.ipynb"
GUARD_FREE = """\
without guards: [2.0, 2.0, 2.0]
and wrong now:  [2.0, 2.0, 2.0]
noticed: call 1 of the unguarded Scale.forward breaks the guard `L['self'].factor == 2.0`
"""
CUSTOM_DISPATCHER = """\
compiled:       0.5
compiled:       1.5
without guards: 1.5
without guards: 0.5
compiled codes: 2
the wrong one:  3.0
"""


def printed_by(arguments: list[str], folder: Path, commands: str = "") -> str:
    answer = subprocess.run(
        [sys.executable, *arguments],
        input=commands,
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        cwd=folder,
        timeout=300,
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def needs_torch(version: str = "") -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    if not torch.__version__.startswith(version):
        pytest.skip(f"it shows what torch {version} gives")


def test_guard_free(tmp_path: Path) -> None:
    needs_torch("2.13.")
    assert printed_by([str(EXAMPLES / "guard_free.py")], tmp_path) == GUARD_FREE


def test_custom_dispatcher(tmp_path: Path) -> None:
    needs_torch()
    assert printed_by([str(EXAMPLES / "custom_dispatcher.py")], tmp_path) == CUSTOM_DISPATCHER


def test_the_demo_shows_the_main_frame(tmp_path: Path) -> None:
    needs_torch()
    shown = printed_by([str(EXAMPLES / "demo.py")], tmp_path)
    assert "def __transformed_code_0_for_toy_example(x, y):" in shown
    follow_what_the_demo_says(shown, tmp_path)


def follow_what_the_demo_says(shown: str, folder: Path) -> None:
    typed = re.search(r"\(type ([^)]*)\)\n\$ .* run --debug (\S+)$", shown, re.M)
    assert typed, shown
    run = ["-m", "depyf", "run", "-o", "stepped", "--debug", typed[2]]
    commands = "".join(f"{one}\n" for one in typed[1].split(", "))
    answers = printed_by(run, folder, commands)
    assert answers.count("(Pdb) tensor(") == 2 and "***" not in answers


def test_the_demo_without_torch(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    blocked = "import importlib.util as u; find = u.find_spec\n"
    blocked += "u.find_spec = lambda name, *rest: None if name == 'torch' else find(name, *rest)\n"
    blocked += "import runpy, sys\n"
    blocked += "try: runpy.run_path(sys.argv[1], run_name='__main__')\n"
    blocked += "except SystemExit as end: assert not end.code\n"
    shown = printed_by(["-c", blocked, str(EXAMPLES / "demo.py")], tmp_path)
    assert "PyTorch is not installed" in shown
    assert f"#   {sys.executable} -m pip install torch\n" in shown
    assert "def classify(values, limit=10):" in shown


def test_the_demo_that_is_to_do_without_torch(tmp_path: Path) -> None:
    shown = printed_by([str(EXAMPLES / "demo.py"), "--without-torch"], tmp_path)
    assert "not installed" not in shown and "This is the decompiler alone." in shown
    assert "def classify(values, limit=10):" in shown
    makefile = (EXAMPLES.parent / "Makefile").read_text(encoding="utf-8")
    assert "demo.py $(if $(filter no,$(TORCH)),--without-torch)" in makefile


def cells() -> list[dict[str, object]]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def stored_output(cell: dict[str, object]) -> str:
    parts = [part for output in cell["outputs"] for part in output["text"]]  # type: ignore[attr-defined]
    return "".join(parts)


CELLS = """
import json, sys
for number, cell in enumerate(json.load(open(sys.argv[1], encoding="utf-8"))):
    with open("cell_%d.py" % number, "w+", encoding="utf-8") as file:
        file.write(cell)
    exec(compile(cell, file.name, "exec"), globals())
    print("----- next cell -----", flush=True)
"""


def test_the_notebook_prints_what_is_stored_in_it(tmp_path: Path) -> None:
    """Cell by cell, in one namespace, each with lines of its own, as in a kernel."""
    needs_torch("2.13.")
    if sys.version_info[:2] != (3, 11):
        pytest.skip("it shows what Python 3.11 gives")
    sources = ["".join(cell["source"]) for cell in cells()]  # type: ignore[arg-type]
    (tmp_path / "cells.json").write_text(json.dumps(sources), encoding="utf-8")
    printed = printed_by(["-c", CELLS, "cells.json"], tmp_path).split("----- next cell -----\n")
    shown = [stored_output(cell) for cell in cells()]
    assert list(map(without_offsets, printed[:-1])) == list(map(without_offsets, shown))


def without_offsets(text: str) -> str:
    """A kernel compiles a cell in its own way: the places of instructions differ."""
    return re.sub(r"__resume_at_\d+", "__resume_at", text)


def test_the_notebook_runs_in_a_kernel(tmp_path: Path) -> None:
    needs_torch()
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    notebook = nbformat.read(NOTEBOOK, 4)
    place = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(notebook, timeout=300, resources=place)
    client.execute(env=environment())
    assert (tmp_path / "notebook_dump" / "full_code_for_toy_example_0.py").exists()
