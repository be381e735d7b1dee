"""Blocks are entered and left beside other threads, interruptions and other people's patches."""

from __future__ import annotations

import logging
import threading
import time
import types
from pathlib import Path
from typing import Callable, Iterator

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

from torch._dynamo import convert_frame  # noqa: E402

import depyf  # noqa: E402
from depyf.torch_capture import (  # noqa: E402
    bytecode_hooks,
    capture,
    compat,
    graph_text,
    output_code,
    trace_filter,
)

from .programs import needs_trace, run_toy, session_of  # noqa: E402


def compiled() -> Callable[..., torch.Tensor]:
    def toy(a: torch.Tensor) -> torch.Tensor:
        return a * 2

    toy.__code__ = toy.__code__.replace()
    return torch.compile(toy, backend="eager")


# Threads


def test_a_block_is_entered_and_left_while_torch_walks_through_its_hooks(tmp_path: Path) -> None:
    """Torch's walk is over an ordered dictionary, which must not change meanwhile."""
    walking, go_on = threading.Event(), threading.Event()
    errors: list[BaseException] = []

    def slow(original: types.CodeType, made: types.CodeType) -> None:
        walking.set()
        go_on.wait(30)

    def compile_slowly() -> None:
        try:
            compiled()(torch.ones(2))
        except BaseException as error:
            errors.append(error)

    first, second = (convert_frame.register_bytecode_hook(hook) for hook in (slow, slow))
    try:
        with depyf.prepare_debug(tmp_path / "outer"):
            thread = threading.Thread(target=compile_slowly)
            thread.start()
            assert walking.wait(30)
            with depyf.prepare_debug(tmp_path / "inner"):
                pass
        go_on.set()
        thread.join(60)
        assert not errors
    finally:
        first.remove()
        second.remove()
    assert not bytecode_hooks._listeners
    # The hook could not be taken out while torch walked over it. It goes with the next block.
    with depyf.prepare_debug(tmp_path / "later"):
        pass
    assert bytecode_hooks._ours is None


def test_entering_waits_for_another_thread_that_compiles(tmp_path: Path) -> None:
    holding, entered = threading.Event(), threading.Event()

    def hold() -> None:
        with compat.compile_lock():
            holding.set()
            time.sleep(0.3)
            assert not entered.is_set()

    thread = threading.Thread(target=hold)
    thread.start()
    assert holding.wait(10)
    with depyf.prepare_debug(tmp_path):
        entered.set()
        thread.join(10)
        compiled()(torch.ones(2))
    assert (tmp_path / "__transformed_code_0_for_toy.py").exists()


def test_entering_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode_hooks, "LONGEST_WAIT", 0.1)
    holding, entered = threading.Event(), threading.Event()

    def hold() -> None:
        with compat.compile_lock():
            holding.set()
            entered.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert holding.wait(10)
    with depyf.prepare_debug(tmp_path):
        entered.set()
        thread.join(10)
        assert compiled()(torch.ones(2)).tolist() == [2.0, 2.0]
    assert any(bytecode_hooks.BUSY in problem for problem in session_of(tmp_path).problems)


# Interruptions

# What the capture listens with.
EAR = output_code if compat.trace_logger() is None else trace_filter
STEPS = [
    (EAR, "attach"),
    (graph_text, "_install"),
    (bytecode_hooks, "add"),
    (compat, "add_bytecode_hook"),
    (capture.Capture, "start"),
]


