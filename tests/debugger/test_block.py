"""debug() in this process: what it says, what it changes, and that all of it is undone."""

from __future__ import annotations

import gc
import inspect
import re
import sys
import threading
import traceback
import types
from pathlib import Path
from typing import Callable, Iterator

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf  # noqa: E402
from depyf.debugger import advice, block, linking, pause, running  # noqa: E402
from depyf.torch_capture import compat, compat_debug, prepare, refusal  # noqa: E402


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nobody stops; the list tells how often one would have."""
    stops: list[str] = []
    monkeypatch.setattr(sys, "breakpointhook", lambda *args, **kwargs: stops.append("stop"))
    monkeypatch.setattr(prepare, "_captures", {})
    return stops


def compiled(backend: str = "eager") -> Callable[..., torch.Tensor]:
    def toy(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a * 2 + b

    toy.__code__ = toy.__code__.replace()
    return torch.compile(toy, backend=backend)


def captured(folder: Path, backend: str = "eager") -> Callable[..., torch.Tensor]:
    function = compiled(backend)
    with depyf.prepare_debug(folder):
        function(torch.ones(3), torch.ones(3))
    return function


def codes() -> list[object]:
    return [one.__code__ for each in running.running_functions().values() for one in each]


def test_before_anything_is_captured(
    no_pause: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    function = compiled()
    with depyf.debug():
        assert function(torch.ones(3), torch.ones(3)).tolist() == [3.0] * 3
    assert "prepare_debug" in capfd.readouterr().err and not no_pause


def test_inside_prepare_debug(
    tmp_path: Path, no_pause: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    function = compiled()
    with depyf.prepare_debug(tmp_path), depyf.debug():
        assert function(torch.ones(3), torch.ones(3)).tolist() == [3.0] * 3
    assert "after that block" in capfd.readouterr().err and not no_pause
    assert (tmp_path / "__transformed_code_0_for_toy.py").exists()


def test_it_pauses_once_and_undoes_everything(
    tmp_path: Path, no_pause: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    function = captured(tmp_path)
    # What earlier tests left must not go in the midst of this one.
    gc.collect()
    before = codes()
    with depyf.debug():
        assert no_pause == ["stop"]
        assert [one.__code__.co_name for one in linked(tmp_path)] == ["forward"]
        assert function(torch.ones(3), torch.ones(3)).tolist() == [3.0] * 3
        with depyf.debug():
            pass
        # The inner block leaves the outer one's links alone.
        assert len(linked(tmp_path)) == 1
    assert codes() == before and not linked(tmp_path)
    said = capfd.readouterr().err
    assert str(tmp_path) in said and "full_code_for_toy_0.py" in said
    assert "Captured_Graph.0.py:" in said and "__transformed_code_0_for_toy.py:2" in said


def offered(said: str) -> list[str]:
    """The files in which breakpoints are said to be hit."""
    return [Path(place).name for place in re.findall(r"^    b (.*):\d+$", said, re.M)]


def test_files_of_another_program_are_not_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full_code_for_former_0.py").write_text("")
    text = "def __transformed_code_0_for_former(x):\n    return x\n"
    (tmp_path / "__transformed_code_0_for_former.py").write_text(text)
    captured(tmp_path)
    with depyf.debug():
        pass
    said = capfd.readouterr().err
    assert "start reading: full_code_for_toy_0.py\n" in said and "former" not in said
    assert offered(said)[0] == "__transformed_code_0_for_toy.py"


def test_a_graph_that_another_was_made_of_is_not_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from torch.utils.checkpoint import checkpoint

    def outer(x: torch.Tensor) -> torch.Tensor:
        return checkpoint(lambda y: y.sin() * 2, x, use_reentrant=False) + 1

    function = torch.compile(outer, backend="aot_eager")
    with depyf.prepare_debug(tmp_path):
        function(torch.ones(3, requires_grad=True)).sum().backward()
    with depyf.debug():
        pass
    stages = [name.split(".")[1] for name in offered(capfd.readouterr().err)]
    assert sorted(stages) == ["Backward_graph", "Forward_graph", "py"]


@pytest.mark.parametrize("frames, graphs", [(12, 12), (12, 2), (2, 12), (3, 3)])
def test_many_frames_leave_room_for_graphs(frames: int, graphs: int) -> None:
    of_frames = [f"frame_{number}" for number in range(frames)]
    of_graphs = [f"graph_{number}" for number in range(graphs)]
    few = advice._some_of_both(of_frames, of_graphs)
    assert len(few) == min(advice.MOST_PLACES, frames + graphs)
    half = advice.MOST_PLACES // 2
    assert few[: min(half, frames)] == of_frames[:half]
    assert set(of_graphs[:half]) <= set(few)


@pytest.mark.skipif(
    not compat.numbers_compiled_autograd(), reason="this torch does not give that graph"
)
def test_a_backward_graph_that_compiled_autograd_took_is_not_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def step(x: torch.Tensor) -> None:
        (x.sin() * 2).sum().backward()

    with torch._dynamo.config.patch(compiled_autograd=True), depyf.prepare_debug(tmp_path):
        torch.compile(step, backend="aot_eager")(torch.ones(3, requires_grad=True))
    assert list(tmp_path.glob("*.Compiled_autograd_graph.0.py"))
    assert list(tmp_path.glob("*.Backward_graph.0.py"))
    with depyf.debug():
        pass
    stages = [name.split(".")[1] for name in offered(capfd.readouterr().err)]
    assert set(stages) == {"Forward_graph", "py"} and stages.count("Forward_graph") == 2


def test_nothing_new_is_compiled(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    function = captured(tmp_path)
    original = next(code for code in compat.compiled_codes() if compat.cache_entries(code))
    with depyf.debug():
        for _ in range(2):
            assert function(torch.ones(3, 3), torch.ones(3, 3)).shape == (3, 3)
        other = compiled()
        assert other(torch.ones(2), torch.ones(2)).tolist() == [3.0] * 2
    said = capfd.readouterr().err
    told = int(compat_debug.tells_of_misses())
    assert said.count("does not fit the compiled entry") == said.count("rank mismatch") == told
    assert said.count("it has not been compiled") == told
    assert said.count("does not tell when no compiled code fits") == 1 - told
    assert len(compat.cache_entries(original)) == 1
    # Afterwards torch compiles again, also what was refused.
    assert function(torch.ones(3, 3), torch.ones(3, 3)).shape == (3, 3)
    assert len(compat.cache_entries(original)) == 2


@pytest.mark.skipif(not compat_debug.tells_of_misses(), reason="this torch tells of no misses")
def test_every_reason_is_told_and_repetitions_are_counted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    function = captured(tmp_path)
    with depyf.debug():
        for _ in range(3):
            function(torch.ones(5), torch.ones(5))
            function(torch.ones(3, dtype=torch.float64), torch.ones(3))
        function(torch.ones(3), torch.ones(3))
    said = capfd.readouterr().err
    assert said.count("does not fit the compiled entry") == 2
    assert said.count("size mismatch") == said.count("dtype mismatch") == 1
    assert said.count("the original ran 4 times more in place of compiled code") == 1


@pytest.mark.skipif(not compat_debug.tells_of_misses(), reason="this torch tells of no misses")
def test_an_input_that_never_fits_floods_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    function = captured(tmp_path)
    with depyf.debug():
        for size in range(4, 4 + refusal.MOST_TOLD + 1):
            function(torch.ones(size), torch.ones(size))
    said = capfd.readouterr().err
    assert said.count("does not fit the compiled entry") == refusal.MOST_TOLD
    assert said.count("more such calls are only counted") == 1
    assert said.count("the original ran once more in place of compiled code") == 1


@pytest.mark.usefixtures("count_backward_compilations")
@pytest.mark.parametrize("keep", [False, True], ids=["once", "kept"])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_a_backward_pass_is_not_compiled_either(
    backend: str, keep: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Torch compiles it when it is first called, which is in the block here."""

    def loss(a: torch.Tensor) -> torch.Tensor:
        return (a.sin() * 2).sum()

    def gradient() -> list[float]:
        a = torch.linspace(0, 1, 3, requires_grad=True)
        result = function(a)
        result.backward(retain_graph=keep)
        if keep:
            result.backward()
        return a.grad.tolist()

    function = loss
    expected = gradient()
    function = torch.compile(loss, backend=backend)
    with depyf.prepare_debug(tmp_path):
        function(torch.linspace(0, 1, 3, requires_grad=True))
    compiled_before = backward_compilations()
    with depyf.debug():
        assert gradient() == pytest.approx(expected)
        assert gradient() == pytest.approx(expected)
    assert backward_compilations() == compiled_before
    assert capfd.readouterr().err.count(refusal.NO_BACKWARD) == 1
    assert gradient() == pytest.approx(expected)
    assert backward_compilations() > compiled_before


