"""`depyf` and `python -m depyf`: output, exit codes, and one sentence for every mistake."""

from __future__ import annotations

import importlib.util
import marshal
import opcode
import os
import py_compile
import subprocess
import sys
from pathlib import Path

import pytest

from depyf.cli.color import highlight

SOURCE = "def f(a, b=2):\n    return f'{a}' + \"x\"  * b\n"


def depyf(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "depyf", *arguments]
    return subprocess.run(command, capture_output=True, text=True, **options)  # type: ignore


@pytest.fixture
def compiled(tmp_path: Path) -> str:
    path = tmp_path / "made.py"
    path.write_text(SOURCE)
    return str(py_compile.compile(str(path), cfile=str(tmp_path / "made.pyc"), doraise=True))


def test_help_of_every_command() -> None:
    for command in ([], ["decompile"], ["opcodes"]):
        answer = depyf(*command, "--help")
        assert answer.returncode == 0
        assert "example" in answer.stdout


def test_version() -> None:
    import depyf as package

    assert depyf("--version").stdout == f"depyf {package.__version__}\n"


def test_opcodes_and_python_coverage_agree() -> None:
    answer = depyf("opcodes")
    assert answer.returncode == 0
    script = Path(__file__).parents[2] / "python_coverage.py"
    again = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert again.stdout == answer.stdout
    assert "LOAD_FAST" in answer.stdout
    for option in ("--help", "--missing", "--wrong"):
        command = [sys.executable, str(script), option]
        again = subprocess.run(command, capture_output=True, text=True)
        answer = depyf("opcodes", option)
        assert (again.returncode, again.stdout) == (answer.returncode, answer.stdout), option


def test_no_opcode_is_missing() -> None:
    assert depyf("opcodes", "--missing").returncode == 0


def test_the_file_of_a_module_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "made.py"
    path.write_text("print('hello')\n" + SOURCE)
    for target in ("made", "made:f", "made.py"):
        answer = depyf("decompile", target, "-o", "made.py", cwd=tmp_path)
        assert answer.returncode == 2 and "choose another output" in answer.stderr
    assert path.read_text().endswith(SOURCE)
    # What the module prints is no source.
    assert depyf("decompile", "made:f", cwd=tmp_path).stdout.startswith("def f(a, b=2):")


def test_a_file_that_would_bring_down_the_interpreter(tmp_path: Path) -> None:
    code = compile("x", "made.py", "exec")
    cut = code.co_code[:-2] + bytes((opcode.opmap["LOAD_GLOBAL"], 0))
    data = marshal.dumps(code).replace(code.co_code, cut)
    path = tmp_path / "made.pyc"
    path.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + data)
    answer = depyf("decompile", str(path))
    assert answer.returncode == 2 and answer.stderr.startswith("depyf: Cannot ")


def test_decompile_file(compiled: str) -> None:
    answer = depyf("decompile", compiled)
    assert answer.returncode == 0 and answer.stderr == ""
    assert answer.stdout.startswith("def f(a, b=2):\n")
    assert depyf("decompile", compiled.replace(".pyc", ".py")).stdout == answer.stdout


def test_decompile_names() -> None:
    assert "def dumps(" in depyf("decompile", "json").stdout
    assert depyf("decompile", "json:dumps").stdout.startswith("def dumps(")
    inner = depyf("decompile", "json.decoder:JSONDecoder.raw_decode")
    assert inner.stdout.startswith("def raw_decode(self, s, idx")


def test_decompile_in_the_current_folder(compiled: str) -> None:
    answer = depyf("decompile", "made:f", cwd=str(Path(compiled).parent))
    assert answer.stdout.startswith("def f(")


def test_output_is_written_whole(compiled: str, tmp_path: Path) -> None:
    out = tmp_path / "out.py"
    answer = depyf("decompile", compiled, "-o", str(out))
    assert answer.returncode == 0 and answer.stdout == ""
    assert out.read_text().startswith("def f(")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made.py", "made.pyc", "out.py"]


def test_output_to_a_dash_is_printed(compiled: str) -> None:
    assert depyf("decompile", compiled, "-o", "-").stdout == depyf("decompile", compiled).stdout
    assert not os.path.exists("-")


def test_verdicts(compiled: str) -> None:
    answer = depyf("decompile", "--verdict", compiled)
    assert "exact" in answer.stderr and "<module>" in answer.stderr


def test_color(compiled: str) -> None:
    assert "\x1b[" in depyf("decompile", "--color", "always", compiled).stdout
    assert "\x1b[" not in depyf("decompile", compiled).stdout


def test_colors_lose_nothing() -> None:
    import re

    text = "x = 'a' \\\n  + f'{{ {x!r:>{w}} }}' # c\ndef g(): 'é'; return 0x1f\nbroken ( '''"
    for source in (SOURCE, text, "", "\n", Path(__file__).read_text(encoding="utf-8")):
        assert re.sub(r"\x1b\[[0-9;]*m", "", highlight(source)) == source


MISTAKES = [
    (),
    ("nonsense",),
    ("decompile",),
    ("decompile", "no_such_module_anywhere"),
    ("decompile", "no_such_module_anywhere:f"),
    ("decompile", "json:nothing.here"),
    ("decompile", "missing.pyc"),
    ("decompile", "no/such/folder/missing.pyc"),
    ("decompile", "sys"),
    ("decompile", "math:sqrt"),
    ("decompile", "."),
    ("decompile", "..json"),
    ("decompile", ""),
    ("decompile", "json:"),
    ("decompile", "json:__doc__"),
    ("decompile", "json:__name__"),
    ("decompile", "json", "-o", "/no/such/folder/out.py"),
    ("decompile", "json", "--color", "green"),
]


