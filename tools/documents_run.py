"""Runs what a page says and gives back the page as it should be: see `documents.py`."""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from documents import REGION, Block, Page, replace_bodies
from interpreters import ROOT, environment

# What readers see instead of the folder that the commands ran in.
SHOWN_FOLDER = "/home/you/depyf"
PROMPT = "(Pdb) "
MARK = "----- the next block -----"
SECONDS = 300
# Runs every block in one namespace. Each has a file, so that tracebacks and torch find its lines.
DRIVER = """\
import sys
for number in range({count}):
    name = "block_%d.py" % number
    with open(name, encoding="utf-8") as file:
        exec(compile(file.read(), name, "exec"), globals())
    sys.stdout.flush()
    sys.stderr.flush()
    print({mark!r}, flush=True)
"""


def render(page: Page) -> str:
    """The text of the page with everything shown in it as it is now."""
    with tempfile.TemporaryDirectory(prefix="depyf_page_") as folder:
        # Torch shortens paths to their last folders: those must not be random.
        place = Path(folder).resolve() / "home" / "you" / "depyf"
        place.mkdir(parents=True)
        bodies = _Run(page, place).bodies()
    return REGION.sub(_made_region, replace_bodies(page, bodies))


def render_tables(text: str) -> str:
    """Only the tables, which need neither torch nor a certain Python."""

    def made(match: re.Match[str]) -> str:
        return _made_region(match) if match[2].startswith("readme_tables.py") else match[0]

    return REGION.sub(made, text)


def _made_region(match: re.Match[str]) -> str:
    command = shlex.split(match[2])
    return match[1] + _python([str(ROOT / "tools" / command[0]), *command[1:]], ROOT) + match[3]


class _Run:
    """One page in one folder. First files, then commands, then Python, then what is shown."""

    def __init__(self, page: Page, place: Path) -> None:
        self.blocks = page.blocks
        self.place = place
        self.environment = _environment(place)

    def bodies(self) -> dict[int, str]:
        if any(block.kind in ("console", "from", "file") for block in self.blocks):
            shutil.copytree(
                ROOT / "examples",
                self.place / "examples",
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        for block in self._of("file").values():
            (self.place / block.argument).write_text(block.body, encoding="utf-8")
        found = {number: self._console(block) for number, block in self._of("console").items()}
        found.update(self._python_outputs())
        found.update({number: self._shown(block) for number, block in self._of("from").items()})
        return {number: self._anonymous(text) for number, text in found.items()}

    def _of(self, kind: str) -> dict[int, Block]:
        return {number: one for number, one in enumerate(self.blocks) if one.kind == kind}

    def _console(self, block: Block) -> str:
        parts = re.split(r"(?m)^\$ ", block.body)[1:]
        return "".join(self._command(*part.partition("\n")[::2]) for part in parts)

    def _command(self, command: str, shown: str) -> str:
        typed = [line.split(PROMPT, 1)[1] for line in shown.splitlines() if PROMPT in line]
        printed = _run(["bash", "-c", command], self.place, self.environment, typed)
        for words in typed:
            # A prompt at the end of a pipe shows nothing of what was typed.
            printed = printed.replace(PROMPT, f"\0{words}\n", 1)
        printed = printed.replace("\0", PROMPT)
        return f"$ {command}\n{printed}" + "\n" * (not printed.endswith("\n") and bool(printed))

    def _python_outputs(self) -> dict[int, str]:
        sources = self._of("python")
        if not sources:
            return {}
        for number, block in enumerate(sources.values()):
            (self.place / f"block_{number}.py").write_text(block.body, encoding="utf-8")
        driver = DRIVER.format(count=len(sources), mark=MARK)
        printed = _python(["-c", driver], self.place, self.environment)
        outputs = re.split(rf"(?m)^{MARK}\n", printed)
        if len(outputs) != len(sources) + 1:
            raise RuntimeError(f"the Python blocks of the page fail:\n{printed}")
        found = {}
        for number, output in zip(sources, outputs):
            if number + 1 < len(self.blocks) and self.blocks[number + 1].kind == "output":
                found[number + 1] = output.rstrip() + "\n"
            elif output.strip():
                raise RuntimeError(f"a block prints, and the page does not show it:\n{output}")
        return found

    def _shown(self, block: Block) -> str:
        path, _, piece = block.argument.partition(": ")
        text = (self.place / path).read_text(encoding="utf-8")
        return _piece(text.splitlines(keepends=True), piece) if piece else text

    def _anonymous(self, text: str) -> str:
        text = text.replace(str(self.place), SHOWN_FOLDER)
        return re.sub(r"[ \t]+$", "", text, flags=re.M)


def _piece(lines: list[str], wanted: str) -> str:
    begin, _, end = wanted.partition(" .. ")
    start = next(number for number, line in enumerate(lines) if line.strip().startswith(begin))
    for stop in range(start + 1, len(lines)):
        if end:
            if lines[stop].strip().startswith(end):
                return "".join(lines[start : stop + 1])
        elif _begins_anew(lines[start], lines[stop]):
            return "".join(lines[start:stop]).rstrip() + "\n"
    return "".join(lines[start:]).rstrip() + "\n"


def _begins_anew(first: str, line: str) -> bool:
    """Whether the line is no longer part of what the first one opened."""
    if first.startswith("#"):
        return line.startswith(first.split()[0] + " ")
    indented = len(first) - len(first.lstrip())
    return bool(line.strip()) and len(line) - len(line.lstrip()) <= indented


def _environment(place: Path) -> dict[str, str]:
    """Here `depyf` and `python` are the ones that are tested, and nothing asks the terminal."""
    commands = place.parent / "bin"
    commands.mkdir()
    for name, words in (("python", ""), ("depyf", " -m depyf")):
        command = commands / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n', encoding="utf-8")
        command.chmod(0o755)
    path = os.pathsep.join([str(commands), os.environ.get("PATH", "")])
    plain = {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}
    # Kernels are compiled once for all pages. Graphs are not taken from a cache: they would show
    # the paths of whoever filled it.
    cache = {"TORCHINDUCTOR_CACHE_DIR": _kernels().name}
    cache.update(TORCHINDUCTOR_FX_GRAPH_CACHE="0", TORCHINDUCTOR_AUTOGRAD_CACHE="0")
    return {**environment(), **plain, **cache, "PATH": path}


@functools.lru_cache(maxsize=None)
def _kernels() -> tempfile.TemporaryDirectory[str]:
    """Gone when the process ends."""
    return tempfile.TemporaryDirectory(prefix="depyf_kernels_")


def _python(arguments: list[str], folder: Path, variables: dict[str, str] | None = None) -> str:
    return _run([sys.executable, *arguments], folder, variables or environment())


def _run(
    command: list[str], folder: Path, variables: dict[str, str], typed: list[str] | None = None
) -> str:
    answer = subprocess.run(
        command,
        input="".join(line + "\n" for line in typed or []),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=variables,
        cwd=folder,
        timeout=SECONDS,
    )
    return answer.stdout
