"""`depyf decompile TARGET`: the source of a file, a module or something inside a module."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

from depyf.errors import DepyfError
from depyf.files import replace_file

from .color import highlight, wants_color
from .lookup import find_object

if TYPE_CHECKING:
    from depyf.decompile.result import Decompilation

EXAMPLES = """\
examples:
  depyf decompile __pycache__/module.cpython-38.pyc
  depyf decompile script.py --verdict
  depyf decompile json.decoder:JSONDecoder.decode
  depyf decompile json -o json_again.py
"""


def register(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "decompile",
        help="print the source of a .pyc, a module or a function",
        description="Print source that does what the bytecode of TARGET does.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", metavar="TARGET", help="file.pyc, file.py, module, module:name")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, whole or not at all (- is stdout)"
    )
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="default: auto"
    )
    parser.add_argument(
        "--verdict", action="store_true", help="tell on stderr how well each part is proven"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Decompile the target and print or write it."""
    from depyf.decompile.api import examine

    # What a module prints while it is imported is no source.
    with contextlib.redirect_stdout(sys.stderr):
        found = find_object(arguments.target)
    _refuse_to_overwrite_input(arguments.target, found, arguments.output)
    result = examine(found)
    source = result.source if result.source.endswith("\n") else result.source + "\n"
    if arguments.output not in (None, "-"):
        replace_file(arguments.output, source)
    else:
        colored = wants_color(arguments.color, sys.stdout)
        sys.stdout.write(highlight(source) if colored else source)
    if arguments.verdict and sys.stderr is not None:
        sys.stdout.flush()
        sys.stderr.write(verdict_table(result))
    return 0


def _refuse_to_overwrite_input(target: str, found: object, output: str | None) -> None:
    if output is None or not os.path.exists(output):
        return
    module = sys.modules.get(target.partition(":")[0])
    code = getattr(found, "__code__", found)
    inputs = (target, getattr(code, "co_filename", None), getattr(module, "__file__", None))
    for path in inputs:
        if isinstance(path, str) and os.path.exists(path) and os.path.samefile(path, output):
            raise DepyfError(f"{output} is the file to decompile; choose another output.")


def verdict_table(result: Decompilation) -> str:
    """One row for each code object: verdict, line, name, and why or how."""
    rows = [("verdict", "line", "code object", "remarks")]
    for part in result.parts:
        remarks = "; ".join(filter(None, (part.reason or "", *part.notes)))
        rows.append((part.verdict, str(part.firstlineno), part.qualname, remarks))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = (
        "%-*s  %*s  %-*s  %s" % (widths[0], a, widths[1], b, widths[2], c, d) for a, b, c, d in rows
    )
    return "\n".join(line.rstrip() for line in lines) + f"\ntogether: {result.verdict}\n"