@pytest.mark.parametrize("arguments", MISTAKES, ids=lambda value: " ".join(value) or "nothing")
def test_a_mistake_is_one_sentence(arguments: tuple[str, ...]) -> None:
    answer = depyf(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.startswith("depyf") and answer.stderr.count("\n") == 1


ADVICE = [
    (("--wrong",), "Unrecognized arguments: --wrong (see depyf --help)"),
    (("--wrong", "opcodes"), "Unrecognized arguments: --wrong (see depyf --help)"),
    (("opcodes", "--wrong"), "Unrecognized arguments: --wrong (see depyf opcodes --help)"),
    (("decompile", "--wrong", "json"), "--wrong (see depyf decompile --help)"),
    (("decompile", "json.decoder.JSONDecoder"), "did you mean json.decoder:JSONDecoder?"),
    (("decompile", "json.loads"), "did you mean json:loads?"),
    (("decompile", "folder"), "'folder' is a folder"),
    (("decompile", "folder/"), "'folder/' is a folder"),
    (("decompile", "."), "'.' is a folder; name a file in it, or a module."),
    (("decompile", "a.folder"), "'a.folder' is a folder"),
    (("decompile", "../no/such"), "There is no file called '../no/such'."),
    (("decompile", ":f"), "':f' names nothing: it has to be module:name."),
    (("decompile", "json:"), "'json:' names nothing: it has to be module:name."),
    (("decompile", "--verd", "json"), "--verd (see depyf decompile --help)"),
    (("run", "--out", "folder", "loud.py"), "depyf run: Unrecognized arguments: --out (see"),
    (("run", "folder"), "'folder' is a folder without a __main__.py; name a script."),
    (("run",), "depyf run: The following arguments are required: SCRIPT (see depyf run --help)"),
    (("decompile", "__main__"), "There is no file and no module called '__main__'."),
    (("decompile", "json", "-o", ""), "depyf: '': No such file"),
    (("decompile", "loud.py:f"), "not from a file such as 'loud.py'"),
    (("decompile", "loud.pyc:f"), "not from a file such as 'loud.pyc'"),
]


@pytest.mark.parametrize(("arguments", "advice"), ADVICE, ids=lambda value: " ".join(value))
def test_a_mistake_is_told_with_what_to_do(
    arguments: tuple[str, ...], advice: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.folder").mkdir()
    (tmp_path / "loud.py").write_text("print('this was run')\ndef f(): pass\n")
    py_compile.compile(str(tmp_path / "loud.py"), cfile=str(tmp_path / "loud.pyc"), doraise=True)
    answer = depyf(*arguments, cwd=str(tmp_path))
    assert answer.returncode == 2 and answer.stdout == ""
    assert advice in answer.stderr and answer.stderr.count("\n") == 1


def test_an_output_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    answer = depyf("decompile", "json", "-o", str(tmp_path))
    assert answer.returncode == 2 and answer.stderr == f"depyf: {tmp_path}: Is a directory\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that can close a stream")
def test_a_closed_output() -> None:
    command = f"{sys.executable} -m depyf decompile json >&-"
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert answer.returncode == 2 and answer.stderr == "depyf: The standard output is closed.\n"


def test_broken_files(compiled: str, tmp_path: Path) -> None:
    data = Path(compiled).read_bytes()
    path = tmp_path / "broken.pyc"
    for size in (0, 3, 15, 17, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:size])
        answer = depyf("decompile", str(path), "-o", str(tmp_path / "out.py"))
        assert answer.returncode == 2 and answer.stderr.count("\n") == 1, answer.stderr
        assert not (tmp_path / "out.py").exists()


def test_text_that_is_called_pyc(tmp_path: Path) -> None:
    path = tmp_path / "text.pyc"
    path.write_text("print('not compiled at all')\n")
    answer = depyf("decompile", str(path))
    assert answer.returncode == 2 and answer.stderr.endswith("not a .pyc file, it holds text\n")


def test_an_unsupported_version_names_the_supported(tmp_path: Path) -> None:
    path = tmp_path / "old.pyc"
    path.write_bytes((3379).to_bytes(2, "little") + b"\r\n" + bytes(100))
    answer = depyf("decompile", str(path))
    assert answer.returncode == 2 and "3.8" in answer.stderr and "3.14" in answer.stderr


def test_input_is_not_overwritten(compiled: str) -> None:
    answer = depyf("decompile", compiled, "-o", compiled)
    assert answer.returncode == 2 and Path(compiled).read_bytes()[:1] != b"d"


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe that can be closed")
def test_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m depyf opcodes | head -n 1"
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert answer.stderr == ""


def test_a_module_that_fails_to_import(tmp_path: Path) -> None:
    for text in ("raise SystemExit(3)", "1 / 0", "import no_such_module_anywhere"):
        (tmp_path / "bad.py").write_text(text + "\n")
        answer = depyf("decompile", "bad:f", cwd=str(tmp_path))
        assert answer.returncode == 2 and "Cannot import the module 'bad'" in answer.stderr


def test_the_main_module_is_that_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "__main__.py").write_text("print('mine')\n")
    answer = depyf("decompile", "__main__", cwd=str(tmp_path))
    assert (answer.returncode, answer.stdout) == (0, "print('mine')\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
@pytest.mark.parametrize(("words", "code"), [("no_such_module", 2), ("__future__ --verdict", 0)])
def test_without_stderr_nothing_else_is_printed(words: str, code: int) -> None:
    command = f"{sys.executable} -m depyf decompile {words} 2>&-"
    answer = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, text=True)
    assert answer.returncode == code
    assert "There is no" not in answer.stdout and "verdict" not in answer.stdout
