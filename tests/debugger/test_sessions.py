"""Sessions of Python's debugger in a terminal: breakpoints in each kind of file, per backend.

Every assertion is about the line that the debugger shows and the value that it prints.
"""

from __future__ import annotations

import functools
import os
import re
from pathlib import Path
from typing import Callable

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

from .scripted import (
    LAUNCHES,
    OWN,
    RESULT,
    TOY,
    environment,
    graph_in,
    line_of,
    run_program,
    shown,
    write_program,
)
from .terminal import Terminal, visit

Dumped = Callable[..., "tuple[Path, Path]"]


@pytest.fixture(scope="module")
def dumped(tmp_path_factory: pytest.TempPathFactory) -> Dumped:
    """The program and its folder, filled by a first run: two runs write the same names."""

    @functools.lru_cache(maxsize=None)
    def first_run(backend: str, grad: bool, function: str = TOY) -> tuple[Path, Path]:
        folder = tmp_path_factory.mktemp(backend)
        program = write_program(folder, backend, grad, function)
        first = run_program(program, "", env=environment(PYTHONBREAKPOINT="0"))
        assert first.returncode == 0, first.stderr
        assert first.stdout.count(RESULT) == 3
        return program, folder / "dump"

    return first_run


def one_file(folder: Path, pattern: str, holding: str) -> Path:
    found = [one for one in sorted(folder.glob(pattern)) if holding in one.read_text("utf-8")]
    assert found, (pattern, holding, sorted(os.listdir(folder)))
    return found[0]


@pytest.mark.parametrize("backend", ["eager", "aot_eager", "inductor", OWN])
def test_transformed_code(dumped: Dumped, backend: str) -> None:
    program, folder = dumped(backend, False)
    file = folder / "__transformed_code_0_for_toy.py"
    line = line_of(file, f"{graph_in(folder)}(a, b)")
    test, doubled = behind_the_graph(file, line)
    said = visit(program, file, line, "p a.tolist()", "n", f"p {doubled}.tolist()", "up")
    assert shown(said[0])[:2] == (file.name, line)
    assert said[1] == "[5.0, 5.0, 5.0]"
    assert shown(said[2])[:2] == (file.name, line + 1)
    assert shown(said[2])[2] == test
    assert said[3] == "[10.0, 10.0, 10.0]"
    assert shown(said[4])[0] == "eval_frame.py"


def behind_the_graph(file: Path, line: int) -> tuple[str, str]:
    """The test on the next line, and what `a * 2` is called; an old torch unpacks its graph."""
    call, test = (
        text.strip() for text in file.read_text("utf-8").splitlines()[line - 1 : line + 1]
    )
    assert test.startswith("if ") and test.endswith(":")
    return test, "x" if call.startswith("x, ") else "graph_out_0[1]"


def test_continuations(dumped: Dumped) -> None:
    program, folder = dumped("eager", False)
    # Torch 2.2 calls it `resume_in_toy`.
    (file,) = folder.glob("__transformed_code_0_for_*resume_in_toy*.py")
    line = line_of(file, f"{graph_in(folder, 1)}(")
    said = visit(program, file, line, "p b.tolist()", "n")
    assert shown(said[0])[:2] == (file.name, line)
    assert said[1] == "[7.0, 7.0, 7.0]"
    assert shown(said[2])[2].startswith("return")


@pytest.mark.parametrize("backend", ["eager", OWN])
def test_captured_graph(dumped: Dumped, backend: str) -> None:
    program, folder = dumped(backend, False)
    file = one_file(folder, f"{graph_in(folder)}.Captured_Graph.0.py", "l_a_ * 2")
    line = line_of(file, "l_a_ * 2")
    said = visit(program, file, line, "p l_a_.tolist()", "n", "p x.tolist()", "r", "s", "s")
    assert shown(said[0])[:2] == (file.name, line)
    assert said[1] == "[5.0, 5.0, 5.0]"
    assert shown(said[2])[1] > line and "l_b_.sum()" in shown(said[2])[2]
    assert said[3] == "[10.0, 10.0, 10.0]"
    assert shown(said[4])[2].startswith("return")
    # From the end of the graph to the line behind it: past what torch does between the two, but
    # not past what the program does there.
    if backend == OWN:
        assert shown(said[5])[::2] == (program.name, "return graph(*arguments)")
    frame = folder / "__transformed_code_0_for_toy.py"
    test, _ = behind_the_graph(frame, line_of(frame, f"{graph_in(folder)}(a, b)"))
    assert shown(said[6 if backend == OWN else 5])[::2] == (frame.name, test)


