"""`depyf run --debug`: it stops at the first compiled frame, and follows what comes after it."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

from .beside import TOY, environment, python


def test_debug_stops_at_the_first_compiled_frame(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    plain = python("toy.py", cwd=tmp_path)
    words = ["-m", "depyf", "run", "--debug", "toy.py"]
    done = python(*words, cwd=tmp_path, input="p a.tolist()\ns\nc\n")
    assert done.returncode == 0, done.stderr
    assert "__transformed_code_0_for_toy.py(2)toy()" in done.stdout
    assert "(Pdb) [1.0, 1.0, 1.0]\n" in done.stdout
    assert "breakpoint" not in done.stdout
    # Torch counts its graphs from 0 or from 1.
    assert re.search(r"__compiled_fn_[01]\.Captured_Graph\.0\.py", done.stdout)
    assert done.stdout.endswith(plain.stdout.partition("\n")[2])


OWN_BLOCK = """\
import depyf, torch
@torch.compile(backend="eager")
def f(x):
    return x * 2
with depyf.prepare_debug("own"):
    print(f(torch.ones(3)).tolist())
"""


def test_debug_stops_in_the_files_of_a_block_of_the_program_s_own(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(OWN_BLOCK)
    words = ["-m", "depyf", "run", "--debug", "script.py"]
    done = python(*words, cwd=tmp_path, input="p x.tolist()\nc\n")
    assert done.returncode == 0, done.stderr
    assert f"> {tmp_path / 'own' / '__transformed_code_0_for_f.py'}(2)f()\n" in done.stdout
    assert "(Pdb) [1.0, 1.0, 1.0]\n" in done.stdout and "[2.0, 2.0, 2.0]\n" in done.stdout


TWO = """\
import torch
@torch.compile(backend="eager")
def first(x):
    return x * 2
@torch.compile(backend="eager")
def second(x):
    return x + 3
print(first(torch.ones(3)).tolist())
print(second(torch.ones(3)).tolist())
print(second(torch.ones(3)).tolist())
print(first(torch.ones(3)).tolist())
"""


@pytest.mark.parametrize("line", [9, 10], ids=["while it is compiled", "when it is compiled"])
def test_debug_follows_what_is_compiled_after_the_first_frame(tmp_path: Path, line: int) -> None:
    (tmp_path / "two.py").write_text(TWO)
    words = ["-m", "depyf", "run", "--debug", "two.py"]
    steps = ["s", "s", "s", "n", "n", "n", "p add.tolist()"]
    done = python(*words, cwd=tmp_path, input="\n".join([f"b two.py:{line}", "c", *steps, "c"]))
    assert done.returncode == 0, done.stderr
    assert re.search(r"__transformed_code_0_for_second\.py\(2\)second\(\)\n", done.stdout)
    place = r"> .*__compiled_fn_\d+\.Captured_Graph\.0\.py\(\d+\)forward\(\)\n-> "
    assert re.search(place + r"add(: .*)? = l_x_ \+ 3;", done.stdout), done.stdout
    assert "(Pdb) [4.0, 4.0, 4.0]" in done.stdout and "eval_with_key" not in done.stdout


def test_breakpoints_are_hit_in_what_is_compiled_after_the_first_frame(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(TWO)
    words = ["-m", "depyf", "run", "--debug", "two.py"]
    plain = python(*words, cwd=tmp_path, input="c\n")
    assert plain.returncode == 0, plain.stderr
    graphs = sorted((tmp_path / "depyf_two").glob("__compiled_fn_*.Captured_Graph.0.py"))
    stops = [f"b {file}:{line_of(file, text)}" for file, text in zip(graphs, ("* 2", "+ 3"))]
    commands = [stops[0], "b two.py:10", "c", "p 'first'", "c", stops[1], "c", "p 'second'"]
    commands += ["c", "p 'first again'", "c"]
    done = python(
        *words[:3], "-o", "depyf_two", *words[3:], cwd=tmp_path, input="\n".join(commands)
    )
    assert done.returncode == 0, done.stderr
    shown = re.findall(
        r"^-> (?:mul|add)(?:: .*)? = (l_x_ . \d);.*\n\(Pdb\) ('.*')", done.stdout, re.M
    )
    assert shown == [
        ("l_x_ * 2", "'first'"),
        ("l_x_ + 3", "'second'"),
        ("l_x_ * 2", "'first again'"),
    ]


BACKWARD = """\
import sys, torch
def loss(x):
    return (x.sin() * 3).sum()
