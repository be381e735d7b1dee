"""The WebAssembly Python 3.14 behaves like an installed interpreter."""

from __future__ import annotations

import os
import subprocess

import pytest
from interpreters import NODE_RUNNER, find_interpreters


@pytest.fixture(scope="module")
def command():
    found = [i.command for i in find_interpreters(["3.14"]) if str(NODE_RUNNER) in i.command]
    if not found:
        pytest.skip("tools/python314 is not set up, or an installed Python 3.14 is used")
    return found[0]


def test_arguments_output_status_and_paths(command, tmp_path):
    (tmp_path / "beside.py").write_text("WORD = 'beside'")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "on_path.py").write_text("WORD = 'on path'")
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, os, beside, on_path\n"
        "print(sys.version_info[:2], sys.argv[1:], beside.WORD, on_path.WORD, os.getcwd())\n"
        "print('told', file=sys.stderr)\n"
        "open('written', 'w').write('é')\n"
        "sys.exit(7)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "elsewhere")}
    done = subprocess.run(
        [*command, str(script), "a b", "--flag"],
        cwd=tmp_path, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == f"(3, 14) ['a b', '--flag'] beside on path {tmp_path}\n"
    assert (done.stderr, done.returncode) == ("told\n", 7)
    assert (tmp_path / "written").read_text(encoding="utf-8") == "é"


def test_traceback_is_shown(command, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("1 / 0\n")
    done = subprocess.run([*command, str(script)], capture_output=True, text=True)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr
