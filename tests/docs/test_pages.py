"""Every page shows what one sees: rendering it anew changes nothing. See `tools/documents.py`."""

from __future__ import annotations

import difflib
import json
import re
import shutil
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Iterator

import pytest
from corpus_figures import read_figures
from documents import FENCE, REGION, RUN_BY, RUNS_WITH, Block, Page, all_pages
from documents_run import render, render_tables
from error_messages import all_messages, is_message, messages_of
from interpreters import ROOT
from update_documents import why_not_here

PAGES = all_pages()
INDENTED_CODE = re.compile(r"\n\n {4}\S")
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
LANGUAGES = ("python", "console", "text", "bash", "json", "bibtex")


def named(page: Page) -> str:
    return page.name


@pytest.fixture(scope="module")
def rendered() -> Iterator[dict[str, Future[str]]]:
    """All pages, two at a time: most of the work is done by other processes."""
    with ThreadPoolExecutor(2) as pool:
        waiting = {page.name: pool.submit(render, page) for page in PAGES if not why_not_here(page)}
        yield waiting
        for future in waiting.values():
            future.cancel()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_everything_shown_is_what_one_sees(page: Page, rendered: dict[str, Future[str]]) -> None:
    if page.name not in rendered:
        pytest.skip(why_not_here(page))
    true = rendered[page.name].result()
    assert not differences(page.text, true), "make docs-update writes it anew"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_tables_are_up_to_date(page: Page) -> None:
    assert not differences(page.text, render_tables(page.text)), "make tables writes them anew"


def test_the_figures_are_those_of_the_ratchet() -> None:
    """Otherwise the tables are older than what is known: `make corpus` writes the figures."""
    ratchet = json.loads((ROOT / "tests/corpus/ratchet.json").read_text(encoding="utf-8"))
    for version, counts in read_figures().items():
        known = list(ratchet[version].values())
        verdicts = {name: known.count(name) for name in ("equivalent", "unverified")}
        assert {name: counts[name] for name in verdicts} == verdicts, version
        assert counts["exact"] + len(known) == counts["codes"], version


def differences(shown: str, true: str) -> str:
    lines = difflib.unified_diff(shown.splitlines(), true.splitlines(), "shown", "true", n=1)
    return "\n".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_block_is_run_or_says_why_not(page: Page) -> None:
    made = [match.span() for match in REGION.finditer(page.text)]
    blocks = [one for one in page.blocks if not any(a < one.start < b for a, b in made)]
    assert [one.body for one in blocks if not one.kind] == []
    assert not INDENTED_CODE.search(FENCE.sub("", page.text)), "code belongs between fences"
    assert all(one.language in LANGUAGES for one in page.blocks)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_blocks_that_are_not_run_are_at_least_well_formed(page: Page) -> None:
    for block in page.blocks:
        if block.kind == "not run":
            check_syntax(block)


def check_syntax(block: Block) -> None:
    if block.language == "json":
        json.loads(block.body)
    elif block.language == "python":
        compile(block.body, "block", "exec")
    elif block.language == "bash":
        subprocess.run(["bash", "-n"], input=block.body, text=True, check=True)
    else:
        assert block.language in ("bibtex", "text")


def test_files_to_save_pass_the_linters() -> None:
    """Saved in a checkout, they would make `make check` fail."""
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent))
    if ruff is None:
        pytest.skip("ruff is not installed")
    files = {one.argument: one.body for page in PAGES for one in page.blocks if one.kind == "file"}
    assert {"point.py", "train.py"} <= set(files)
    for name, body in files.items():
        for check in (["check", "--no-cache"], ["format", "--no-cache", "--diff"]):
            command = [ruff, *check, "--quiet", "--stdin-filename", name, "-"]
            answer = subprocess.run(command, input=body, capture_output=True, text=True, cwd=ROOT)
            assert answer.returncode == 0, name + answer.stdout + answer.stderr


def test_pages_that_need_torch_say_which() -> None:
    """Otherwise they would fail, not be skipped, where it is missing."""
    using = [page for page in PAGES if "\n$ depyf run -o" in page.text]
    assert len(using) >= 6
    for page in using:
        match = RUNS_WITH.search(page.text)
        assert match is not None and match[2], page.name


def test_every_example_is_part_of_a_page() -> None:
    """That is where they are run."""
    texts = "\n".join(page.text for page in PAGES)
    missing = [
        path.name
        for path in (ROOT / "examples").glob("*.py")
        if f"examples/{path.name}" not in texts and path.name not in RUN_BY_TESTS
    ]
    assert not missing


# Run by tests/docs/test_examples.py.
RUN_BY_TESTS = ("demo.py", "guard_free.py", "custom_dispatcher.py")


def test_no_document_with_code_is_left_out() -> None:
    """Beside the pages there are those with a test of their own, and documents of words alone."""
    known = {page.path for page in PAGES}
    below = (path for name in ("docs", "examples") for path in (ROOT / name).rglob("*.md"))
    others = [path for path in (*ROOT.glob("*.md"), *below) if path not in known]
    texts = {path.name: path.read_text(encoding="utf-8") for path in others}
    assert {name for name, text in texts.items() if "```" in text} == {"optimization.md"}


def test_pages_that_are_run_elsewhere_are_run() -> None:
    for path in (ROOT / "docs").rglob("*.md"):
        match = RUN_BY.search(path.read_text(encoding="utf-8"))
        if match is not None:
            assert path.name in (ROOT / match[1]).read_text(encoding="utf-8")


def test_every_error_message_is_explained() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    messages = list(filter(is_message, all_messages()))
    assert len(messages) > 100
    assert [message for message in messages if f"`{message}`" not in page] == []


def test_messages_are_found_however_they_are_told(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text(WAYS_OF_TELLING, encoding="utf-8")
    expected = {"returned: …", "said of …", "put on a list: …", "raised"}
    assert set(filter(None, messages_of(source))) == expected


WAYS_OF_TELLING = """
def _sentence(error):
    return f"returned: {error}{error}" if error else ""

def tell_all(error):
    say("said of {}".format(error))
    problems.append(f"put on a list: {error}")
    others.append("put on another list")
    raise DepyfError("raised")
"""


def test_no_explained_message_is_gone() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    shown = [text for row in rows for _, text in CODE.findall(row.split(" | ")[0])]
    known = set(all_messages())
    assert len(shown) > 100
    assert [text for text in shown if text not in known] == []


def test_the_imports_of_the_reference_work() -> None:
    pytest.importorskip("torch", reason="torch is not installed; some of them need it")
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    entries = re.findall(r"^## `(depyf[\w.]+)`\n\n`((?:from .* )?import .*)`$", page, re.M)
    assert len(entries) == page.count("\n## ") > 15
    for name, line in entries:
        known: dict[str, object] = {}
        exec(line, known)
        eval(name if line == "import depyf" else name.rpartition(".")[2], known)
