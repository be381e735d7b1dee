"""Texts that torch wrote, as Python that compiles.

Torch prints graphs for people: a class may be called `<lambda>`, a label may stand above it. What
can be put right is; the rest becomes a comment under a line that says why.
"""

from __future__ import annotations

import re
import warnings
from typing import List, Optional

# class <lambda>(torch.nn.Module):
_NAMELESS_CLASS = re.compile(r"^(\s*)class <(\w+)>(?=\(|:)", re.MULTILINE)
# ===== Forward graph 0 =====
_BANNER = re.compile(r"^\s*=+ .* =+\s*$", re.MULTILINE)
#  /tmp/eval_with_key.py class GraphModule(torch.nn.Module):
_PATH_BEFORE_CLASS = re.compile(r"^ *(\S+) (?=class \w+\(torch\.nn\.Module\):$)", re.MULTILINE)
# Names that torch's printer uses without importing them.
_NEEDED = (
    ("torch", "import torch"),
    ("inf", "from math import inf"),
    ("nan", "from math import nan"),
    ("device", "from torch import device"),
    ("fx_pytree", "import torch.fx._pytree as fx_pytree"),
    ("pytree", "import torch.utils._pytree as pytree"),
)


def why_not_python(text: str) -> Optional[str]:
    """None when the text compiles, else what is wrong with it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # As it is read from the disk: what UTF-8 cannot hold is written as an escape.
            written = text.encode("utf-8", "backslashreplace")
            compile(written, "<text>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f" (line {error.lineno})" if isinstance(error, SyntaxError) else ""
        return f"{getattr(error, 'msg', None) or error}{where}"
    return None


def graph_as_python(text: str) -> str:
    """A graph that torch printed, with what it needs imported."""
    fixed = _NAMELESS_CLASS.sub(r"\1class \2_", text.strip("\n"))
    fixed = _BANNER.sub(lambda match: f"# {match.group().strip()}", fixed)
    fixed = _PATH_BEFORE_CLASS.sub("", fixed)
    return as_python(_with_imports(fixed))


def _with_imports(text: str) -> str:
    used = [line for name, line in _NEEDED if re.search(rf"(?<![\w.]){name}\b", text)]
    return "\n".join([*used, "", text] if used else [text])


def as_python(text: str) -> str:
    """The text itself where it compiles, else all of it as a comment."""
    text = text.replace("\0", "\\0")
    why_not = why_not_python(text)
    if why_not is None:
        return text
    return f"# Not Python: {one_line(why_not)}. The text follows.\n{as_comment(text)}\n"


def as_comment(text: str) -> str:
    # Form feeds and the like also end a line for Python.
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())


def one_line(text: str) -> str:
    """For a comment or a table: no line breaks, no runs of blanks."""
    return " ".join(text.split())


def indented(lines: List[str], by: str = "    ") -> List[str]:
    return [by + line if line else line for line in lines]
