"""What came of the torch tests in each environment: rows of a table, sections of a document."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

COLUMNS = ("pair", "passed", "failed", "skipped", "frames", "swapped", "minutes")
INTRODUCTION = """\
# What each torch gives

Written by `make matrix`, from a run of the torch tests and of one small function on each pair.
What a torch cannot give is also named in every folder that is written with it.
"""


class Pair(NamedTuple):
    python: str
    torch: str

    def __str__(self) -> str:
        return f"Python {self.python} with torch {self.torch}"


@dataclass
class Row:
    """`problem` says why there are no results; `frames` and `swapped` are those of the programs."""

    pair: Pair
    problem: str = ""
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    frames: str = ""
    swapped: str = ""
    seconds: float = 0.0
    gives: dict[str, list[str]] = field(default_factory=dict)

    def is_good(self) -> bool:
        return not self.problem and self.passed > 0 and self.failed == 0

    def summary(self) -> str:
        if self.problem:
            return self.problem
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    def cells(self) -> list[str]:
        if self.problem:
            return [str(self.pair), self.problem]
        counts = (self.passed, self.failed, self.skipped, self.frames, self.swapped)
        return [str(self.pair), *map(str, counts), f"{self.seconds / 60:.1f}"]


def read_results(pair: Pair, results: Path) -> Row:
    if not results.exists():
        return Row(pair, problem="pytest did not come to an end")
    suite = ElementTree.parse(results).getroot().find("testsuite")
    assert suite is not None
    counts = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
    failed = counts["failures"] + counts["errors"]
    row = Row(pair, failed=failed, skipped=counts["skipped"])
    row.passed = counts["tests"] - failed - counts["skipped"]
    properties = {each.get("name"): each.get("value", "") for each in suite.iter("property")}
    row.frames = properties.get("frames", "")
    row.swapped = properties.get("swapped", "")
    return row


def table(rows: list[Row]) -> str:
    lines = [list(COLUMNS), *(row.cells() for row in rows)]
    full = [line for line in lines if len(line) == len(COLUMNS)]
    widths = [max(len(line[column]) for line in full) for column in range(len(COLUMNS))]
    widths[0] = max(len(line[0]) for line in lines)
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() + "\n"
        for line in lines
    )


def document(rows: list[Row], old: str, order: list[Pair]) -> str:
    """Sections of pairs that were not run this time stay as they are in the old text."""
    sections = dict(re.findall(r"(?ms)^## (.*?)\n\n(.*?)\n?(?=^## |\Z)", old))
    sections.update({str(row.pair): _section(row) for row in rows if not row.problem})
    parts = [f"\n## {pair}\n\n{sections[str(pair)]}" for pair in order if str(pair) in sections]
    return (INTRODUCTION + "".join(parts)).rstrip("\n") + "\n"


def _section(row: Row) -> str:
    lines = [
        f"Tests: {row.summary()}. "
        f"Small programs: {row.swapped} of {row.frames} frames run from their files.",
        "",
        *_list("Files of a graph", row.gives.get("files", [])),
        *_list("Not available", row.gives.get("missing", []) or ["nothing is missing"]),
    ]
    return "\n".join(lines) + "\n"


def _list(title: str, entries: list[str]) -> list[str]:
    return [f"{title}:", "", *(f"- {entry}" for entry in entries), ""]
