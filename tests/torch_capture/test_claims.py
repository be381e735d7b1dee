"""Lists of names that processes left behind: in the way of none, and not kept for ever."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from depyf.session.model import Session
from depyf.torch_capture.claims import A_DAY, Claims
from depyf.torch_capture.folder import Folder


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def left_behind(homes: Path, folder: str, age: float) -> Path:
    """The list of names that a process, dead now, wrote for a folder so many seconds ago."""
    claims = Claims(str(homes / folder))
    assert claims.claim(["full_code_for_f_0.py"])
    (written,) = (
        path for path in homes.glob("depyf_claims_*/*/*") if path.name == str(os.getpid())
    )
    old = written.rename(written.with_name(str(dead_process())))
    then = old.stat().st_mtime - age
    for path in (old, old.parent):
        os.utime(path, (then, then))
    return old


def test_old_lists_are_swept(homes: Path) -> None:
    old = left_behind(homes, "old", 2 * A_DAY)
    young = left_behind(homes, "young", 0.5 * A_DAY)
    Claims(str(homes / "another")).sweep()
    assert not old.parent.exists()
    assert young.exists()


def test_who_writes_a_folder_sweeps(homes: Path) -> None:
    old = left_behind(homes, "old", 2 * A_DAY)
    assert Folder(str(homes / "another"), pytest.fail).write_session(Session())
    assert not old.parent.exists()


def test_names_of_the_dead_are_free(homes: Path) -> None:
    left_behind(homes, "folder", 60.0)
    assert Claims(str(homes / "folder")).claim(["full_code_for_f_0.py"])


def test_names_of_the_living_are_not(homes: Path) -> None:
    old = left_behind(homes, "folder", 60.0)
    living = old.rename(old.with_name(str(os.getppid())))
    assert living.exists()
    assert not Claims(str(homes / "folder")).claim(["full_code_for_f_0.py"])
