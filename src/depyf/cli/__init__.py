"""The `depyf` command. One file a command; here is only what all of them share.

A mistake of the user is one sentence on stderr and exit code 2.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import Any, Callable, List, NoReturn, Optional, Sequence

from depyf import __version__
from depyf.errors import DepyfError

from . import decompile, opcodes, run
from .program import Errors

COMMANDS = (run, decompile, opcodes)

EXIT_USER_ERROR = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    rest: List[str] = []
    if words[:1] == ["run"]:
        words, rest = run.split(words)
    restore = _never_fail_to_print()
    status, arguments = _command(words)
    restore()
    if status == 0 and arguments is not None and arguments.run is run.run:
        arguments.rest = rest
        with Errors():
            program = run.take_over(arguments)
            program.call(*program.given)
    return status


def _command(words: Sequence[str]) -> tuple[int, Optional[argparse.Namespace]]:
    try:
        if sys.stdout is None and words[:1] != ["run"]:
            raise DepyfError("The standard output is closed.")
        arguments = _parsed(words)
        status: int = arguments.run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status, arguments
    except BrokenPipeError:
        _silence_stdout()
        return EXIT_BROKEN_PIPE, None
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED, None
    except (DepyfError, OSError, RecursionError, MemoryError) as error:
        if sys.stderr is not None:
            print(f"depyf: {_sentence(error)}", file=sys.stderr)
        return EXIT_USER_ERROR, None


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage in front of it.

    A part of an option's name is no option: `run` could not tell where the program begins.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "allow_abbrev": False})

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:]
        self.exit(EXIT_USER_ERROR, f"{self.prog}: {sentence} (see {self.prog} --help).\n")


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """What is wrong is said by the command that it was said to."""
    parser = _parser()
    arguments, unknown = parser.parse_known_args(words)
    is_command = hasattr(arguments, "run")
    if unknown:
        is_first = is_command and not words[0].startswith("-")
        to = _Parser(prog=f"{parser.prog} {words[0]}") if is_first else parser
        to.error(f"unrecognized arguments: {' '.join(unknown)}")
    if not is_command:
        parser.error("the following arguments are required: COMMAND")
    return arguments


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="depyf",
        description="Python bytecode to source you can trust, and a look inside torch.compile.",
        epilog="example: depyf decompile json.decoder   (depyf COMMAND --help shows more)",
    )
    parser.add_argument("--version", action="version", version=f"depyf {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        command.register(commands)
    return parser


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        named = error.filename is not None
        text = f"{error.filename or repr('')}: {error.strerror}" if named else error.strerror
        return " ".join(text.split())
    text = " ".join(str(error).split())
    return f"The input is too large or too deeply nested ({text})." if _is_limit(error) else text


def _is_limit(error: BaseException) -> bool:
    return isinstance(error, (RecursionError, MemoryError))


def _never_fail_to_print() -> Callable[[], None]:
    """A character the terminal does not know is shown as an escape instead of ending the run.

    The result undoes it: the streams of a program that we run are its own.
    """
    changed = [
        (stream, stream.errors)
        for stream in (sys.stdout, sys.stderr)
        if isinstance(stream, io.TextIOWrapper)
    ]
    for stream, _ in changed:
        stream.reconfigure(errors="backslashreplace")

    def restore() -> None:
        for stream, errors in changed:
            stream.reconfigure(errors=errors)

    return restore


def _silence_stdout() -> None:
    """Keep the interpreter from flushing into the closed pipe once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
