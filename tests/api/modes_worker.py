"""Expressions and lines of a prompt, compiled as such, in the interpreter that runs this file.

Prints a JSON list of what did not come out exact.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "src"))

from depyf.decompile.api import examine

TEXTS = {
    "eval": [
        "a + b",
        "1",
        "(a, b)",
        "f(*a, **k)",
        "x if y else z",
        "a and b or c",
        "a < b < c",
        "(x := 3)",
        "lambda q: q + 1",
        "[i for i in y]",
        "(i for i in y if (lambda: i)())",
    ],
    "single": [
        "a + b",
        "1",
        "None",
        "x = 3",
        "a and b",
        "x if y else z",
        "a\nb = 2\nc",
        "for i in y:\n    i",
        "if a:\n    b\nelse:\n    c",
        "try:\n    a\nexcept E:\n    b",
        "with a:\n    b",
        "def f():\n    return 1",
        "[i for i in y]",
    ],
}


def wrong(mode: str, text: str) -> str:
    # A prompt takes several statements in one line only.
    whole = text if ":" in text else text.replace("\n", "; ")
    result = examine(compile(whole + "\n", "<input>", mode))
    if result.verdict == "exact" and result.source.strip() == text:
        return ""
    return f"{mode}: {text!r} is {result.verdict}: {result.source!r}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    found = [wrong(mode, text) for mode, texts in TEXTS.items() for text in texts]
    print(json.dumps([each for each in found if each]))
