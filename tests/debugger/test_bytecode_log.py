"""install(): torch's own bytecode log shows the source of both codes, through torch's logger."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf

from .scripted import environment

PROGRAM = """
import torch, depyf
def toy(a):
    return a.sin() + 1
depyf.uninstall()
depyf.install()
depyf.install()
torch.compile(toy, backend="eager")(torch.ones(2))
depyf.uninstall()
depyf.uninstall()
def later(a):
    return a.cos()
torch.compile(later, backend="eager")(torch.ones(2))
"""


@pytest.mark.parametrize("logs", ["+bytecode", "dynamo"])
def test_the_log(logs: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment(TORCH_LOGS=logs),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    places = [
        [place for place, line in enumerate(lines) if f"] {title} toy" in line]
        for title in (
            "ORIGINAL BYTECODE",
            "MODIFIED BYTECODE",
            "DECOMPILED ORIGINAL BYTECODE",
            "DECOMPILED MODIFIED BYTECODE",
        )
    ]
    if logs != "+bytecode":
        assert places == [[], [], [], []]
        return
    assert [len(found) for found in places] == [1, 1, 1, 1]
    assert places == sorted(places)
    assert lines[places[2][0] + 2].endswith("    return a.sin() + 1")
    assert re.search(r"__compiled_fn_\d+\(a\)", "".join(lines[places[3][0] :]))
    # Its name stands in the end of every line, or behind that of torch's module.
    assert re.search(r"\[__bytecode\]|\.__bytecode:", lines[places[2][0]])
    assert not any("DECOMPILED" in line and "later" in line for line in lines)


def test_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    # The fixture of every test compares the hooks.
    depyf.install()
    depyf.uninstall()
    depyf.uninstall()
