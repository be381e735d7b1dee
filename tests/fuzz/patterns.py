"""Random match statements: every kind of pattern, nested, with guards."""

from __future__ import annotations

from typing import Any, Callable

from .context import Place
from .expressions import condition

LITERALS = ("0", "1", "-1", "2.5", "'s'", "None", "True", "b'x'", "1 + 2j", "'a' 'b'")


def match_statement(place: Place, body: Callable[..., list]) -> list:
    subject = place.pick(
        (
            "sub(%d)" % place.event(),
            "sub(%d)" % place.event(),
            place.readable(),
            "(sub(%d), %s)" % (place.event(), place.readable()),
        )
    )
    lines = ["match %s:" % subject]
    for _ in range(place.pick((1, 2, 2, 3, 4))):
        guard = " if %s" % condition(place, 2) if place.flip(0.3) else ""
        lines.append("    case %s%s:" % (_refutable(place), guard))
        lines += ["    " + line for line in body(place)]
    if place.flip(0.4):
        last = "_" if place.flip(0.7) else place.fresh("m")
        lines.append("    case %s:" % last)
        lines += ["    " + line for line in body(place)]
    return lines


def _refutable(place: Place) -> str:
    return place.pick(REFUTABLE)(place, 2)


def _pattern(place: Place, depth: int) -> str:
    if depth <= 0 or place.flip(0.4):
        return place.pick(("_", place.pick(LITERALS), place.fresh("m")))
    return place.pick(REFUTABLE)(place, depth - 1)


def _literal(place: Place, depth: int) -> str:
    return place.pick(LITERALS)


def _alternatives(place: Place, depth: int) -> str:
    # Alternatives must bind the same names: these bind none, or all of them the same one.
    if place.flip(0.3):
        name = place.fresh("m")
        return "([%s, _] | {'k': %s} | Point(x=%s))" % (name, name, name)
    parts = [place.pick(LITERALS + ("Point()", "[_, 1]", "{'k': 1}", "int()")) for _ in range(3)]
    return "(%s)" % " | ".join(dict.fromkeys(parts[: place.pick((2, 3))] + ["(str() | ())"]))


def _sequence(place: Place, depth: int) -> str:
    items = [_pattern(place, depth) for _ in range(place.pick((0, 1, 2, 2, 3)))]
    if place.flip(0.4):
        star = "*_" if place.flip() else "*" + place.fresh("m")
        items.insert(place.number(len(items) + 1), star)
    return "[%s]" % ", ".join(items)


def _mapping(place: Place, depth: int) -> str:
    items = ["'%s': %s" % (key, _pattern(place, depth)) for key in "kl"[: place.pick((0, 1, 1, 2))]]
    if place.flip(0.3):
        items.append("**" + place.fresh("m"))
    return "{%s}" % ", ".join(items)


def _class(place: Place, depth: int) -> str:
    forms: tuple[Callable[[], str], ...] = (
        lambda: "Point(%s, %s)" % (_pattern(place, depth), _pattern(place, depth)),
        lambda: "Point(%s, y=%s)" % (_pattern(place, depth), _pattern(place, depth)),
        lambda: "Point(x=%s)" % _pattern(place, depth),
        lambda: "int(%s)" % place.fresh("m"),
        lambda: "str()",
        lambda: "tuple()",
    )
    return place.pick(forms)()


def _as(place: Place, depth: int) -> str:
    return "(%s as %s)" % (place.pick(REFUTABLE[:5])(place, depth - 1), place.fresh("m"))


def _value(place: Place, depth: int) -> str:
    return "Point.__name__" if place.flip(0.3) else "Point.x.y" if place.flip(0.1) else "E.__doc__"


REFUTABLE: list[Any] = [
    _literal,
    _alternatives,
    _sequence,
    _mapping,
    _class,
    _sequence,
    _as,
    _value,
]
