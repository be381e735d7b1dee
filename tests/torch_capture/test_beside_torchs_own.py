"""Torch's own ways to look inside go on working beside ours, and are left as they were."""

from __future__ import annotations

import contextlib
import dis
import logging
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf  # noqa: E402
from depyf.torch_capture import compat, trace_filter  # noqa: E402
from depyf.torch_capture.trace import TraceHandler  # noqa: E402

from .programs import needs_trace, run_toy, session_of  # noqa: E402

PROGRAM = """
import sys
sys.path[:0] = [{tests!r}]
import depyf, programs
if {captured}:
    with depyf.prepare_debug({folder!r}):
        programs.run_toy("aot_eager")
else:
    programs.run_toy("aot_eager")
"""


def run(captured: bool, folder: Path, environment: dict[str, str]) -> str:
    text = PROGRAM.format(
        tests=str(Path(__file__).parent), folder=str(folder / "dump"), captured=captured
    )
    source = str(Path(depyf.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": source, **environment}
    command = [sys.executable, "-c", text]
    done = subprocess.run(command, env=environment, check=True, timeout=300, capture_output=True)
    return done.stderr.decode()


@needs_trace
def test_torch_trace_and_torch_logs(tmp_path: Path) -> None:
    kinds, logs = [], []
    for captured in (False, True):
        traces = tmp_path / f"trace_{captured}"
        environment = {"TORCH_TRACE": str(traces), "TORCH_LOGS": "graph_breaks,graph_code"}
        logs.append(run(captured, tmp_path, environment))
        lines = "".join(path.read_text(encoding="utf-8") for path in traces.iterdir())
        kinds.append(sorted(kind for kind in WORDS if f'"{kind}"' in lines))
    assert kinds[0] == kinds[1] == sorted(WORDS)
    # Torch 2.5 logs no break at a jump.
    shown = ["TRACED GRAPH", *(["Graph break"] if compat.explains_breaks() else [])]
    assert [words for log in logs for words in shown if words not in log] == []
    assert len(session_of(tmp_path / "dump").frames) == 3


# Some that we use and some that we do not: all of them must be in torch's own trace.
WORDS = ["dynamo_start", "dynamo_output_graph", "describe_tensor", "dynamo_cpp_guards_str"]


@needs_trace
def test_records_that_nobody_reads_are_not_made() -> None:
    made: list[str] = []

    def record(kind: str) -> None:
        from torch._logging import trace_structured

        def metadata() -> dict[str, str]:
            return {"name": kind, "encoding": "string"}

        def payload() -> str:
            made.append(kind)
            return "text"

        trace_structured("artifact", metadata_fn=metadata, payload_fn=payload)

    logger = compat.trace_logger()
    assert logger is not None
    others, heard = list(logger.handlers), []
    logger.handlers = []
    try:
        handler = TraceHandler(heard.append, _no_faults())
        trace_filter.attach(logger, handler)
        for kind in ("recompile_reasons", "fx_graph_runnable"):
            record(kind)
        assert made == ["recompile_reasons"]
        other = logging.NullHandler()
        logger.addHandler(other)
        record("fx_graph_runnable")
        assert made == ["recompile_reasons", "fx_graph_runnable"]
        logger.removeHandler(other)
        trace_filter.detach(logger, handler)
        assert logger.handlers == [] and type(logger.handlers) is list
    finally:
        logger.handlers = others
    assert [event.kind for event in heard] == ["recompile_reasons"]


def _no_faults() -> object:
    from depyf.torch_capture.faults import Faults

    def fail(sentence: str) -> None:
        raise AssertionError(sentence)

    return Faults(fail)


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    logger = compat.trace_logger()
    before = logger and (list(logger.handlers), logger.level, logger.propagate, logger.disabled)
    homes = compat.modules_of_graph_text()
    lazy = [home.LazyString for home in homes]
    assert lazy
    for _ in range(2):
        with depyf.prepare_debug(tmp_path / "outer"), depyf.prepare_debug(tmp_path / "inner"):
            run_toy(rounds=1)
            torch._dynamo.reset()
    after = logger and (list(logger.handlers), logger.level, logger.propagate, logger.disabled)
    # Torch takes its own idle handler away at the first record.
    assert before is None or after is None or (set(after[0]) <= set(before[0]))
    assert before is None or after is None or before[1:] == after[1:]
    assert [home.LazyString for home in homes] == lazy


@needs_trace
def test_hooks_of_the_program_see_what_torch_made(tmp_path: Path) -> None:
    def seen_by_hooks(add_early: bool) -> list[list[object]]:
        """What a hook of the program is given of the toy program, as instructions."""
        seen: list[list[object]] = []

        def hook(original: types.CodeType, made: types.CodeType) -> None:
            # Names of graphs and continuations count on.
            seen.append([each.opname for each in dis.get_instructions(made)])

        torch._dynamo.reset()
        with contextlib.ExitStack() as undo:
            if add_early:
                undo.callback(compat.add_bytecode_hook(hook))
            undo.enter_context(depyf.prepare_debug(tmp_path / str(add_early)))
            if not add_early:
                undo.callback(compat.add_bytecode_hook(hook))
            run_toy()
        return seen

    assert seen_by_hooks(add_early=True) == seen_by_hooks(add_early=False) != []
    assert all(one.swapped for one in session_of(tmp_path / "False").frames if one.transformed)
