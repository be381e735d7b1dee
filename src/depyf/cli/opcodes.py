"""`depyf opcodes`: which instructions of which Python the decompiler understands."""

from __future__ import annotations

import argparse
from typing import Any

EXAMPLES = """\
examples:
  depyf opcodes
  depyf opcodes --missing
"""


def register(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "opcodes",
        help="list the instructions understood, per Python version",
        description="List the instructions of every supported Python: + understood, - not.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--missing", action="store_true", help="only what is not understood")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the table; exit code 1 if `--missing` found something."""
    from depyf.decompile.decode.coverage import coverage

    marks = coverage()
    names = sorted({name for rows in marks.values() for name in rows})
    if arguments.missing:
        names = [name for name in names if any(not rows.get(name, True) for rows in marks.values())]
    print(_table(marks, names))
    return 1 if arguments.missing and names else 0


def _table(marks: dict[tuple[int, int], dict[str, bool]], names: list[str]) -> str:
    width = max(map(len, [*names, "opcode"]))
    lines = ["  ".join(["opcode".ljust(width), *("%d.%-2d" % version for version in marks)])]
    for name in names:
        cells = (_mark(rows.get(name)).ljust(4) for rows in marks.values())
        lines.append("  ".join([name.ljust(width), *cells]))
    lines.append("")
    for version, rows in marks.items():
        counts = (*version, sum(rows.values()), len(rows))
        lines.append("Python %d.%d: %d of %d opcodes supported" % counts)
    return "\n".join(line.rstrip() for line in lines)


def _mark(understood: bool | None) -> str:
    return "" if understood is None else "+" if understood else "-"
