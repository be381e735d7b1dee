"""Graphs that torch, or a framework on top of it, shows through lazy_format_graph_code.

Frameworks import that function under names of their own, before us. Whatever its name, it makes a
`LazyString`, which it looks up in the module it was written in: there a subclass listens while
somebody wants to hear, and formats as the original does.
"""

from __future__ import annotations

import contextlib
import re
import types
from typing import Callable, Dict, List, Optional, Tuple

from . import compat

# Is given the function that would format the graph, and tells of its own errors.
Listener = Callable[[Callable[..., str]], None]

_MAKER = "lazy_format_graph_code."
_GRAPH = re.compile(r"__compiled_fn_(\d+)")
_listeners: Tuple[Listener, ...] = ()
# Module, the class that was there, and ours.
_replaced: List[Tuple[types.ModuleType, type, type]] = []


def listen(listener: Listener) -> None:
    """Hear of every graph from now on."""
    global _listeners
    _listeners = (*_listeners, listener)
    if not _replaced:
        _install()


def stop_listening(listener: Listener) -> None:
    """No more; harmless if it never did."""
    global _listeners
    _listeners = tuple([one for one in _listeners if one != listener])
    if not _listeners:
        _restore()


def _install() -> None:
    for module in compat.modules_of_graph_text():
        original = module.LazyString
        ours = _listening(original)
        _replaced.append((module, original, ours))
        module.LazyString = ours  # type: ignore[attr-defined]


def _restore() -> None:
    while _replaced:
        module, original, ours = _replaced[-1]
        # Somebody may have put a class over ours, which stays below it and does nothing.
        if module.LazyString is ours:
            module.LazyString = original  # type: ignore[attr-defined]
        _replaced.pop()


def _listening(original: type) -> type:
    def __init__(self: object, func: Callable[..., str], *args: object, **kwargs: object) -> None:
        original.__init__(self, func, *args, **kwargs)  # type: ignore[misc]
        with contextlib.suppress(Exception):
            _tell_listeners(ours, func)

    ours = type(original.__name__, (original,), {"__init__": __init__})
    return ours


def _tell_listeners(shown_by: type, func: Callable[..., str]) -> None:
    if not any(shown_by is current for _, _, current in list(_replaced)):
        return
    if getattr(func, "__qualname__", "").startswith(_MAKER):
        for listener in _listeners:
            with contextlib.suppress(Exception):
                listener(func)


def title_of(func: Callable[..., str]) -> str:
    format_name = _closure(func)["format_name"]
    return str(format_name())  # type: ignore[operator]


def text_of(func: Callable[..., str]) -> str:
    """The graph as the caller of lazy_format_graph_code wanted it, but for colours."""
    held = _closure(func)
    options = held.get("kwargs")
    plain = dict(options) if isinstance(options, dict) else {}
    plain["print_output"] = False
    if "colored" in plain:
        plain["colored"] = False
    return str(held["gm"].print_readable(**plain))  # type: ignore[attr-defined]


def _closure(func: Callable[..., str]) -> Dict[str, object]:
    code = getattr(func, "__code__", None)
    cells = getattr(func, "__closure__", None)
    if code is None or cells is None:
        return {}
    return {name: cell.cell_contents for name, cell in zip(code.co_freevars, cells)}


def graph_number(title: str) -> Optional[int]:
    """Dynamo shows the graph it captured under the name that the code calls it by."""
    found = _GRAPH.match(title.strip(" ="))
    return int(found[1]) if found else None
