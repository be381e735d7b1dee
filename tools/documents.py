"""Documents whose examples are run: Markdown in, the same Markdown with true outputs out.

A page is true when rendering it changes nothing; that is what the tests ask. In a page

    <!-- runs with: Python 3.11, torch 2.13 -->   at the top: elsewhere its outputs may differ
    <!-- file: train.py -->      the next block is a file that the commands of the page may use
    <!-- from: dump/a.py -->     the next block shows a file that they wrote, or a part of it:
    <!-- from: a.py: def f -->   ... the piece that begins so
    <!-- from: a.py: if .. else --> ... from a line that begins so to one that begins so
    <!-- not run: WHY -->        the next block is only checked for its syntax
    <!-- made by: tool.py -->    everything up to <!-- end --> is what that tool prints
    <!-- run by: tests/a.py -->  at the top: times differ from run to run, so that test has a look

A `console` block is run line by line (`$ command`), a `python` block is run in one session with
the others of its page, and a `text` block behind it is what it prints. All of it happens in a
fresh folder that holds `examples/` of the repository. Words behind `(Pdb) ` are typed there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from interpreters import ROOT

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)
DIRECTIVE = re.compile(r"<!-- (file|from|not run): (.*?) -->\n\Z")
REGION = re.compile(r"(<!-- made by: (.*?) -->\n).*?(<!-- end -->)", re.S)
RUN_BY = re.compile(r"\A<!-- run by: (\S+) -->\n")
RUNS_WITH = re.compile(r"<!-- runs with: Python ([\d.]+)(?:, torch ([\d.]+))? -->")


@dataclass
class Block:
    """One fenced block. `start` and `end` are the place of its body in the page."""

    language: str
    body: str
    start: int
    end: int
    directive: str = ""
    argument: str = ""
    follows_python: bool = False

    @property
    def kind(self) -> str:
        """What is to be done with it; "" when the page does not say."""
        if self.directive:
            return self.directive
        if self.language == "text":
            return "output" if self.follows_python else ""
        return self.language if self.language in ("console", "python") else ""


@dataclass
class Page:
    """A document: its text and the blocks in it."""

    path: Path
    text: str
    blocks: list[Block] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def needs(self) -> tuple[str, str]:
        """The Python and the torch whose outputs it shows; "" for any, or none."""
        match = RUNS_WITH.search(self.text)
        return (match.group(1), match.group(2) or "") if match else ("", "")


def all_pages() -> list[Page]:
    """Everything that readers are shown, but for pages with a test of their own."""
    documents = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
    paths = [*documents, *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in map(read_page, paths) if not RUN_BY.search(page.text)]


def read_page(path: Path) -> Page:
    page = Page(path, path.read_text(encoding="utf-8"))
    previous, previous_end = "", 0
    for match in FENCE.finditer(page.text):
        before = page.text[previous_end : match.start()]
        found = DIRECTIVE.search(before)
        directive, argument = found.groups() if found else ("", "")
        follows = previous == "python" and not before.strip()
        start, end = match.span(2)
        block = Block(match[1], match[2], start, end, directive, argument, follows)
        page.blocks.append(block)
        previous, previous_end = block.kind, match.end()
    return page


def replace_bodies(page: Page, bodies: dict[int, str]) -> str:
    """The text of the page with other bodies, by the number of the block."""
    text = page.text
    for number in sorted(bodies, reverse=True):
        block = page.blocks[number]
        text = text[: block.start] + bodies[number] + text[block.end :]
    return text