a = torch.zeros(3, requires_grad=True)
result = torch.compile(loss, backend=sys.argv[1])(a)
result.backward()
print(a.grad.tolist())
"""


STEPS = {
    "a graph that has no code before its first call": ("aot_eager", "", "Forward_graph.0"),
    "a backward graph that gets its code when it is called": (
        "aot_eager",
        "b two.py:6",
        "Backward_graph.0",
    ),
    "a backward pass that is compiled when it is called": ("inductor", "b two.py:6", "kernel_1"),
}


@pytest.mark.parametrize("case", STEPS)
def test_debug_steps_into_what_is_made_at_the_first_call(case: str, tmp_path: Path) -> None:
    backend, stop, file = STEPS[case]
    (tmp_path / "two.py").write_text(BACKWARD)
    words = ["-m", "depyf", "run", "--debug", "two.py", backend]
    to_line = [stop, "c"] if stop else []
    done = python(*words, cwd=tmp_path, input="\n".join([*to_line, "s", "s", "n", "c\n"]))
    assert done.returncode == 0, done.stderr
    answers = done.stdout.split("(Pdb) ")[len(to_line) + 1 :]
    place = re.escape(f".{file}.py(")
    for answer in answers[:3]:
        assert re.search(rf"> .*__compiled_fn_\d+{place}\d+\)\w+\(\)\n-> ", answer), done.stdout
    assert done.stdout.endswith("[3.0, 3.0, 3.0]\n")


def line_of(file: Path, text: str) -> int:
    """The only line of the file's code that holds the text."""
    lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    (found,) = [number for number, line in lines if text in line.partition("#")[0]]
    return found


def test_debug_does_not_stop_where_breakpoints_are_switched_off(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    words = ["-m", "depyf", "run", "--debug", "toy.py"]
    done = python(*words, cwd=tmp_path, input="p 'asked'\n", env=environment(PYTHONBREAKPOINT="0"))
    assert done.returncode == 0 and done.stdout == python("toy.py", cwd=tmp_path).stdout
    assert "PYTHONBREAKPOINT=0" in done.stderr and "stdin" not in done.stderr


def test_quitting_the_debugger_is_quiet(tmp_path: Path) -> None:
    ending = "import atexit\natexit.register(print, 'exit handler')\n"
    (tmp_path / "toy.py").write_text(ending + TOY)
    done = python("-m", "depyf", "run", "--debug", "toy.py", cwd=tmp_path, input="q\n")
    assert done.returncode == 0 and done.stdout.endswith("exit handler\n")
    assert "Traceback" not in done.stderr and "BdbQuit" not in done.stderr
    assert "everything: " in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a process there is not ended by a signal")
def test_an_interruption_is_for_the_program(tmp_path: Path) -> None:
    # Where the tests run in the background, the signal is ignored unless it is told otherwise.
    heard = "import signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    ending = "signal.raise_signal(signal.SIGINT)\ntime.sleep(1)\nprint('on')\n"
    (tmp_path / "toy.py").write_text(heard + TOY + ending)
    done = python("-m", "depyf", "run", "--debug", "toy.py", cwd=tmp_path, input="c\n")
    assert done.returncode == -signal.SIGINT and not done.stdout.endswith("on\n")
    assert "KeyboardInterrupt" in done.stderr and "everything: " in done.stderr
