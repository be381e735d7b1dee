"""The site builds without a warning, and no link in it, in README or its fellows is broken."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from interpreters import ROOT, environment

PAGES_AT_LEAST = 18
# They lie above docs/ and are part of the site: tools/site_hooks.py.
SITE_DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")


class Links(HTMLParser):
    """What a page points at, and what can be pointed at in it."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.anchors.add(values["id"])
        if tag == "a" and "href" in values:
            self.targets.append(values["href"])
        source = values.get("src", values.get("href", "") if tag == "link" else "")
        if source and values.get("rel") != "canonical":
            self.fetched.append(source)


def build(folder: Path, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Build the site with the options that `make docs` has."""
    pytest.importorskip("material", reason="mkdocs-material is not installed: make docs")
    options = re.findall(r"-m mkdocs (build.*)$", (ROOT / "Makefile").read_text(), re.M)
    assert len(options) == 1
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *options[0].split(), "--site-dir", str(folder)],
        cwd=root,
        env={**environment(), "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("site")
    answer = build(folder)
    assert answer.returncode == 0, answer.stdout
    assert "WARNING" not in answer.stdout
    return folder


@pytest.mark.parametrize(
    "link", ["nowhere.md", "faq.md#no-such-heading"], ids=["a page", "a heading"]
)
def test_a_broken_link_fails_the_build(tmp_path: Path, link: str) -> None:
    for name in ("docs", "tools/site_hooks.py", "mkdocs.yml", *SITE_DOCUMENTS):
        to = tmp_path / "copy" / name
        to.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, to)
    with open(tmp_path / "copy/docs/index.md", "a", encoding="utf-8") as page:
        page.write(f"\n[gone]({link})\n")
    answer = build(tmp_path / "site", tmp_path / "copy")
    assert answer.returncode != 0
    assert "WARNING" in answer.stdout and link in answer.stdout


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    found = {}
    for path in site.rglob("*.html"):
        found[path] = Links()
        found[path].feed(path.read_text(encoding="utf-8"))
    return found


def test_no_link_of_the_site_is_broken(pages: dict[Path, Links]) -> None:
    assert len(pages) >= PAGES_AT_LEAST
    broken = [
        f"{path.name}: {target}"
        for path, links in pages.items()
        if path.name != "404.html"
        for target in links.targets
        if "://" not in target and not leads_somewhere(path, target, pages)
    ]
    assert not broken


def leads_somewhere(path: Path, target: str, pages: dict[Path, Links]) -> bool:
    file, _, anchor = unquote(target).partition("#")
    there = (path.parent / file).resolve() if file else path
    if there.is_dir():
        there = there / "index.html"
    if not anchor or there.suffix != ".html":
        return there.exists()
    return there in pages and anchor in pages[there].anchors


def test_nothing_is_fetched_from_elsewhere(pages: dict[Path, Links]) -> None:
    outside = [one for links in pages.values() for one in links.fetched if "//" in one]
    assert not outside


def test_figures_are_part_of_the_page(site: Path) -> None:
    text = (site / "walkthrough.html").read_text(encoding="utf-8")
    assert text.count('<svg class="depyf-figure"') == len(list((ROOT / "docs/figures").iterdir()))


# On a code host the same files are read as they are.

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
CODE = re.compile(r"`[^`\n]+`")
HEADING = re.compile(r"^#+ (.*)$", re.M)
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], key=lambda path: path.as_posix()
)


def prose(path: Path) -> str:
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    titles = (title.lower().replace("`", "") for title in HEADING.findall(prose(path)))
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_link_of_a_document_is_broken(document: Path) -> None:
    for target in LINK.findall(CODE.sub("", prose(document))):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        path = (document.parent / file).resolve() if file else document
        assert path.exists(), f"{document.name}: {target}"
        assert not anchor or anchor in anchors(path), f"{document.name}: {target}"