def test_step_goes_from_compiled_code_into_compiled_code(dumped: Dumped) -> None:
    program, folder = dumped("eager", False)
    file = folder / "__transformed_code_0_for_toy.py"
    said = visit(program, file, line_of(file, f"{graph_in(folder)}(a, b)"), "s", "s", "p L_a_[0]")
    assert shown(said[1])[0] == f"{graph_in(folder)}.Captured_Graph.0.py"
    assert shown(said[2])[0] == f"{graph_in(folder)}.Captured_Graph.0.py"
    assert said[3] == "tensor(5.)"


def test_forward_graph_with_aot_eager(dumped: Dumped) -> None:
    program, folder = dumped("aot_eager", True)
    file = folder / f"{graph_in(folder)}.Forward_graph.0.py"
    line = line_of(file, "mul.Tensor(primals_1, 2)")
    said = visit(program, file, line, "p primals_1.tolist()", "n", "p mul.tolist()")
    assert shown(said[0])[:2] == (file.name, line)
    assert said[1] == "[5.0, 5.0, 5.0]"
    assert shown(said[2])[1] > line
    assert said[3] == "[10.0, 10.0, 10.0]"


def test_backward_graph_with_aot_eager(dumped: Dumped) -> None:
    program, folder = dumped("aot_eager", True)
    file = folder / f"{graph_in(folder)}.Backward_graph.0.py"
    line = line_of(file, "mul.Tensor(tangents_1, 2)")
    said = visit(program, file, line, "p tangents_1.tolist()", "n", "p mul_1.tolist()")
    assert shown(said[0])[:2] == (file.name, line)
    assert said[1] == "[7.0, 7.0, 7.0]"
    # What is returned stands over several lines.
    assert shown(said[2])[1] > line and shown(said[2])[2].startswith(("return", "mul_1"))
    assert said[3] == "[14.0, 14.0, 14.0]"


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_inductors_wrapper(dumped: Dumped, direction: str) -> None:
    program, folder = dumped("inductor", True)
    file = one_file(folder, f"{graph_in(folder)}.kernel_*.py", f"({direction})")
    argument = {"forward": "primals_1", "backward": "tangents_1"}[direction]
    value = {"forward": "[5.0, 5.0, 5.0]", "backward": "[7.0, 7.0, 7.0]"}[direction]
    line = line_of(file, "args.clear()")
    launch = line_of(file, "    cpp_fused")
    said = visit(
        program, file, line, f"p {argument}.tolist()", "n", f"until {launch}", "s", "p buf0.shape"
    )
    assert shown(said[0]) == (file.name, line, "args.clear()")
    assert said[1] == value
    assert shown(said[2])[:2] == (file.name, line + 1)
    assert shown(said[3])[1] == launch and shown(said[3])[2].startswith("cpp_fused")
    # A kernel is C++ all through: when it has run, the debugger stands behind its launch.
    assert shown(said[4])[1] == launch + 1
    assert said[5].startswith("torch.Size(")