@pytest.mark.parametrize("late", [False, True], ids=["before", "behind"])
@pytest.mark.parametrize(("where", "name"), STEPS, ids=lambda value: str(value).split(" from")[0])
def test_entering_is_all_or_nothing(
    where: object, name: str, late: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while a block is entered: `__exit__` is never called, and nothing stays behind."""
    real = getattr(where, name)

    def interrupted(*args: object, **kwargs: object) -> object:
        if late:
            real(*args, **kwargs)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(where, name, interrupted)
        with pytest.raises(KeyboardInterrupt), depyf.prepare_debug(tmp_path):
            raise AssertionError("not reached")
    assert not bytecode_hooks._listeners and not graph_text._listeners
    calls: list[str] = []
    with depyf.prepare_debug(tmp_path):
        monkeypatch.setattr(capture.Capture, "_take_code", lambda *args: calls.append("once"))
        compiled()(torch.ones(2))
    assert calls == ["once"]
    # A hook that torch had already when it was interrupted is lost to us, and does nothing.
    for number, hook in list(convert_frame._bytecode_hooks.items()):
        if isinstance(hook, bytecode_hooks._Ours):
            assert (name, late) == ("add_bytecode_hook", True)
            assert hook(compiled.__code__, compiled.__code__) is None
            del convert_frame._bytecode_hooks[number]


LETTING_GO = [
    (EAR, "detach"),
    (graph_text, "stop_listening"),
    (bytecode_hooks, "discard"),
]


@pytest.mark.parametrize(("where", "name"), LETTING_GO, ids=lambda value: str(value)[:50])
def test_an_interruption_while_leaving(
    where: object, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = getattr(where, name)
    calls: list[str] = []

    def interrupted(*args: object) -> object:
        calls.append(name)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return real(*args)

    block = depyf.prepare_debug(tmp_path)
    monkeypatch.setattr(where, name, interrupted)
    block.__enter__()
    assert not calls
    with pytest.raises(KeyboardInterrupt):
        block.__exit__(None, None, None)
    # The fixture of every test looks whether a listener is left.
    assert len(calls) == 2
    block.__exit__(None, None, None)


# Somebody else's patch on top


def test_a_class_of_somebody_elses_over_ours(tmp_path: Path) -> None:
    for module in compat.modules_of_graph_text():
        own = module.LazyString
        try:
            with depyf.prepare_debug(tmp_path / "first"):
                theirs = type("Theirs", (module.LazyString,), {})
                module.LazyString = theirs
            assert module.LazyString is theirs
            heard: list[object] = []
            graph_text.listen(heard.append)
            graph_text.stop_listening(heard.append)
            assert module.LazyString is theirs
            graph_text.listen(heard.append)
            module.LazyString(_lazy_format_graph_code())
            graph_text.stop_listening(heard.append)
            assert len(heard) == 1
        finally:
            module.LazyString = own


def _lazy_format_graph_code() -> Callable[[], str]:
    def text() -> str:
        return "graph"

    text.__qualname__ = "lazy_format_graph_code.<locals>.format_name"
    return text


@pytest.fixture
def trace_log() -> Iterator[logging.Logger]:
    logger = compat.trace_logger()
    assert logger is not None
    before = logger.handlers
    yield logger
    logger.handlers = before


@needs_trace
def test_a_list_of_handlers_of_somebody_elses(tmp_path: Path, trace_log: logging.Logger) -> None:
    before = trace_log.handlers
    with depyf.prepare_debug(tmp_path):
        assert trace_log.handlers is not before
    assert trace_log.handlers is before
    with depyf.prepare_debug(tmp_path):
        theirs = type("Theirs", (list,), {})(trace_log.handlers)
        trace_log.handlers = theirs
    assert trace_log.handlers is theirs
    assert not any(isinstance(handler, trace_filter.TraceHandler) for handler in theirs)


def test_a_level_that_somebody_set_meanwhile() -> None:
    logger = logging.getLogger("depyf.tests.output_code")
    handler = output_code.OutputCodeHandler(lambda event: None, None)  # type: ignore[arg-type]
    logger.setLevel(logging.WARNING)
    output_code.attach(logger, handler)
    output_code.detach(logger, handler)
    assert (logger.level, logger.propagate) == (logging.WARNING, True)
    output_code.attach(logger, handler)
    logger.setLevel(logging.ERROR)
    output_code.detach(logger, handler)
    assert (logger.level, logger.propagate) == (logging.ERROR, True)


def test_a_log_that_torch_set_up_meanwhile() -> None:
    """As torch does when Inductor is first loaded, in the block."""
    logger = logging.getLogger("depyf.tests.output_code_set_up")
    handler = output_code.OutputCodeHandler(lambda event: None, None)  # type: ignore[arg-type]
    output_code.attach(logger, handler)
    logger.artifact_name = "output_code"  # type: ignore[attr-defined]
    logger.propagate = False
    output_code.detach(logger, handler)
    assert (logger.level, logger.propagate) == (logging.NOTSET, False)


# Records and events


@needs_trace
def test_who_describes_a_record_is_asked_once(tmp_path: Path, trace_log: logging.Logger) -> None:
    from torch._logging import trace_structured

    asked: list[str] = []

    def describe(name: str) -> Callable[[], dict[str, str]]:
        def metadata() -> dict[str, str]:
            asked.append(name)
            return {"name": name, "encoding": "string"}

        return metadata

    trace_log.handlers = []
    with depyf.prepare_debug(tmp_path):
        for name in ("recompile_reasons", "fx_graph_runnable"):
            trace_structured("artifact", metadata_fn=describe(name), payload_fn=lambda: "text")
    assert asked == ["recompile_reasons", "fx_graph_runnable"]


def test_what_the_files_say_is_what_runs_whatever_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in the middle of the hook leaves no file or event that says the wrong thing."""
    for place, (where, name) in enumerate(INSIDE_THE_HOOK):
        torch._dynamo.reset()
        folder = tmp_path / str(place)
        calls: list[str] = []
        real = getattr(where, name)

        def fails_first(*args: object, name: str = name, real=real, calls=calls) -> object:
            calls.append(name)
            if len(calls) == 1:
                raise ValueError(name)
            return real(*args)

        with monkeypatch.context() as patch:
            patch.setattr(where, name, fails_first)
            with depyf.prepare_debug(folder):
                run_toy("eager")
                running = {code.co_filename for code in _running()}
        assert calls, name
        files = {str(path) for path in folder.glob("__transformed_code_*.py")}
        from_files = {path for path in files if not Path(path).read_text().startswith("# Torch")}
        assert from_files == {path for path in running if path in files}, name
        swapped = [frame for frame in session_of(folder).frames if frame.swapped]
        assert {str(folder / frame.transformed_file) for frame in swapped} == from_files, name


INSIDE_THE_HOOK = [
    (capture, "Seen"),
    (capture, "without_collection"),
    (capture, "remember_swap"),
    (capture.FrameWriter, "write"),
    (capture.Resumes, "learn"),
    (compat, "compiling_now"),
    (compat, "globals_of_compiling_frame"),
]


def _running() -> Iterator[types.CodeType]:
    for original in compat.compiled_codes():
        for entry in compat.cache_entries(original):
            code = compat.code_of_entry(entry)
            if code is not None:
                yield code
