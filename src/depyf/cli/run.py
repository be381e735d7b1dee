"""`depyf run SCRIPT`: any program, unchanged, with everything that torch.compile does captured."""

from __future__ import annotations

import argparse
import os
import tempfile
from typing import Any, Callable, List, Tuple

from depyf.errors import DepyfError

from .children import mention_children
from .program import STANDARD_INPUT, Program, check_script, module, script, standard_input
from .summary import summary
from .watching import Watch, tell

EXAMPLES = """\
examples:
  depyf run train.py --epochs 1
  depyf run -o dump -m package.module argument
  depyf run --debug train.py            stop in pdb at the first compiled frame
  torchrun --nproc-per-node 2 -m depyf run train.py
"""
# Options of ours -> whether a value follows. The first other word begins the program.
_OPTIONS = {"-o": True, "--output": True, "--bytecode": False, "--debug": False}


def register(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "run",
        help="run a program and write down what torch.compile does in it",
        usage="depyf run [-o DIR] [--bytecode] [--debug] (SCRIPT | -m MODULE | -) [ARGUMENTS ...]",
        description="Run a program, unchanged, and write what torch.compile does to a folder.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "-o", "--output", metavar="DIR", help="default: depyf_SCRIPT beside it, or here with -m"
    )
    parser.add_argument("--bytecode", action="store_true", help="store the code objects as well")
    parser.add_argument("--debug", action="store_true", help="stop in pdb at the first frame")
    parser.add_argument("-m", dest="module", action="store_true", help="SCRIPT is a module")
    parser.add_argument(
        "program", metavar="SCRIPT", help="a script, folder or archive (- is standard input)"
    )
    parser.set_defaults(run=run, rest=[])


def split(argv: List[str]) -> Tuple[List[str], List[str]]:
    """What is for us, and the arguments of the program, whatever they look like."""
    place = 1
    while place < len(argv):
        word = argv[place]
        if word == "-m":
            return argv[: place + 2], argv[place + 2 :]
        if not word.startswith("-") or word == "-":
            return argv[: place + 1], argv[place + 1 :]
        place += 2 if _OPTIONS.get(word, False) else 1
    return argv, []


def run(arguments: argparse.Namespace) -> int:
    """Check what can be checked; `take_over` then runs the program."""
    if _made_by(arguments) is script:
        check_script(arguments.program)
    arguments.folder, arguments.remark = _folder(arguments)
    _check_folder(arguments.folder)
    if arguments.output and _is_used(arguments.folder):
        tell(f"{arguments.folder} is not empty: files of the same names are replaced")
    return 0


def take_over(arguments: argparse.Namespace) -> Program:
    """Everything is ready for the program: who calls it catches nothing from here on."""

    def end(captured: bool) -> None:
        _say_summary(arguments.folder, captured, arguments.remark)

    began = _stop_at_first_frame if arguments.debug else lambda: None
    try:
        Watch(arguments.folder, arguments.bytecode, began, end).start()
    except Exception as error:
        tell(f"nothing is captured: {error} (the program is not affected)")
    return _made_by(arguments)(arguments.program, arguments.rest)


def _made_by(arguments: argparse.Namespace) -> Callable[[str, List[str]], Program]:
    if arguments.module:
        return module
    return standard_input if arguments.program == STANDARD_INPUT else script


def _stop_at_first_frame() -> None:
    from depyf.debugger.first_frame import stop_at_first_frame

    stop_at_first_frame()


def _say_summary(folder: str, captured: bool, remark: str) -> None:
    if captured:
        tell("\n".join([*summary(folder), *([f"  {remark}"] if remark else [])]))
    else:
        tell("the program did not load torch.compile; nothing was captured")
    mention_children()


def _folder(arguments: argparse.Namespace) -> Tuple[str, str]:
    """Where to write, one folder a rank, and a remark about the choice."""
    rank = os.environ.get("RANK", "")
    inner = f"rank_{rank}" if rank.isdigit() else ""
    if arguments.output:
        return os.path.abspath(os.path.join(arguments.output, inner)), ""
    first = _default_folder(arguments)
    number, folder = 1, first
    while _is_used(os.path.join(folder, inner)):
        number += 1
        folder = f"{first}_{number}"
    older = f"(an earlier run is kept in {first})" if number > 1 else ""
    return os.path.abspath(os.path.join(folder, inner)), older


def _default_folder(arguments: argparse.Namespace) -> str:
    """Beside the script; in the working directory where there is none, or one cannot write."""
    if arguments.module:
        return os.path.abspath(f"depyf_{arguments.program}")
    if _made_by(arguments) is standard_input:
        return os.path.abspath("depyf_stdin")
    beside, script = os.path.split(_without_links_on_the_way(arguments.program))
    name = "depyf_" + os.path.splitext(script)[0]
    return os.path.join(beside if os.access(beside, os.W_OK) else os.getcwd(), name)


def _without_links_on_the_way(path: str) -> str:
    """Dots behind a link lead on from where it points. A script that is a link stays one."""
    folder, name = os.path.split(path.rstrip(os.sep))
    return os.path.abspath(os.path.join(os.path.realpath(folder), name))


def _is_used(folder: str) -> bool:
    return os.path.exists(folder) and not (os.path.isdir(folder) and not os.listdir(folder))


def _check_folder(folder: str) -> None:
    """A folder that cannot be written is told now, not after hours of the program.

    Nothing is left behind: a program without torch has no folder. The trial has a name of its own,
    because other ranks may be making the same folder.
    """
    there = folder
    while not os.path.lexists(there):
        there = os.path.dirname(there)
    if not os.path.isdir(there):
        raise DepyfError(f"Cannot write into the folder {folder}: {there} is not a folder.")
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".depyf_", dir=there))
    except OSError as error:
        raise DepyfError(f"Cannot write into the folder {folder}: {error.strerror}.") from error
