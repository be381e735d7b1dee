"""Runs the torch tests in fresh environments, one for each pair of Python and torch below.

An environment is made, tested and deleted before the next one is made: torch brings five or six
gigabytes with it. Prints a table; with --write also what each torch gives, as a document, where
pairs that are not run keep what their last run gave.

Example: python tools/matrix.py
         python tools/matrix.py --pair 3.10,2.5.1 --keep --venv /tmp/torch251
         python tools/matrix.py --write docs/torch_versions.md
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from interpreters import ROOT, Interpreter, environment, find_interpreters
from matrix_report import Pair, Row, document, read_results, table

# With what else each torch is installed: torch 2.2 was built against numpy 1, and from 3.12 on
# environments come without the setuptools that Inductor needs.
PAIRS = {
    Pair("3.8", "2.2.2"): ("numpy<2",),
    Pair("3.10", "2.5.1"): ("numpy",),
    Pair("3.12", "2.8.0"): ("numpy", "setuptools"),
    Pair("3.11", "2.13.0"): ("numpy",),
    Pair("3.13", "2.15.0"): ("numpy", "setuptools"),
}
TEST_TOOLS = ("pytest>=7.4,<9", "debugpy")
PROBE = ROOT / "tools" / "torch_gives.py"
EVERYWHERE = ("tests/frames",)


class Environment(NamedTuple):
    folder: Path

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")


def main() -> int:
    options = parse_arguments()
    rows: list[Row] = []
    try:
        for pair in options.pair or PAIRS:
            row = run_pair(pair, options)
            say(f"{pair}: {row.summary()}")
            rows.append(row)
    finally:
        # Not pair by pair: the tests of the next one compare the README with the document.
        if options.write and rows:
            write_document(rows, options.write)
    sys.stdout.write(table(rows))
    return 0 if all(row.is_good() for row in rows) else 1


def write_document(rows: list[Row], path: Path) -> None:
    """Other pairs keep what the document says of them."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document(rows, old, list(PAIRS)), encoding="utf-8")


def run_pair(pair: Pair, options: argparse.Namespace) -> Row:
    found = find_interpreters([pair.python])
    if not found:
        return Row(pair, problem=f"Python {pair.python} was not found (on PATH or in pyenv)")
    folder = options.venv or Path(tempfile.mkdtemp(prefix=f"depyf_torch_{pair.torch}_"))
    # What was there before is not ours to delete.
    keep = options.keep or (folder.exists() and any(folder.iterdir()))
    began = time.monotonic()
    try:
        made = make_environment(folder, found[0], pair)
        if isinstance(made, str):
            return Row(pair, problem=made)
        return run_tests(made, pair, options.tests or torch_tests(), began)
    finally:
        if keep:
            say(f"{pair}: kept in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def make_environment(folder: Path, interpreter: Interpreter, pair: Pair) -> Environment | str:
    """The environment, or why there is none; one that holds this torch is taken as it is."""
    made = Environment(folder)
    if installed_torch(made) == pair.torch:
        say(f"{pair}: already installed in {folder}")
        return made
    if folder.exists() and any(folder.iterdir()):
        return f"{folder} holds something else"
    say(f"{pair}: installing, {free_space(folder)} GB are free")
    run = subprocess.run([*interpreter.command, "-m", "venv", str(folder)])
    if run.returncode:
        return "no virtual environment could be made"
    wanted = [f"torch=={pair.torch}", *PAIRS[pair], *TEST_TOOLS]
    pip = [made.python, "-m", "pip", "install", "--quiet", "--no-cache-dir", *wanted]
    if subprocess.run(pip, stdout=sys.stderr).returncode:
        return f"pip could not install {' '.join(wanted)}"
    return made


def installed_torch(made: Environment) -> str:
    if not Path(made.python).exists():
        return ""
    question = "from importlib.metadata import version; print(version('torch').split('+')[0])"
    answer = subprocess.run([made.python, "-c", question], capture_output=True, text=True)
    return answer.stdout.strip()


def free_space(folder: Path) -> int:
    return shutil.disk_usage(folder if folder.exists() else folder.parent).free // 10**9


def torch_tests() -> list[str]:
    """Every folder named for torch, what runs frames, and all other tests that ask for torch."""
    tests = ROOT / "tests"
    folders = [*EVERYWHERE, *(f"tests/{path.name}" for path in sorted(tests.glob("torch*")))]
    files = (str(path.relative_to(ROOT)) for path in sorted(tests.rglob("test_*.py")) if asks(path))
    return [*folders, *(file for file in files if not file.startswith(tuple(folders)))]


def asks(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    return 'importorskip("torch"' in text or 'find_spec("torch")' in text


def run_tests(made: Environment, pair: Pair, tests: list[str], began: float) -> Row:
    say(f"{pair}: running {' '.join(tests)}")
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.xml"
        pytest = [made.python, "-m", "pytest", "-p", "no:cacheprovider", "--show-capture=no"]
        report = [f"--junitxml={results}", "--tb=short", *tests]
        subprocess.run([*pytest, *report], cwd=ROOT, env=environment(), stdout=sys.stderr)
        row = read_results(pair, results)
    row.gives = ask_what_it_gives(made)
    row.seconds = time.monotonic() - began
    return row


def ask_what_it_gives(made: Environment) -> dict[str, list[str]]:
    answer = subprocess.run(
        [made.python, str(PROBE)], env=environment(), stdout=subprocess.PIPE, text=True
    )
    lines = answer.stdout.splitlines()
    return json.loads(lines[-1]) if answer.returncode == 0 and lines else {}


def say(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--pair",
        type=read_pair,
        action="append",
        help="only this one, such as 3.10,2.5.1 (may be repeated)",
    )
    parser.add_argument("--keep", action="store_true", help="leave the environments in place")
    parser.add_argument("--venv", type=Path, help="where to make the environment of the one --pair")
    parser.add_argument(
        "--write", type=Path, help="also write what each torch gives into this file"
    )
    parser.add_argument("tests", nargs="*", help="test files or folders; all torch tests if none")
    options = parser.parse_args()
    if options.venv and len(options.pair or ()) != 1:
        parser.error("--venv needs exactly one --pair: two cannot share an environment")
    return options


def read_pair(text: str) -> Pair:
    pair = Pair(*text.replace("+", ",").split(",", 1)) if "," in text or "+" in text else None
    if pair not in PAIRS:
        known = " ".join(f"{pair.python},{pair.torch}" for pair in PAIRS)
        raise argparse.ArgumentTypeError(f"{text!r} is none of {known}")
    return pair


if __name__ == "__main__":
    raise SystemExit(main())
