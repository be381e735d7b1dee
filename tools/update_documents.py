"""Writes what README and docs/ show anew, from runs: `make docs-update`; tables: `make tables`."""

from __future__ import annotations

import argparse
import platform
import sys
from importlib import metadata
from pathlib import Path

from documents import Page, all_pages, read_page
from documents_run import render, render_tables


def main() -> int:
    options = parse_arguments()
    pages = [read_page(path.resolve()) for path in options.pages] or all_pages()
    for page in pages:
        problem = "" if options.tables else why_not_here(page)
        if problem:
            print(f"{page.name}: left as it is: {problem}", file=sys.stderr)
            continue
        text = render_tables(page.text) if options.tables else render(page)
        if text != page.text:
            page.path.write_text(text, encoding="utf-8")
            print(f"{page.name}: written anew")
    return 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split(":", maxsplit=1)[0])
    parser.add_argument("pages", nargs="*", type=Path, help="only these")
    parser.add_argument("--tables", action="store_true", help="only the tables, no examples")
    return parser.parse_args()


def why_not_here(page: Page) -> str:
    """A sentence when this Python or its torch is not the one whose outputs the page shows."""
    python, torch = page.needs
    here = ".".join(platform.python_version_tuple()[:2])
    if python and here != python:
        return f"it shows what Python {python} gives, this is {here}"
    if torch and not torch_version().startswith(torch + "."):
        return f"it shows what torch {torch} gives, this is {torch_version() or 'without torch'}"
    return ""


def torch_version() -> str:
    try:
        return metadata.version("torch")
    except metadata.PackageNotFoundError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
