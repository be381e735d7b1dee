"""Prints the tables of the README, from what `make corpus` and `make matrix` have written."""

from __future__ import annotations

import re
import sys
from typing import Callable, Dict

from corpus_figures import read_figures
from interpreters import ROOT, VERSIONS

MATRIX = ROOT / "docs" / "torch_versions.md"
SECTION = re.compile(r"(?ms)^## Python (\S+) with torch (\S+)\n(.*?)(?=^## |\Z)")
TESTS = re.compile(r"Tests: (\d+) passed, (\d+) failed, (\d+) skipped")
MISSING = re.compile(r"(?ms)^Not available:\n\n(.*?)(?:\n\n|\Z)")
NOTHING_MISSING = "- nothing is missing"

# Share of the functions of 150 modules of the standard library whose control-flow graph is the
# same after decompiling and recompiling, in percent; measured once, before this project began.
OTHERS = {
    "decompyle3": {"3.8": "82"},
    "uncompyle6": {"3.8": "59"},
    "pycdc": {
        **dict.fromkeys(("3.8", "3.9", "3.10"), "55"),
        **dict.fromkeys(("3.11", "3.12"), "48 to 50"),
        "3.13": "0",
    },
    "the original depyf": {
        **dict.fromkeys(("3.8", "3.9", "3.10", "3.11", "3.12"), "30 to 35"),
        "3.13": "14",
    },
}
METHOD = """\
Percent. This project: code objects of the whole standard library that are *exact*, by the run of
`make corpus` above. The others: functions of 150 standard-library modules whose control-flow graph
is the same after decompiling and recompiling. They were measured once, when this
project began: the versions of the tools were not recorded, and nothing here measures them
again. A dash: the tool does not read that version, or it was not measured. The control-flow stage
of pylingual, a decompiler that guesses statements with a language model, got 91 to 94 % by the
same method, even when it was fed perfect statements."""


def corpus() -> str:
    lines = [
        "| Python | modules | code objects | exact | exact or equivalent |",
        "| --- " * 5 + "|",
    ]
    for version, counts in read_figures().items():
        proven = counts["exact"] + counts["equivalent"]
        shares = (percent(count, counts["codes"]) for count in (counts["exact"], proven))
        lines.append(row(version, counts["modules"], counts["codes"], *(f"{s} %" for s in shares)))
    return "\n".join(lines)


def torch() -> str:
    lines = ["| torch | Python | tests passed | failed | skipped | not available |"]
    lines.append("| --- " * 6 + "|")
    for python, version, section in SECTION.findall(MATRIX.read_text(encoding="utf-8")):
        tests = TESTS.search(section)
        if tests is not None:
            lines.append(row(version, python, *tests.groups(), what_is_missing(section)))
    return "\n".join(lines)


def what_is_missing(section: str) -> str:
    match = MISSING.search(section)
    points = match[1].splitlines() if match else []
    count = len([point for point in points if point.startswith("- ")])
    return "nothing" if NOTHING_MISSING in points else f"{count} things"


def decompilers() -> str:
    lines = [row("", *VERSIONS), "| --- " * (len(VERSIONS) + 1) + "|"]
    ours = {
        version: percent(counts["exact"], counts["codes"])
        for version, counts in read_figures().items()
    }
    for name, shares in {"**this project**": ours, **OTHERS}.items():
        lines.append(row(name, *(shares.get(version, "-") for version in VERSIONS)))
    return "\n".join([*lines, "", METHOD])


def row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def percent(count: int, total: int) -> str:
    """Never rounded up to what it is not."""
    if count == total:
        return "100"
    return f"{int(10000 * count / total) / 100:.2f}"


TABLES: Dict[str, Callable[[], str]] = {
    "corpus": corpus,
    "torch": torch,
    "decompilers": decompilers,
}

if __name__ == "__main__":
    print("\n" + TABLES[sys.argv[1]]() + "\n")
