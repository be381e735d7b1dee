"""Files are put in place whole, and what stood there keeps what it is."""

from __future__ import annotations

import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from depyf import files
from depyf.files import replace_file
from depyf.output.writer import write

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="of POSIX")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@needs_posix
def test_permissions(tmp_path: Path) -> None:
    (tmp_path / "any").touch()
    replace_file(str(tmp_path / "new"), "text")
    assert _mode(tmp_path / "new") == _mode(tmp_path / "any")
    (tmp_path / "any").chmod(0o640)
    replace_file(str(tmp_path / "any"), "text")
    assert _mode(tmp_path / "any") == 0o640


@needs_posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "file").write_text("old")
    (tmp_path / "link").symlink_to(Path("below") / "file")
    replace_file(str(tmp_path / "link"), "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "below" / "file").read_text() == "new"


@needs_posix
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    replace_file(str(pipe), "text")
    reader.join(10)
    assert heard == ["text"] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_names_that_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_numbers", iter([0, 1]))
    left = tmp_path / f".depyf_{os.getpid()}_0"
    left.write_text("of a process that died")
    replace_file(str(tmp_path / "file"), "text")
    assert left.read_text() == "of a process that died"
    assert sorted(path.name for path in tmp_path.iterdir()) == [left.name, "file"]


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        replace_file(str(tmp_path / "folder"), "text")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_folders_are_made(tmp_path: Path) -> None:
    assert write(str(tmp_path / "a" / "b"), {"c/d": "text"}) == []
    assert (tmp_path / "a" / "b" / "c" / "d").read_text() == "text"
