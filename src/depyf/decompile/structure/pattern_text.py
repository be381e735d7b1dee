"""The values that a pattern is matched against, and the pattern as text.

A `Value` collects what was asked of it: its shape, the values taken out of it, the names that
were bound to it. `pattern_text` prints that as the pattern.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

from depyf.decompile.expr.nodes import Expr
from depyf.errors import DepyfError

# How tightly a pattern binds: `p as x`, `p | q`, everything else; and `_`.
_AS, _OR, _CLOSED, _ANYTHING = range(4)


# Cannot stand in source text, so it may enclose a line number there.
_MARK = "\0"


class Refused(DepyfError):
    """Operations that are no pattern."""


class Value:
    """Something on the stack while a pattern is matched.

    Kinds: "subject" (a value that a pattern stands for), "merged" (what alternatives captured),
    "extracted" (attributes or values of keys), "keys", "key", "rest", "length", "index", "expr",
    "flag" (the outcome of a test).
    """

    __slots__ = (
        "kind",
        "parts",
        "shape",
        "details",
        "length",
        "starred",
        "items",
        "names",
        "copy",
        "source",
        "alternatives",
        "rest",
        "negated",
        "line",
    )

    def __init__(self, kind: str, parts: Any = None) -> None:
        self.kind = kind
        self.parts = parts
        self.shape = ""
        self.details: Any = None
        # ("==" or ">=", number) when the length was asked for.
        self.length: Any = None
        self.starred = -1
        self.items: Dict[int, Value] = {}
        self.names: List[str] = []
        self.copy: Optional[Value] = None
        self.source: Optional[Value] = None
        self.alternatives: List[Value] = []
        self.rest = ""
        self.negated = False
        # Of the first operation that looks at the value.
        self.line: Optional[int] = None

    def become(self, shape: str, details: Any) -> None:
        if self.kind != "subject" or self.shape or self.copy is not None:
            raise Refused("a value is tested twice")
        self.shape = shape
        self.details = details

    def children(self, places: Iterable[int]) -> List[Value]:
        if self.shape not in ("sequence", "mapping", "class"):
            raise Refused("something else is unpacked")
        taken = [Value("subject") for _place in places]
        self.items.update(zip(places, taken))
        return taken

    def bind(self, name: str) -> None:
        if self.kind == "merged":
            for value in self.parts:
                value.bind(name)
        elif self.kind == "rest" and self.parts is not None:
            self.parts.rest = name
        elif self.kind == "subject":
            self.names.append(name)
        else:
            raise Refused("a name is bound to no value")

    def take_alternative(self) -> None:
        if self.copy is None:
            raise Refused("an alternative without a value")
        self.alternatives.append(self.copy)
        self.copy = None


def literal(expr: Expr, singletons: bool = False) -> str:
    """A number, a string or a dotted name, as patterns may contain them."""
    if expr.kind == "attr":
        return dotted(expr)
    if expr.kind != "const":
        raise Refused("not a literal")
    value = expr.parts
    if value is None or type(value) is bool:
        if not singletons:
            raise Refused("a singleton that is compared by ==")
        return expr.text
    if type(value) not in (int, float, complex, str, bytes):
        raise Refused("not a literal")
    if type(value) is complex and expr.text.startswith("-("):
        return repr(value).strip("()").replace("-0-", "-")
    return expr.text


def dotted(expr: Expr) -> str:
    owner = expr
    while owner.kind == "attr":
        owner = owner.parts[0]
    if owner.kind not in ("local", "name"):
        raise Refused("not a dotted name")
    return expr.text


def pattern_text(value: Optional[Value]) -> str:
    """The pattern, broken into lines where the original was.

    Lines matter: the compiler does not reorder what captures names on different lines.
    """
    if value is None:
        return "_"
    text, level = _rendered(value)
    lines = _break_lines(text, value.line)
    return f"({lines})" if "\n" in lines and level < _CLOSED else lines


def _break_lines(text: str, line: Any) -> str:
    """Replace the marks that tell on which line what follows them stood."""
    pieces = text.split(_MARK)
    result = [pieces[0]]
    for place in range(1, len(pieces), 2):
        wanted, piece = pieces[place], pieces[place + 1]
        if wanted.isdigit() and line is not None and int(wanted) > line:
            line = int(wanted)
            result[-1] = result[-1].rstrip(" ")
            piece = "\n" + piece
        result.append(piece)
    return "".join(result)


def _text(value: Value, level: int) -> str:
    text, own = _rendered(value)
    return text if own >= level else f"({text})"


def _rendered(value: Value) -> Tuple[str, int]:
    """The pattern and how tightly it binds."""
    text, level = _without_names(value)
    for name in value.names:
        if level == _ANYTHING:
            text, level = name, _CLOSED
        else:
            text, level = f"{text if level >= _OR else f'({text})'} as {name}", _AS
    return text, level


def _without_names(value: Value) -> Tuple[str, int]:
    if value.alternatives:
        if value.copy is not None or value.shape:
            raise Refused("alternatives beside another pattern")
        texts = [_mark(each) + _text(each, _CLOSED) for each in value.alternatives]
        return " | ".join(texts), _OR
    if value.copy is not None:
        # Only `p as x` copies a value, and binds it.
        if not value.names or value.shape:
            raise Refused("a copy that is not bound")
        text, level = _rendered(value.copy)
        return text, min(level, _CLOSED)
    if not value.shape:
        return "_", _ANYTHING
    return _PRINTERS[value.shape](value), _CLOSED


def _mark(value: Value) -> str:
    return f"{_MARK}{value.line}{_MARK}"


def _item(value: Value, place: int, label: str = "") -> str:
    item = value.items.get(place)
    return label + "_" if item is None else _mark(item) + label + _text(item, _AS)


# A length is a constant: damaged, it may be any number, and nobody would wait for the text.
_MOST_ITEMS = 10_000


def _sequence(value: Value) -> str:
    symbol, count = value.length or (">=", 0)
    if max([count, *map(abs, value.items)]) > _MOST_ITEMS:
        raise Refused("a sequence of absurd length")
    if symbol == "==":
        items = [_item(value, place) for place in range(count)]
    elif value.starred >= 0:
        labels = {value.starred: "*"}
        items = [_item(value, place, labels.get(place, "")) for place in range(count + 1)]
    else:
        # `*_` is not unpacked: items are fetched by index, from either end.
        star = max([place for place in value.items if place >= 0], default=-1) + 1
        items = [_item(value, place) for place in range(star)] + ["*_"]
        items += [_item(value, place) for place in range(star - count, 0)]
    return f"[{', '.join(items)}]"


def _mapping(value: Value) -> str:
    items = [_item(value, place, f"{key}: ") for place, key in enumerate(value.details)]
    if value.rest:
        items.append("**" + value.rest)
    return "{" + ", ".join(items) + "}"


def _class(value: Value) -> str:
    owner, positional, names = value.details
    items = [_item(value, place) for place in range(positional)]
    items += [_item(value, positional + place, f"{name}=") for place, name in enumerate(names)]
    return f"{owner}({', '.join(items)})"


_PRINTERS: Dict[str, Callable[[Value], str]] = {
    "literal": lambda value: str(value.details),
    "sequence": _sequence,
    "mapping": _mapping,
    "class": _class,
}
