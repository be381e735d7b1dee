"""The names that a `full_code_*` file has for itself, next to those of the user's code in it.

Both live in one module. Where the user's code has the same word, it keeps it, and ours changes.
"""

from __future__ import annotations

import ast
import symtable
import textwrap
from typing import Iterable, Iterator, List, Sequence, Set

from depyf import guard_checks

from .edits import edited
from .signature import alone, signature_of, with_globals
from .story import Function

FROM_LIVE = (
    "contents_of", "global_called", "globals_of", "graph", "module_called", "not_here",
    "take_defaults",
)  # fmt: skip
HELPERS = (*guard_checks.__all__, *FROM_LIVE)


class OwnNames:
    """What our names are called in one file: themselves wherever that is possible."""

    def __init__(self, functions: Sequence[Function], dispatchers: Iterable[str]) -> None:
        sources = list(_sources(functions))
        free = {name for function in functions for name in function.free_variables}
        parameters = {name for source in sources for name in _parameters(source)}
        self._used = free.union(dispatchers, *(_names_of_module(source) for source in sources))
        # These stand inside dispatchers, beside the parameters; all others belong to the module.
        self._taken = {"L": free | parameters, "G": self._used | parameters, "rest": free}

    def of(self, name: str) -> str:
        return f"__depyf_{name}" if name in self._taken.get(name, self._used) else name

    def in_guard(self, text: str) -> str:
        """The text of a guard function, with our names for the helpers that it calls."""
        changed = {name: self.of(name) for name in HELPERS if self.of(name) != name}
        if not changed:
            return text
        try:
            nodes = [one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name)]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return text
        found = [node for node in nodes if node.id in changed]
        ends = [(node, node.col_offset + len(node.id)) for node in found]
        return edited(
            text, [(node.lineno, node.col_offset, end, changed[node.id]) for node, end in ends]
        )


def _sources(functions: Sequence[Function]) -> Iterator[str]:
    for function in functions:
        for frame in function.frames:
            for text in (frame.transformed, frame.original):
                if text is not None:
                    yield textwrap.dedent(text.source)


def _parameters(source: str) -> List[str]:
    signature = signature_of(source)
    return signature.names if signature else []


def _names_of_module(source: str) -> Set[str]:
    """The names that the functions in a text look up in the module, free variables included."""
    try:
        module = symtable.symtable(with_globals(alone(source)), "<text>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    inside = [table for child in module.get_children() for table in _with_children(child)]
    return {one.get_name() for table in inside for one in table.get_symbols() if one.is_global()}


def _with_children(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _with_children(child)
