"""Whatever a session holds, rendering it gives files, and every Python file compiles."""

from __future__ import annotations

import copy
import dataclasses
import random
import typing

import pytest

from depyf.output import render
from depyf.session.model import Session

from .sessions import toy_session

ODD = [
    "",
    "\n",
    "a\nb",
    "\\",
    "'",
    '"',
    '"""',
    "\\N{x}",
    "{}",
    "%s {0} {name}",
    "größe 名前",
    "\x0c\x1c\u2028",
    "\0",
    "\ud800",
    "import",
    "../../etc",
    "x" * 5000,
    "def f(:",
    "def f(x):\n    return x",
    "class <lambda>(torch.nn.Module):\n    def forward(self):\n        return (",
    "# comment only",
    "`|`",
    "lambda x: x",
    "L['a'] == '\n'",
    "not hasattr(L['a'], '_dynamo_x')",
    "__compiled_fn_1 __cell_x __import_a_dot_b",
]


def disturb(value: object, choose: random.Random, rate: float) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for part in dataclasses.fields(value):
            setattr(value, part.name, disturb(getattr(value, part.name), choose, rate))
        return value
    if isinstance(value, str):
        return choose.choice(ODD) if choose.random() < rate else value
    if isinstance(value, list):
        return [disturb(item, choose, rate) for item in value]
    if isinstance(value, dict):
        return {key: disturb(item, choose, rate) for key, item in value.items()}
    return value


@pytest.mark.parametrize("seed", range(150))
def test_odd_texts_anywhere(seed: int) -> None:
    choose = random.Random(seed)
    # Some of its parts belong to all sessions.
    toy = copy.deepcopy(toy_session())
    session = typing.cast(Session, disturb(toy, choose, (seed % 5 + 1) / 10))
    files = render(session)
    assert "README.md" in files
    for name, text in files.items():
        if name.endswith(".py"):
            # As it is read from the disk: what UTF-8 cannot hold is written as an escape.
            written = text.encode("utf-8", "backslashreplace").decode()
            compile(written, name, "exec", dont_inherit=True)
