"""`depyf run` beside a plain run: exit code, stdout and stderr are the program's own."""

from __future__ import annotations

import ast
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .beside import SOURCE, TOY, assert_same, needs_torch, python, without_summary

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
LAST_WORDS = """
import sys
class Last:
    def __del__(self, say=sys.stderr.write, flush=sys.stderr.flush):
        say("  the last words\\n")
        flush()  # Python 3.8 drops what its buffer holds by now, for some modules imported
last = Last()
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
    "last words": (LAST_WORDS, []),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_script(name: str, tmp_path: Path) -> None:
    text, arguments = PROGRAMS[name]
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    plain = python("script.py", *arguments, cwd=tmp_path)
    watched = python("-m", "depyf", "run", "script.py", *arguments, cwd=tmp_path)
    assert_same(plain, watched)
    assert "nothing was captured" in watched.stderr
    assert not (tmp_path / "depyf_script").exists()


def test_what_the_program_says_behind_the_summary_is_compared(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(LAST_WORDS)
    said = python("-m", "depyf", "run", "script.py", cwd=tmp_path).stderr
    assert said.endswith("nothing was captured\n  the last words\n")
    assert without_summary(said) == "  the last words\n"


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_processes_that_begin_without_us_are_mentioned(method: str, tmp_path: Path) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    text = MULTIPROCESSING.replace('("spawn", "fork")', f'("{method}",)')
    (tmp_path / "script.py").write_text(text)
    said = python("-m", "depyf", "run", "script.py", cwd=tmp_path).stderr
    assert said.count("not captured: processes ") == (method == "spawn")


# The child compiles, the parent only if it is told to: before it forks, or behind it.
FORKS = """
import os, sys
def compiled(function):
    import torch
    return torch.compile(function, backend="eager")(torch.ones(2)).tolist()
def first(x):
    return x + 1
def second(x):
    return x * 3
if sys.argv[1] == "before":
    print(compiled(first), flush=True)
pid = os.fork()
if not pid:
    print(compiled(second), flush=True)
    sys.exit(0)
os.waitpid(pid, 0)
if sys.argv[1] == "behind":
    print(compiled(first))
"""


@needs_torch
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.parametrize("when", ["before", "behind", "never"])
def test_what_forked_processes_compile_is_mentioned_and_leaves_no_files(
    when: str, tmp_path: Path
) -> None:
    (tmp_path / "script.py").write_text(FORKS)
    plain = python("script.py", when, cwd=tmp_path)
    watched = python("-m", "depyf", "run", "script.py", when, cwd=tmp_path)
    assert_same(plain, watched)
    assert watched.stderr.count("not captured: what forked processes compile") == 1
    folder = tmp_path / "depyf_script"
    assert folder.exists() == (when != "never")
    assert not list(tmp_path.rglob("*second*"))
    if when != "never":
        assert (folder / "__transformed_code_0_for_first.py").exists()
        assert "what forked processes compile" in (folder / "README.md").read_text("utf-8")


STACK = """
import sys
frame, files = sys._getframe(), []
while frame is not None:
    files.append(frame.f_code.co_filename)
    frame = frame.f_back
