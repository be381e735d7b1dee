"""Sources of some sixty modules of the running interpreter's standard library.

They are found through the import system, so that a library kept in a zip file serves as well.
"""

from __future__ import annotations

import importlib.util
import types
from typing import Iterator, Tuple

MODULES = (
    "_pydecimal _strptime abc argparse ast asyncio.base_events asyncio.streams asyncio.tasks "
    "base64 bdb bisect calendar cmd code codecs collections configparser contextlib copy csv "
    "dataclasses datetime decimal difflib dis doctest email.message email.header enum filecmp "
    "fileinput fnmatch fractions functools gettext glob gzip heapq html.parser http.client "
    "http.server imaplib inspect ipaddress json.decoder json.encoder locale logging mailbox "
    "mimetypes nntplib numbers optparse os pathlib pdb pickle pickletools platform plistlib "
    "pprint queue random re selectors shlex shutil smtplib socketserver statistics string "
    "subprocess tarfile tempfile textwrap threading tokenize traceback turtle types typing "
    "unittest.case unittest.mock urllib.parse urllib.request uuid weakref xml.dom.minidom "
    "xmlrpc.client zipfile"
).split()


def module_source(name: str) -> str | None:
    """The source, or None where this Python has no such module in Python."""
    try:
        spec = importlib.util.find_spec(name)
        loader = spec.loader if spec else None
        return loader.get_source(name) if hasattr(loader, "get_source") else None
    except (ImportError, OSError, SyntaxError):
        return None


def sample_sources() -> Iterator[Tuple[str, str]]:
    for name in MODULES:
        source = module_source(name)
        if source:
            yield name, source


def all_code(root: types.CodeType) -> Iterator[types.CodeType]:
    """The root and all code nested in it."""
    yield root
    for constant in root.co_consts:
        if isinstance(constant, types.CodeType):
            yield from all_code(constant)