def test_from_inductors_wrapper_into_each_launch(dumped: Dumped) -> None:
    """Kernels in C++ are passed, with what they computed; one in Python is entered."""
    program, folder = dumped("inductor", False, LAUNCHES)
    (file,) = folder.glob(f"{graph_in(folder)}.kernel_*.py")
    lines = file.read_text(encoding="utf-8").splitlines()
    first, last = (place for place, line in enumerate(lines, 1) if re.match(r" +cpp_fused", line))
    called = line_of(file, "= torch.ops.mine.doubled")
    # Its number, and how it is handed over, depend on the version of torch.
    last_buffer = re.findall(r"buf\d", lines[last - 1])[0]
    said = visit(
        program,
        file,
        first,
        *("s", "p buf0.tolist()", f"until {called}", "s", "s", "p x.tolist()", "r", "s"),
        *("p buf1.tolist()", f"until {last}"),
        *(f"p {last_buffer}.tolist()", "s", f"p {last_buffer}.tolist()"),
    )
    assert shown(said[0])[:2] == (file.name, first)
    assert shown(said[1])[:2] == (file.name, first + 1)
    assert said[2] == "[2.5, 2.5, 2.5]"
    assert shown(said[3])[:2] == (file.name, called)
    assert shown(said[4])[::2] == (program.name, "def doubled(x):")
    assert shown(said[5])[::2] == (program.name, "return x * 2")
    assert said[6] == "[2.5, 2.5, 2.5]"
    assert shown(said[7])[::2] == (program.name, "return x * 2")
    assert shown(said[8])[:2] == (file.name, called + 1)
    assert said[9] == "[5.0, 5.0, 5.0]"
    assert shown(said[10])[:2] == (file.name, last)
    assert said[11] == "[5.0, 5.0, 5.0]"
    assert shown(said[12])[:2] == (file.name, last + 1)
    assert said[13] == "[70.0, 70.0, 70.0]"


HANDLERS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
def say_handler():
    print("is the program's:", signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_an_interruption_is_the_program_s_again_behind_the_block(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    text = program.read_text(encoding="utf-8")
    blocks = "with depyf.debug():\n    run()\n"
    assert blocks in text
    text = text.replace(blocks, f"{blocks}    say_handler()\nsay_handler()\n")
    program.write_text(HANDLERS + text, encoding="utf-8")
    with Terminal(str(program)) as terminal:
        said = terminal.finish("c")
    assert re.findall(r"is the program's: (\w+)", said) == ["False", "True"], said


# Both workers go into compiled code at once.
IN_THREADS = """\
import concurrent.futures, threading
together = threading.Barrier(2)
def work(number):
    together.wait()
    return compiled(torch.full((3,), number), torch.ones(3)).tolist()
with depyf.debug(), concurrent.futures.ThreadPoolExecutor(2, 'worker') as pool:
    print("from threads", list(pool.map(work, [20.0, 30.0])))
print("traced:", threading._trace_hook)
"""


def test_breakpoints_are_hit_in_threads_one_at_a_time(tmp_path: Path) -> None:
    program = write_program(tmp_path, "eager")
    text = program.read_text(encoding="utf-8")
    block = "with depyf.debug():\n    run()\n"
    assert block in text
    program.write_text(text.replace(block, IN_THREADS), encoding="utf-8")
    file = tmp_path / "dump" / "__transformed_code_0_for_toy.py"
    with Terminal(str(program)) as terminal:
        line = line_of(file, f"{graph_in(file.parent)}(a, b)")
        assert terminal.ask(f"b {file}:{line}") == f"Breakpoint 1 at {file}:{line}"
        stops, answer = [], terminal.ask("c")
        while "from threads" not in answer:
            thread, place = answer.partition("\n")[0], shown(answer)[1]
            stops.append((thread, place, terminal.ask("p a.tolist()")))
            # The next line is one of the same thread, whoever stops in between.
            answer = terminal.ask("n" if place == line else "c")
        assert "from threads [[40.0, 40.0, 40.0], [60.0, 60.0, 60.0]]\ntraced: None\n" in answer
        threads = {stop[0] for stop in stops}
        assert threads == {"--Thread worker_0--", "--Thread worker_1--"}
        values = {(thread, value) for thread, _, value in stops}
        assert {value for _, value in values} == {"[20.0, 20.0, 20.0]", "[30.0, 30.0, 30.0]"}
        # Each was in one thread alone, at both lines.
        assert len(values) == 2 and {stop[:2] for stop in stops} == {
            (thread, at) for thread in threads for at in (line, line + 1)
        }
        terminal.ask("clear 1")
        assert RESULT in terminal.finish("c")
