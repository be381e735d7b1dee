"""Says in the text itself what could not be proven, and which defaults it does not show."""

from __future__ import annotations

import ast
from typing import Dict, List, Optional, Sequence, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.emit.printer import LineMap

_MARK = "# depyf: unverified"


def attach(text: str, lines: LineMap, root: Code, unproven: Dict[Code, str]) -> Tuple[str, LineMap]:
    """Comments for `unproven` code objects (with the reasons), and the lines moved accordingly."""
    source = text.split("\n")
    # Text that does not compile is unproven as a whole.
    starts = _definitions(text, lines) if list(unproven) != [root] else {}
    insertions: Dict[int, List[str]] = {1: _summary(root, unproven)}
    for code, reason in unproven.items():
        place = starts.get(_shown_in(code, root, starts))
        if place is not None and code is not root:
            line = source[place - 1]
            indentation = line[: len(line) - len(line.lstrip())]
            comment = f"{indentation}{_MARK}: {code.qualname}: {_one_line(reason)}"
            insertions.setdefault(place, []).append(comment)
    result: List[str] = []
    moved: Dict[int, int] = {}
    for number, line in enumerate(source, 1):
        result.extend(insertions.get(number, ()))
        result.append(line)
        moved[number] = len(result)
    return "\n".join(result), [(moved[line], code, offset) for line, code, offset in lines]


def tell_defaults(text: str, lines: LineMap, left_out: Sequence[str]) -> Tuple[str, LineMap]:
    """A comment in front of a function whose signature is not all of it."""
    mentioned = _one_line(", ".join(left_out))
    comment = f"# depyf: the signature does not show these defaults: {mentioned}\n"
    return comment + text, [(line + 1, code, offset) for line, code, offset in lines]


def _summary(root: Code, unproven: Dict[Code, str]) -> List[str]:
    if list(unproven) == [root]:
        return [f"{_MARK}: {_one_line(unproven[root])}"]
    names = ", ".join(code.qualname for code in unproven)
    return [f"{_MARK}: not proven to do what the bytecode does: {names}"]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _definitions(text: str, lines: LineMap) -> Dict[Optional[Code], int]:
    """The line on which the definition around each code object starts, decorators included."""
    around: Dict[int, int] = {}
    # Outer definitions come first, those inside them overwrite what they cover.
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            start = min([node.lineno, *[each.lineno for each in node.decorator_list]])
            around.update(dict.fromkeys(range(start, (node.end_lineno or start) + 1), start))
    starts: Dict[Optional[Code], int] = {}
    for line, code, _offset in lines:
        starts.setdefault(code, around.get(line, 1))
    return starts


def _shown_in(code: Code, root: Code, starts: Dict[Optional[Code], int]) -> Optional[Code]:
    """The code object around `code` (or itself) that has a definition of its own in the text."""
    if code in starts:
        return code
    parents: Dict[Code, Code] = {}
    work = [root]
    while work:
        each = work.pop()
        for const in each.consts:
            if isinstance(const, Code) and const not in parents:
                parents[const] = each
                work.append(const)
    outer: Optional[Code] = parents.get(code)
    while outer is not None and outer not in starts:
        outer = parents.get(outer)
    return outer
