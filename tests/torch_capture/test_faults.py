"""Whatever breaks inside depyf, the program does what it would have done without it."""

from __future__ import annotations

import functools
import logging
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf  # noqa: E402
from depyf.torch_capture import (  # noqa: E402
    bytecode_hooks,
    capture,
    claims,
    compat,
    folder,
    graph_text,
    hook,
    late,
    prepare,
    trace,
    trace_filter,
)

from .programs import run_toy, same  # noqa: E402


class Injected(Exception):
    """No code of torch's or ours expects this."""


# Everything that torch or the program calls of us, and what those call in turn.
PLACES = [
    (capture, "without_collection"),
    (capture, "build_session"),
    (capture, "dynamos_own"),
    (capture, "look_again"),
    (capture, "read_guards_of"),
    (late, "asdict"),
    (late, "original_text"),
    (late, "remember_guards"),
    (capture, "remember_swap"),
    (capture, "Event"),
    (capture.Capture, "start"),
    (capture.Capture, "write"),
    (claims.Claims, "claim"),
    (claims.Claims, "of_others"),
    (compat, "add_bytecode_hook"),
    (compat, "cache_entries"),
    (compat, "code_of_entry"),
    (compat, "compiled_codes"),
    (compat, "compiling_now"),
    (compat, "entry_just_made"),
    (compat, "globals_of_compiling_frame"),
    (compat, "interned_files"),
    (compat, "modules_of_graph_text"),
    (compat, "trace_logger"),
    (compat, "what_is_missing"),
    (folder, "render"),
    (folder, "to_json"),
    (folder, "transformed_text"),
    (folder, "write"),
    (graph_text, "text_of"),
    (graph_text, "title_of"),
    (hook, "decompile_frame"),
    (hook, "frame_of"),
    (hook.Seen, "__init__"),
    (hook.Resumes, "learn"),
    (prepare, "_capture_for"),
    (prepare, "Capture"),
    (trace, "Event"),
    (trace, "is_wanted"),
    (trace.TraceHandler, "_kept"),
    (bytecode_hooks, "add"),
    (trace_filter, "attach"),
    (trace_filter, "is_wanted"),
    (trace_filter, "name_of"),
]


@functools.lru_cache(maxsize=None)
def without_depyf() -> list[torch.Tensor]:
    results = run_toy("aot_eager", grad=True)
    torch._dynamo.reset()
    return results


@pytest.mark.parametrize(("where", "name"), PLACES, ids=lambda value: str(value).split(" from")[0])
def test_an_error_of_ours_stays_ours(
    where: object, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = without_depyf()
    called = []

    def broken(*args: object, **kwargs: object) -> object:
        called.append(name)
        raise Injected(name)

    monkeypatch.setattr(where, name, broken)
    logger = logging.getLogger("torch.__trace")
    # Beside a handler of anyone else's, pytest's for one, all records are made.
    monkeypatch.setattr(logger, "handlers", [])
    with depyf.prepare_debug(tmp_path):
        found = run_toy("aot_eager", grad=True)
    monkeypatch.undo()
    assert same(found, expected)
    is_called = name not in ONLY_SOMETIMES and (name != "name_of" or compat.explains_breaks())
    if is_called and (compat.trace_logger() or not reads_trace(where, name)):
        assert called, f"{name} was never called: nothing was tested"


def reads_trace(where: object, name: str) -> bool:
    handling = ("attach", "interned_files", "entry_just_made", "read_guards_of")
    return where in (trace, trace_filter, trace.TraceHandler) or name in handling


# Called when code is swapped, and when a framework shows a graph. Torch 2.5 asks for no
# artifact, whose name is read, without Inductor; where breaks are explained, they are artifacts.
ONLY_SOMETIMES = {"remember_swap", "text_of"}


def test_an_error_is_told_once_and_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*args: object) -> object:
        raise Injected("again and again")

    monkeypatch.setattr(hook, "decompile_frame", broken)
    with depyf.prepare_debug(tmp_path):
        run_toy()
    told = [line for line in capfd.readouterr().err.split("\n") if line.startswith("depyf:")]
    assert len(told) == 1 and "again and again" in told[0]
    assert "again and again" in (tmp_path / "session.json").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_made_is_told_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for _ in range(2):
        with depyf.prepare_debug(tmp_path / "notes.txt"):
            run_toy()
    told = [line for line in capfd.readouterr().err.split("\n") if line.startswith("depyf:")]
    assert len(told) == 1 and "notes.txt" in told[0]
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_what_fails_to_start_does_not_stop_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> object:
        raise Injected("no logger")

    monkeypatch.setattr(compat, "modules_of_graph_text", broken)
    with depyf.prepare_debug(tmp_path):
        run_toy()
    assert (tmp_path / "__transformed_code_0_for_toy_example.py").exists()


def test_all_is_restored_though_one_step_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def discard(hook: object) -> None:
        real(hook)
        raise Injected("after removing")

    real = bytecode_hooks.discard
    monkeypatch.setattr(bytecode_hooks, "discard", discard)
    with depyf.prepare_debug(tmp_path):
        run_toy()
    # The fixture of every test looks whether a listener is left.
    assert "after removing" in (tmp_path / "session.json").read_text(encoding="utf-8")


def test_a_closed_stderr_is_no_reason_to_raise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setattr(sys, "stderr", None)
    (tmp_path / "file").write_text("")
    with depyf.prepare_debug(tmp_path / "file"):
        run_toy()
