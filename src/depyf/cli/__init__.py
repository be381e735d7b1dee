"""The `depyf` command. One file a command; here is only what all of them share.

A mistake of the user is one sentence on stderr and exit code 2.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn, Sequence

from depyf import __version__
from depyf.errors import DepyfError

from . import decompile, opcodes

COMMANDS = (decompile, opcodes)

EXIT_USER_ERROR = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _never_fail_to_print()
    try:
        if sys.stdout is None:
            raise DepyfError("The standard output is closed.")
        arguments = _parser().parse_args(argv)
        status: int = arguments.run(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _silence_stdout()
        return EXIT_BROKEN_PIPE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except (DepyfError, OSError, RecursionError, MemoryError) as error:
        print(f"depyf: {_sentence(error)}", file=sys.stderr)
        return EXIT_USER_ERROR


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage in front of it."""

    def error(self, message: str) -> NoReturn:
        sentence = message[:1].upper() + message[1:]
        self.exit(EXIT_USER_ERROR, f"{self.prog}: {sentence} (see {self.prog} --help).\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="depyf",
        description="Python bytecode to source you can trust.",
        epilog="example: depyf decompile json.decoder   (depyf COMMAND --help shows more)",
    )
    parser.add_argument("--version", action="version", version=f"depyf {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.register(commands)
    return parser


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        return " ".join(text.split())
    text = " ".join(str(error).split())
    return f"The input is too large or too deeply nested ({text})." if _is_limit(error) else text


def _is_limit(error: BaseException) -> bool:
    return isinstance(error, (RecursionError, MemoryError))


def _never_fail_to_print() -> None:
    """A character the terminal does not know is shown as an escape instead of ending the run."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _silence_stdout() -> None:
    """Keep the interpreter from flushing into the closed pipe once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