def backward_compilations() -> int:
    return torch._dynamo.utils.counters["depyf tests"]["backward"]


@pytest.fixture
def count_backward_compilations(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if compat_debug.backward_compiler() is None:
        pytest.skip("this torch cannot be stopped")
    from torch._functorch import config
    from torch._functorch._aot_autograd import runtime_wrappers

    tracked = runtime_wrappers.track_graph_compiling

    def track(config: object, name: str, *rest: object) -> object:
        if name == "backward":
            torch._dynamo.utils.counters["depyf tests"]["backward"] += 1
        return tracked(config, name, *rest)

    monkeypatch.setattr(runtime_wrappers, "track_graph_compiling", track)
    # A backward pass in torch's cache comes with the forward pass.
    with config.patch(enable_autograd_cache=False):
        yield


def test_source_is_found_by_everybody(tmp_path: Path) -> None:
    captured(tmp_path)
    with depyf.debug():
        (forward,) = linked(tmp_path)
        assert "* 2" in inspect.getsource(forward.__code__)
        assert inspect.getsource(forward).startswith("    def forward(self, ")


def linked(folder: Path) -> list[types.FunctionType]:
    """The functions that run from a graph's file; transformed code is not exchanged."""
    return [
        one
        for one in gc.get_objects()
        if type(one) is types.FunctionType
        and one.__code__.co_filename.startswith(str(folder / "__compiled_fn_"))
    ]


def test_a_traceback_shows_our_line(tmp_path: Path) -> None:
    captured(tmp_path)
    with depyf.debug():
        (forward,) = linked(tmp_path)
        with pytest.raises(TypeError) as caught:
            forward(None, torch.ones(3), "text")
    shown = "".join(traceback.format_exception(caught.type, caught.value, caught.tb))
    assert f'File "{tmp_path}' in shown and ": " in shown


def test_other_threads(tmp_path: Path) -> None:
    function = captured(tmp_path)
    results = []

    def work() -> None:
        with depyf.debug():
            results.append(function(torch.ones(3), torch.ones(3)).tolist())

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[3.0] * 3] * 3