print(files)
"""


def test_one_frame_of_ours_is_below_the_program(tmp_path: Path) -> None:
    """And the one that called us; no program that runs another can have less."""
    (tmp_path / "script.py").write_text(STACK)
    (plain,) = ast.literal_eval(python("script.py", cwd=tmp_path).stdout)
    files = ast.literal_eval(python("-m", "depyf", "run", "script.py", cwd=tmp_path).stdout)
    ours = [os.path.relpath(file, SOURCE) for file in files if file.startswith(SOURCE)]
    assert files[0] == plain
    assert ours == [
        os.path.join("depyf", "cli", "__init__.py"),
        os.path.join("depyf", "__main__.py"),
    ]
    assert files[1:3] == [os.path.join(SOURCE, one) for one in ours]


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
    import py_compile
    import zipapp

    (tmp_path / "app").mkdir()
    # Elsewhere from then on: from 3.9 on, what was started by a relative path is still found.
    text = "import sys\nprint(sys.path[0], __file__, sys.argv)\nimport os\nos.chdir(os.sep)\n"
    (tmp_path / "app" / "__main__.py").write_text(text + "import other\nprint(other.x)\n")
    (tmp_path / "app" / "other.py").write_text("x = 1\n")
    zipapp.create_archive(tmp_path / "app", tmp_path / "app.pyz")
    (tmp_path / "compiled").mkdir()
    compiled = str(tmp_path / "compiled" / "__main__.pyc")
    py_compile.compile(str(tmp_path / "app" / "other.py"), compiled, doraise=True)
    for program in ("app", "app.pyz", "compiled"):
        plain = python(program, "a", cwd=tmp_path)
        assert plain.returncode == (program == "app.pyz" and sys.version_info < (3, 9))
        assert_same(plain, python("-m", "depyf", "run", program, "a", cwd=tmp_path))


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """`link/../script.py` is not the script beside the link."""
    (tmp_path / "real" / "inner").mkdir(parents=True)
    try:
        os.symlink(tmp_path / "real" / "inner", tmp_path / "link", target_is_directory=True)
    except (OSError, NotImplementedError):
        pytest.skip("links cannot be made here")
    return tmp_path


@pytest.mark.parametrize("path", ["link/../script.py", "./script.py", "real/./app", "real//app/"])
def test_a_path_is_what_plain_python_makes_of_it(linked: Path, path: str) -> None:
    (linked / "real" / "app").mkdir()
    shown = "import sys\nprint(__file__, sys.argv, sys.path[0])\n"
    for file in ("script.py", "real/script.py", "real/app/__main__.py"):
        (linked / file).write_text(shown + f"print({file!r})\n")
    plain = python(path, cwd=linked)
    assert_same(plain, python("-m", "depyf", "run", path, cwd=linked))


@needs_torch
def test_the_folder_lies_beside_the_script_that_a_link_leads_to(linked: Path) -> None:
    (linked / "real" / "script.py").write_text(COMPILES)
    done = python("-m", "depyf", "run", "link/../script.py", cwd=linked)
    assert done.returncode == 0, done.stderr
    assert (linked / "real" / "depyf_script" / "README.md").exists()


@pytest.mark.parametrize("name", ["argparse", "exit code", "exception", "main guard"])
def test_a_program_from_standard_input(name: str, tmp_path: Path) -> None:
    text, arguments = PROGRAMS[name]
    plain = python("-", *arguments, cwd=tmp_path, input=text)
    assert_same(plain, python("-m", "depyf", "run", "-", *arguments, cwd=tmp_path, input=text))


@needs_torch
def test_the_folder_of_a_program_from_standard_input(tmp_path: Path) -> None:
    done = python("-m", "depyf", "run", "-", cwd=tmp_path, input=COMPILES)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["depyf_stdin"]


@pytest.mark.parametrize("elsewhere", ["open('log', 'w')", "__import__('io').StringIO()", "None"])
def test_the_summary_goes_to_the_stderr_of_the_process(elsewhere: str, tmp_path: Path) -> None:
    text = f"import sys\nsys.stderr = {elsewhere}\nprint('ours', file=sys.stderr or sys.stdout)\n"
    (tmp_path / "script.py").write_text(text)
    done = python("-m", "depyf", "run", "script.py", cwd=tmp_path)
    assert done.returncode == 0 and without_summary(done.stderr) == ""
    if "log" in elsewhere:
        assert (tmp_path / "log").read_text() == "ours\n"


def test_a_stderr_that_the_program_closed(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("import sys\nsys.stderr.close()\nprint('on')\n")
    done = python("-m", "depyf", "run", "script.py", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "on\n", "")


TWO_FUNCTIONS = """
import torch
def second(x):
    return x + 1
def first(x):
    return x * 2
for function in (second, first):
    torch.compile(function, backend="eager")(torch.ones(2))
"""


@needs_torch
def test_reading_starts_at_what_this_program_compiled_first(tmp_path: Path) -> None:
    (tmp_path / "dump").mkdir()
    (tmp_path / "dump" / "full_code_for_another_0.py").write_text("")
    (tmp_path / "script.py").write_text(TWO_FUNCTIONS)
    done = python("-m", "depyf", "run", "-o", "dump", "script.py", cwd=tmp_path)
    story = tmp_path / "dump" / "full_code_for_second_0.py"
    assert f"  start reading: {story}\n" in done.stderr and story.exists()


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
        # Where it ends at once, nobody can say anything any more.
        watched_to_its_end = len(words) > 1 and number == signal.SIGINT
        ended.append(
            (program.returncode, without_summary(errors) if watched_to_its_end else errors)
        )
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
    assert "came to read them" not in story.read_text(encoding="utf-8")
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
