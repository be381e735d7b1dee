"""What mkdocs needs to know beyond docs/: the documents of the repository, and inline figures."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
# Written for the repository, part of the site as well.
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
FIGURE = re.compile(r"^!\[([^]]*)\]\(([\w./-]+\.svg)\)$", re.M)


def on_files(files: Files, config: Any) -> Files:
    for name in DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        # There the site's pages are in docs/, and the license is beside it.
        text = text.replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Figures become part of the page, so that they follow its colours."""
    folder = posixpath.dirname(page.file.src_uri)

    def inline(match: re.Match[str]) -> str:
        path = ROOT / "docs" / posixpath.normpath(posixpath.join(folder, match[2]))
        return f"<figure>{path.read_text(encoding='utf-8')}</figure>"

    return FIGURE.sub(inline, _beside(markdown))


def _beside(markdown: str) -> str:
    """On a code host these documents lie above docs/, in the site beside its pages."""
    for name in DOCUMENTS:
        markdown = markdown.replace(f"](../{name}", f"]({name}")
    return markdown