def test_errors_of_the_program_pass_through(tmp_path: Path) -> None:
    captured(tmp_path)
    before = codes()
    with pytest.raises(KeyError), depyf.debug():
        raise KeyError("the program's own")
    assert codes() == before


class Injected(Exception):
    """No code of ours expects this."""


PLACES = [
    (block, "known_folders"),
    (block, "link"),
    (block, "refuse_compilation"),
    (block, "welcome"),
    (advice, "_transformed"),
    (linking, "running_functions"),
    (linking, "functions_in"),
    (linking, "with_lines_of"),
    (linking.Links, "exchange"),
    (linking.Links, "undo"),
    (compat, "compiled_codes"),
    (compat_debug, "is_generated"),
    (compat_debug, "compile_callback"),
    (compat, "cache_entries"),
    (compat_debug, "why_no_entry_fits"),
    (refusal, "_tell"),
    (pause, "_stdin_is_gone"),
]


@pytest.mark.parametrize(("where", "name"), PLACES, ids=lambda value: str(value).split(" from")[0])
def test_an_error_of_ours_stays_ours(
    where: object, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = captured(tmp_path)

    def broken(*args: object, **kwargs: object) -> object:
        raise Injected(name)

    with monkeypatch.context() as patch:
        patch.setattr(where, name, broken)
        with depyf.debug():
            assert function(torch.ones(3), torch.ones(3)).tolist() == [3.0] * 3
            assert function(torch.ones(2, 2), torch.ones(2, 2)).tolist() == [[3.0] * 2] * 2
    assert function(torch.ones(3), torch.ones(3)).tolist() == [3.0] * 3
