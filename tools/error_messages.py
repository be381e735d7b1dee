"""Finds every message that depyf gives its users, in the source of the package.

A message is a text in a call of one of `SPEAKERS`, one that is put on a list of `PROBLEMS`, one
that a function of `SENTENCES` returns, or a constant of `NAMED`; what is filled in at run time is
shown as `…`.
Exceptions that stay inside the decompiler are not messages: they end in "Cannot decompile ...".
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Iterator

from interpreters import ROOT

# The exceptions that users meet, the functions that make them, and those that tell something.
SPEAKERS = frozenset(
    "DepyfError DecompilationError NoBytecodeError UnguardedError GuardUnavailable NotHere"
    " TypeError ValueError ImportError RuntimeError FileNotFoundError IsADirectoryError"
    " unsupported_version _unreadable malformed _malformed"
    " say _say tell _tell warn".split()
)
# The list of what went wrong, to be told by whoever gets it.
PROBLEMS = "problems"
# Makes the sentence that is told of an error.
SENTENCES = "_sentence"
# Told as a whole sentence by a function of this name; methods of this name tell only a part.
CONTAINED = "contained"
# What blocks say when they cannot be entered or left, as attributes of their classes.
ATTRIBUTES = ("not_entered", "not_left")
# Constants that hold a sentence for the README of a folder, or one of several for an exception.
NAMED = tuple(
    "WITHOUT_DILL NOT_SET_UP NOT_SO_MANY NOT_KEPT NONE_YET AS_WRITTEN NO_CODE NO_SUCH_ENTRY"
    " NEVER_TAKEN TAKEN_OFTEN".split()
)
GAP = "…"


def all_messages() -> list[str]:
    """Each once, in the order of the source."""
    found: dict[str, None] = {}
    for path in sorted((ROOT / "src" / "depyf").rglob("*.py")):
        found.update(dict.fromkeys(messages_of(path)))
    return list(found)


def messages_of(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = _named_texts(tree)
    for attribute in (*ATTRIBUTES, *NAMED):
        yield from named.get(attribute, [])
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _speaks(node.func):
            for argument in node.args:
                yield from _texts(argument, named)
        elif isinstance(node, ast.FunctionDef) and node.name == SENTENCES:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    yield from _texts(inner.value, named)


def _speaks(function: ast.expr) -> bool:
    if isinstance(function, ast.Name) and function.id == CONTAINED:
        return True
    if isinstance(function, ast.Attribute) and function.attr == "append":
        return _name_of(function.value) == PROBLEMS
    return _name_of(function) in SPEAKERS


def _name_of(function: ast.expr) -> str:
    return getattr(function, "id", "") or getattr(function, "attr", "")


def _named_texts(tree: ast.Module) -> dict[str, list[str]]:
    """Texts by the variable or constant that they are assigned to."""
    named: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).extend(_texts(node.value, {}))
    return named


def _texts(node: ast.expr, named: dict[str, list[str]]) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else GAP for part in node.values)
        yield _worth_telling("".join(map(str, parts)))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield _worth_telling(node.value.replace("{}", GAP))
    elif isinstance(node, ast.Name):
        yield from named.get(node.id, [])
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, named)
        yield from _texts(node.orelse, named)
    elif isinstance(node, ast.BinOp):
        yield from _texts(node.left, named)
        yield from _texts(node.right, named)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield from _texts(node.func.value, named)


def _worth_telling(text: str) -> str:
    return " ".join(text.replace(GAP + GAP, GAP).split())


def is_message(text: str) -> bool:
    """Names and gaps alone say nothing."""
    return sum(map(str.isalpha, text)) > 8 and " " in text


if __name__ == "__main__":
    print("\n".join(filter(is_message, all_messages())))
