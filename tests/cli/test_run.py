"""`depyf run` beside a plain run: exit code, stdout and stderr are the program's own."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import depyf

SOURCE = str(Path(depyf.__file__).parent.parent)
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed"
)

ARGPARSE = """
import argparse, sys
parser = argparse.ArgumentParser()
parser.add_argument("-o", "--output", default="none")
parser.add_argument("--debug", action="store_true")
parser.add_argument("rest", nargs="*")
print(parser.parse_args(), sys.argv)
"""
EXIT_CODE = "import sys\nprint('before')\nsys.exit(3)\n"
EXIT_TEXT = "import sys\nsys.exit('a reason')\n"
EXCEPTION = """
def inner():
    raise ValueError("wrong")
try:
    inner()
except ValueError as error:
    raise KeyError("again") from error
"""
SYNTAX = "print('never')\ndef broken(:\n"
MULTIPROCESSING = """
import multiprocessing
def square(number):
    return number * number
if __name__ == "__main__":
    for method in ("spawn", "fork"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            print(method, pool.map(square, range(5)))
"""
THREADS = """
import atexit, threading, time
atexit.register(lambda: print("exit handler"))
def work():
    time.sleep(0.3)
    print("thread ends", __name__)
threading.Thread(target=work).start()
print("main ends")
"""
MAIN_GUARD = """
import os, pickle, sys
class Point:
    pass
assert __name__ == "__main__" and sys.modules["__main__"].Point is Point
if __name__ == "__main__":
    print(pickle.loads(pickle.dumps(Point())).__class__)
    print(sorted(globals()))
    print(__file__, __spec__, __package__, os.path.basename(sys.path[0]), sys.argv)
"""
STDIN = """
import sys
for line in sys.stdin:
    print("read", line.strip())
print(input.__name__, sys.stdin.read() == "")
"""
ENCODING = "print('\\ud800')\n"
HOOK = """
import sys
sys.excepthook = lambda kind, error, trace: print("mine", kind, trace.tb_lineno, trace.tb_next)
raise RuntimeError("told by a hook")
"""
PROGRAMS = {
    "argparse": (ARGPARSE, ["-o", "x", "--debug", "a", "-", "b"]),
    "help": (ARGPARSE, ["--help"]),
    "exit code": (EXIT_CODE, []),
    "exit text": (EXIT_TEXT, []),
    "exception": (EXCEPTION, []),
    "syntax error": (SYNTAX, []),
    "multiprocessing": (MULTIPROCESSING, []),
    "threads": (THREADS, []),
    "main guard": (MAIN_GUARD, ["one", "--two"]),
    "stdin": (STDIN, []),
    "encoding": (ENCODING, []),
    "excepthook": (HOOK, []),
}


def python(*words: str, cwd: Path, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    environment.pop("RANK", None)
    environment.pop("PYTHONBREAKPOINT", None)
    settings = {"env": environment, "input": "first\nsecond\n", **options}
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, capture_output=True, text=True, timeout=300, **settings
    )  # type: ignore[call-overload]


def without_summary(errors: str) -> str:
    """Our part begins with our name and ends with the output."""
    return errors.partition("depyf: ")[0]


def assert_same(
    plain: subprocess.CompletedProcess[str], watched: subprocess.CompletedProcess[str]
) -> None:
    assert watched.stdout == plain.stdout
    assert without_summary(watched.stderr) == plain.stderr
    assert watched.returncode == plain.returncode


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_script(name: str, tmp_path: Path) -> None:
    text, arguments = PROGRAMS[name]
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    plain = python("script.py", *arguments, cwd=tmp_path)
    watched = python("-m", "depyf", "run", "script.py", *arguments, cwd=tmp_path)
    assert_same(plain, watched)
    assert "nothing was captured" in watched.stderr
    assert not (tmp_path / "depyf_script").exists()


COMPILES = """\
import torch
torch.compile(lambda x: x + 1, backend="eager")(torch.ones(2))
"""


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "syntax error"])
def test_a_script_that_compiles(name: str, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    text, arguments = PROGRAMS[name]
    # In a module of its own: torch leaves names with random numbers in the globals.
    (tmp_path / "compiles.py").write_text(COMPILES, encoding="utf-8")
    (tmp_path / "script.py").write_text("import compiles\n" + text, encoding="utf-8")
    plain = python("script.py", *arguments, cwd=tmp_path)
    watched = python("-m", "depyf", "run", "script.py", *arguments, cwd=tmp_path)
    assert_same(plain, watched)
    assert (tmp_path / "depyf_script" / "README.md").exists()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "__init__.py").write_text("print('package', __name__)\n")
    (folder / "__main__.py").write_text(
        "import sys\nfrom .part import value\n"
        "print(value, __name__, __package__, __spec__.name, sys.argv[1:], sys.path[0])\n"
        "if sys.argv[1:] == ['fail']:\n    raise OSError('failed')\n"
    )
    (folder / "part.py").write_text("value = 42\n")
    return tmp_path


@pytest.mark.parametrize("arguments", [[], ["-m", "-o"], ["fail"]], ids=str)
def test_a_package_with_relative_imports(package: Path, arguments: list[str]) -> None:
    plain = python("-m", "package", *arguments, cwd=package)
    watched = python("-m", "depyf", "run", "-m", "package", *arguments, cwd=package)
    assert_same(plain, watched)


def test_a_module_that_does_not_exist(tmp_path: Path) -> None:
    plain = python("-m", "no_such_module", cwd=tmp_path)
    watched = python("-m", "depyf", "run", "-m", "no_such_module", cwd=tmp_path)
    assert_same(plain, watched)


def test_a_folder_and_an_archive(tmp_path: Path) -> None:
    import zipapp

    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__main__.py").write_text("import other, sys\nprint(other.x, sys.argv)\n")
    (tmp_path / "app" / "other.py").write_text("x = 1\n")
    zipapp.create_archive(tmp_path / "app", tmp_path / "app.pyz")
    for program in ("app", "app.pyz"):
        plain = python(program, "a", cwd=tmp_path)
        assert plain.returncode == 0
        assert_same(plain, python("-m", "depyf", "run", program, "a", cwd=tmp_path))


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal(tmp_path: Path, number: int) -> None:
    (tmp_path / "script.py").write_text("print('up', flush=True)\nimport time\ntime.sleep(60)\n")
    ended = []
    for words in (["script.py"], ["-m", "depyf", "run", "script.py"]):
        program = subprocess.Popen(
            [sys.executable, *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": SOURCE},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert program.stdout is not None and program.stdout.readline() == "up\n"
        time.sleep(0.2)
        program.send_signal(number)
        _, errors = program.communicate(timeout=60)
        ended.append((program.returncode, without_summary(errors)))
    assert ended[0] == ended[1]


@pytest.mark.parametrize(
    "words", [["run"], ["run", "no_such_file.py"], ["run", "-o"], ["run", "--wrong", "x.py"]]
)
def test_a_mistake_is_one_sentence(words: list[str], tmp_path: Path) -> None:
    answer = python("-m", "depyf", *words, cwd=tmp_path)
    assert answer.returncode == 2 and answer.stdout == ""
    assert answer.stderr.startswith("depyf") and answer.stderr.count("\n") == 1


@pytest.mark.parametrize("folder", ["notes.txt", "notes.txt/inner", "/proc/depyf/inner"])
def test_a_folder_that_cannot_be_written_is_told_before_the_start(
    folder: str, tmp_path: Path
) -> None:
    if folder.startswith("/proc") and not os.path.isdir("/proc"):
        pytest.skip("there is no /proc")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "script.py").write_text("print('never')\n")
    answer = python("-m", "depyf", "run", "-o", folder, "script.py", cwd=tmp_path)
    assert answer.returncode == 2 and answer.stdout == ""
    assert answer.stderr.startswith("depyf: Cannot write into the folder ")
    assert answer.stderr.count("\n") == 1
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_a_folder_is_tried_without_a_trace(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import os\nprint(sorted(os.listdir()))\n")
    answer = python("-m", "depyf", "run", "-o", "new/folder", "script.py", cwd=tmp_path)
    assert answer.stdout == "['script.py']\n"


def test_torch_is_not_loaded_for_a_program_without_it(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import sys\nprint('torch' in sys.modules)\n")
    assert python("-m", "depyf", "run", "script.py", cwd=tmp_path).stdout == "False\n"


TOY = """
import sys, torch
def toy(a, b):
    x = torch.abs(a) * 2
    if b.sum() < 0:
        b = b * -1
    return x * b
compiled = torch.compile(toy, backend="eager")
def main():
    print(compiled(torch.ones(3), torch.ones(3)).tolist())
    print(compiled(torch.ones(4), torch.ones(4)).tolist())
if __name__ == "__main__":
    main()
"""


@needs_torch
def test_a_program_that_compiles(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    plain = python("toy.py", cwd=tmp_path)
    watched = python("-m", "depyf", "run", "--bytecode", "toy.py", cwd=tmp_path)
    assert_same(plain, watched)
    assert "1 function (toy)" in watched.stderr
    from depyf.torch_capture import compat

    told = f"graph break at {tmp_path / 'toy.py'}:5" in watched.stderr
    assert told == (compat.trace_logger() is not None and compat.explains_breaks())
    assert ("0 graph breaks that this torch tells of" in watched.stderr) == (not told)
    assert "compiled again: toy" in watched.stderr
    story = tmp_path / "depyf_toy" / "full_code_for_toy_0.py"
    assert f"start reading: {story}" in watched.stderr and story.exists()
    # Torch drops entries whose guards name a module at exit: they are read before that.
    assert "did not give the guards" not in story.read_text(encoding="utf-8")
    # The first torch does not guard the module, only what it is called with.
    names_module = compat.has_tree_of_guards()
    last = "G['torch'] is imported('torch')" if names_module else "___check_tensors(L['a'], L['b']"
    assert last in story.read_text(encoding="utf-8")
    name = "__transformed_code_0_for_toy.py.original_bytecode"
    assert (tmp_path / "depyf_toy" / name).exists()
    before = sorted(os.listdir(tmp_path / "depyf_toy"))
    again = python("-m", "depyf", "run", "toy.py", cwd=tmp_path)
    assert "an earlier run is kept" in again.stderr
    assert sorted(os.listdir(tmp_path / "depyf_toy")) == before
    chosen = python("-m", "depyf", "run", "-o", "depyf_toy", "toy.py", cwd=tmp_path)
    assert "is not empty" in chosen.stderr


@needs_torch
def test_an_interrupted_program_leaves_a_complete_folder(tmp_path: Path) -> None:
    text = TOY + "    print('done', flush=True)\n    import time\n    time.sleep(60)\n"
    (tmp_path / "toy.py").write_text(text)
    program = subprocess.Popen(
        [sys.executable, "-m", "depyf", "run", "toy.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": SOURCE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests run in the background, the signal is ignored unless it is told otherwise.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    )
    assert program.stdout is not None
    while program.stdout.readline() not in ("done\n", ""):
        pass
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=60)
    assert program.returncode == -signal.SIGINT and "KeyboardInterrupt" in errors
    assert "depyf" not in without_summary(errors) and "start reading" in errors
    assert (tmp_path / "depyf_toy" / "README.md").exists()
    assert (tmp_path / "depyf_toy" / "full_code_for_toy_0.py").exists()


@needs_torch
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


@needs_torch
@pytest.mark.parametrize("line", [9, 10], ids=["while it is compiled", "when it is compiled"])
def test_debug_follows_what_is_compiled_after_the_first_frame(tmp_path: Path, line: int) -> None:
    (tmp_path / "two.py").write_text(TWO)
    words = ["-m", "depyf", "run", "--debug", "two.py"]
    steps = ["s", "s", "s", "n", "n", "n", "p add.tolist()"]
    done = python(*words, cwd=tmp_path, input="\n".join([f"b two.py:{line}", "c", *steps, "c"]))
    assert done.returncode == 0, done.stderr
    assert re.search(r"__transformed_code_0_for_second\.py\(2\)second\(\)\n", done.stdout)
    place = r"> .*__compiled_fn_\d+\.Captured_Graph\.0\.py\(\d+\)forward\(\)\n-> "
    assert re.search(place + r"add: .* = l_x_ \+ 3;", done.stdout), done.stdout
    assert "(Pdb) [4.0, 4.0, 4.0]" in done.stdout and "eval_with_key" not in done.stdout


@needs_torch
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
    shown = re.findall(r"^-> (?:mul|add): .* = (l_x_ . \d);.*\n\(Pdb\) ('.*')", done.stdout, re.M)
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
    "a backward pass that is compiled when it is called": ("inductor", "b two.py:6", "kernel_1"),
}


@needs_torch
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


@needs_torch
def test_debug_does_not_stop_where_breakpoints_are_switched_off(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text(TOY)
    environment = {**os.environ, "PYTHONPATH": SOURCE, "PYTHONBREAKPOINT": "0"}
    words = ["-m", "depyf", "run", "--debug", "toy.py"]
    done = python(*words, cwd=tmp_path, input="p 'asked'\n", env=environment)
    assert done.returncode == 0 and done.stdout == python("toy.py", cwd=tmp_path).stdout
    assert "PYTHONBREAKPOINT=0" in done.stderr and "stdin" not in done.stderr


@needs_torch
def test_quitting_the_debugger_is_quiet(tmp_path: Path) -> None:
    ending = "import atexit\natexit.register(print, 'exit handler')\n"
    (tmp_path / "toy.py").write_text(ending + TOY)
    done = python("-m", "depyf", "run", "--debug", "toy.py", cwd=tmp_path, input="q\n")
    assert done.returncode == 0 and done.stdout.endswith("exit handler\n")
    assert "Traceback" not in done.stderr and "BdbQuit" not in done.stderr
    assert "everything: " in done.stderr


# The launcher's variables alone: a process group of gloo, torn down on a loaded machine, can abort
# the plain run too.
RANKED = """
import os, torch
rank = int(os.environ["RANK"])
def work(x):
    return x * 2 + 1
print(rank, torch.compile(work, backend="eager")(torch.ones(2) * rank).tolist())
"""


@needs_torch
def test_one_folder_a_rank(tmp_path: Path) -> None:
    (tmp_path / "ranked.py").write_text(RANKED)
    launch = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    plain = python(*launch, "ranked.py", cwd=tmp_path)
    watched = python(*launch, "-m", "depyf", "run", "ranked.py", cwd=tmp_path)
    # Which rank prints first is chance.
    printed = [sorted(run.stdout.splitlines()) for run in (watched, plain)]
    assert watched.returncode == plain.returncode and printed[0] == printed[1]
    assert plain.returncode == 0, plain.stderr
    for rank in ("rank_0", "rank_1"):
        names = os.listdir(tmp_path / "depyf_ranked" / rank)
        assert "__transformed_code_0_for_work.py" in names and "README.md" in names
