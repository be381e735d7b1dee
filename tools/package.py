"""`make package`: builds wheel and sdist, checks them, installs the wheel where nothing else is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from interpreters import ROOT, Interpreter, find_interpreters

DIST = ROOT / "dist"
# Everything a wheel may hold; tests and tools have no place in it.
ALLOWED = ("depyf/", "depyf-")
NEEDED = ("depyf/__init__.py", "depyf/py.typed", "depyf/cli/__init__.py")
PROGRAM = """\
import depyf, sys
def double(number):
    return number * 2
assert "return number * 2" in depyf.decompile(double)
assert "torch" not in sys.modules
print(depyf.__version__)
"""
COMMAND = """\
import sys
from depyf.cli import main
sys.exit(main())
"""


def main() -> int:
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(DIST), str(ROOT))
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, DIST.iterdir()))
    wheel = next(DIST.glob("*.whl"))
    problems = strange_contents(wheel)
    for problem in problems:
        print(problem, file=sys.stderr)
    found = find_interpreters()
    # The WebAssembly build of 3.14 has no pip.
    with_pip = [one for one in found if one.command[0] != "node"]
    for interpreter in {one.version: one for one in (with_pip[0], with_pip[-1])}.values():
        try_wheel(interpreter, wheel)
    for interpreter in found:
        if interpreter not in with_pip:
            try_unpacked(interpreter, wheel)
    for path in sorted(DIST.iterdir()):
        print(f"Built {path.relative_to(ROOT).as_posix()} ({path.stat().st_size // 1024} kB)")
    return 1 if problems else 0


def strange_contents(wheel: Path) -> list[str]:
    """What should not be in the wheel, and what is missing from it."""
    names = zipfile.ZipFile(wheel).namelist()
    strange = [f"{name} has no place in a wheel" for name in names if not fits(name)]
    return strange + [f"{name} is missing" for name in NEEDED if name not in names]


def fits(name: str) -> bool:
    compiled = name.endswith((".pyc", ".pyo")) or "__pycache__" in name
    return name.startswith(ALLOWED) and not compiled


def try_wheel(interpreter: Interpreter, wheel: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run(*interpreter.command, "-m", "venv", folder)
        commands = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        python = str(commands / "python")
        # Nothing is fetched: the wheel needs nothing.
        run(python, "-m", "pip", "install", "--quiet", "--no-index", str(wheel), folder=folder)
        run(python, "-c", "import depyf; print(depyf.__version__)", folder=folder)
        (Path(folder) / "program.py").write_text(PROGRAM, encoding="utf-8")
        run(python, "program.py", folder=folder)
        run(str(commands / "depyf"), "decompile", "json.decoder:JSONDecoder.decode", folder=folder)
        run(str(commands / "depyf"), "opcodes", "--missing", folder=folder)
    print(f"Python {interpreter.version}: installed from the wheel alone, and works")


def try_unpacked(interpreter: Interpreter, wheel: Path) -> None:
    """What pip would do with a wheel that needs nothing, but for the command `depyf`."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        for name, program in (("program.py", PROGRAM), ("command.py", COMMAND)):
            (Path(folder) / name).write_text(program, encoding="utf-8")
        run(*interpreter.command, "program.py", folder=folder)
        target = "json.decoder:JSONDecoder.decode"
        run(*interpreter.command, "command.py", "decompile", target, folder=folder)
        run(*interpreter.command, "command.py", "opcodes", "--missing", folder=folder)
    print(f"Python {interpreter.version}: unpacked from the wheel alone, and works")


def run(*command: str, folder: str | None = None) -> None:
    # A PYTHONPATH of the caller's might lead to another depyf.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    answer = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{' '.join(command)}\n{answer.stdout}{answer.stderr}")


if __name__ == "__main__":
    sys.exit(main())
