"""Random statements: try, with, loops and jumps in every nesting, and all the simple ones.

A builder takes a place and returns lines, indented relative to the place. Loops end by
construction: every `while` asks `go()`, which says no after a few rounds.
"""

from __future__ import annotations

from typing import Any

from . import functions, patterns
from .context import Place
from .expressions import arguments, condition, event, expression, index, leaf, small

Lines = list  # of str

MAX_DEPTH = 6
AUGMENTED = ("+=", "-=", "*=", "//=", "%=", "&=", "|=", "^=", ">>=", "<<=", "@=", "/=")


def indent(lines: Lines) -> Lines:
    return ["    " + line for line in lines]


def block(place: Place) -> Lines:
    """One to four statements, often with a jump at the end."""
    lines: Lines = []
    for _ in range(place.pick((1, 1, 2, 2, 3))):
        lines += statement(place)
    if place.flip(0.22):
        lines += place.choose(JUMPS)(place)
        if place.flip(0.06):
            lines += statement(place)  # dead code
    return lines


def statement(place: Place) -> Lines:
    place.shared.left -= 1
    if place.depth >= MAX_DEPTH or place.shared.left < 0 or place.flip(0.45):
        return place.choose(SIMPLE)(place)
    return place.choose(COMPOUND)(place)


def body(place: Place, **changes: Any) -> Lines:
    return indent(block(place.deeper(**changes)))


# Jumps -----------------------------------------------------------------------------------------


def _may_return_value(place: Place) -> bool:
    return place.may_return and place.kind != "asyncgen"


def _return(place: Place) -> Lines:
    if place.kind == "asyncgen" or place.flip(0.1):
        return ["return"]
    return [
        "return " + place.pick((expression(place, 2), event(place), "(a, b)", place.readable()))
    ]


def _raise(place: Place) -> Lines:
    kind = "%s(%d)" % (place.pick(("E1", "E2", "E3", "KeyError", "B")), place.event())
    if place.flip(0.2):
        kind += " from " + place.pick(("None", "E3(1)", "E1"))
    return ["raise " + kind]


JUMPS = [
    ("return", 4, lambda place: place.may_return, _return),
    ("break", 4, lambda place: place.in_loop, lambda place: ["break"]),
    ("continue", 4, lambda place: place.in_loop, lambda place: ["continue"]),
    ("raise", 2, None, _raise),
    ("reraise", 2, lambda place: place.in_handler, lambda place: ["raise"]),
    ("pass", 0.3, None, lambda place: ["pass"]),
]


# Simple statements -----------------------------------------------------------------------------


def _event(place: Place) -> Lines:
    shown = ", %s" % place.readable() if place.flip(0.5) else ""
    return ["t(%d%s)" % (place.event(), shown)]


def _assign(place: Place) -> Lines:
    value = expression(place, 3)
    if place.flip(0.15):
        return ["%s = %s = %s" % (target(place), target(place), value)]
    return ["%s = %s" % (target(place), value)]


def target(place: Place) -> str:
    roll = place.number(10)
    if roll == 0:
        return "o(%d).x" % place.event()
    if roll == 1:
        return "o(%d)[%s]" % (place.event(), index(place, 1))
    return place.variable()


def _unpack(place: Place) -> Lines:
    one, two, three = target(place), target(place), place.variable()
    forms = (
        "%s, %s = seq(%d, 2)" % (one, two, place.event()),
        "%s, *%s = seq(%d, 3)" % (one, three, place.event()),
        "(%s, %s), %s = seq(1, 2), %s" % (one, two, three, expression(place, 1)),
        "[*_, %s] = it(%d)" % (one, place.event()),
        "a, b = b, a",
        "a, b, c = c, a, b",
        "%s, %s = %s, %s" % (one, two, expression(place, 1), expression(place, 1)),
        "%s = *seq(%d, 2), %s" % ("_", place.event(), leaf(place)),
    )
    return [place.pick(forms)]


def _augment(place: Place) -> Lines:
    operator = place.pick(AUGMENTED)
    value = small(place) if operator in ("*=", "<<=", "@=") else expression(place, 2)
    if place.flip(0.1):
        operator, value = "**=", "2 if %s < 9 else 1" % event(place)
        return ["o(%d).y %s %s" % (place.event(), operator, value)]
    return ["%s %s %s" % (target(place), operator, value)]


def _delete(place: Place) -> Lines:
    name = place.variable()
    forms = (
        "del o(%d).x" % place.event(),
        "del o(%d)[%s]" % (place.event(), index(place, 1)),
        "del o(1).x, o(2)[0]",
        "%s = 1; del %s" % (name, name) if place.flip(0.8) else "del %s" % name,
    )
    text = place.pick(forms)
    if text.startswith("%s = 1" % name):  # give it back, or every later use fails
        return text.split("; ") + (["%s = 2" % name] if place.flip(0.8) else [])
    return [text]


def _assert(place: Place) -> Lines:
    message = ", %s" % expression(place, 1) if place.flip(0.5) else ""
    return ["assert %s%s" % (condition(place, 2), message)]


def _expression(place: Place) -> Lines:
    return [expression(place, 3)]


def _short_circuit(place: Place) -> Lines:
    return ["%s %s %s" % (leaf(place), place.pick(("and", "or")), event(place))]


def _annotated(place: Place) -> Lines:
    own = [name for name in place.variables if name not in place.nonlocals]
    name = place.pick(own or ["o(5).y"])
    forms = ("%s: int = %s" % (name, expression(place, 2)), "o(4).x: t(1) = %s" % leaf(place))
    return [place.pick(forms)]


def _global(place: Place) -> Lines:
    if place.flip(0.1):
        return ["del G"]
    return [place.pick(("G = %s", "G += %s")) % expression(place, 1), "t(%d, G)" % place.event()]


def _import(place: Place) -> Lines:
    forms = (
        "import math",
        "import os.path",
        "import os.path as p1, sys",
        "from math import floor as p2, ceil",
        "from os import path",
        "import collections.abc as p3",
        "from . import missing",
    )
    return [place.pick(forms)]


def _yield(place: Place) -> Lines:
    forms = ("yield %s", "%s = yield %%s" % place.variable(), "yield (yield %s)", "yield %s, 1")
    if place.kind == "generator" and place.flip(0.2):
        forms = ("yield from it(%s)", "%s = yield from seq(1, %%s)" % place.variable())
        return [place.pick(forms) % place.number(4)]
    return [place.pick(forms) % expression(place, 2)]


def _await(place: Place) -> Lines:
    prefixes = ("", "", "a = ", "return ") if _may_return_value(place) else ("", "a = ")
    return ["%sawait aw(%d)" % (place.pick(prefixes), place.event())]


def _call(place: Place) -> Lines:
    return ["call(%s)" % arguments(place, 2)]


SIMPLE = [
    ("event", 6, None, _event),
    ("assign", 5, None, _assign),
    ("unpack", 1.5, None, _unpack),
    ("augment", 2.5, None, _augment),
    ("delete", 0.8, None, _delete),
    ("assert", 0.8, None, _assert),
    ("expression", 2, None, _expression),
    ("shortcircuit", 1, None, _short_circuit),
    ("annotated", 0.4, lambda place: place.kind != "module", _annotated),
    ("global", 0.4, lambda place: place.nesting == 1 and place.is_function, _global),
    ("import", 0.3, None, _import),
    ("yield", 5, lambda place: place.may_yield, _yield),
    ("await", 4, lambda place: place.is_async, _await),
    ("callstatement", 1, None, _call),
    ("jump", 0.5, None, lambda place: place.choose(JUMPS)(place)),
]


# Compound statements ---------------------------------------------------------------------------


def _if(place: Place) -> Lines:
    lines = ["if %s:" % condition(place, 4)] + body(place)
    for _ in range(place.pick((0, 0, 0, 1, 2))):
        lines += ["elif %s:" % condition(place, 3)] + body(place)
    if place.flip(0.45):
        lines += ["else:"] + body(place)
    return lines


def _while(place: Place) -> Lines:
    guard: Lines = []
    roll = place.number(8)
    if roll < 2:
        head = place.pick(("True", "1", "True"))
        leave = place.pick(("break", "break", "raise E1(%d)" % place.event()))
        if _may_return_value(place) and place.flip(0.2):
            leave = "return a"
        guard = ["    if not go():", "        " + leave]
    elif roll < 4:
        head = "go()"
    elif roll < 6:
        head = "go() and %s" % _conjunct(place)
    elif roll < 7:
        head = "%s and go()" % _conjunct(place)
    else:
        head = "not (not go() or %s)" % _conjunct(place)
    lines = ["while %s:" % head] + guard + body(place, in_loop=True)
    return lines + _else(place, 0.3)


def _conjunct(place: Place) -> str:
    return "(%s)" % condition(place.inside(suspending=False), 3)


def _else(place: Place, probability: float) -> Lines:
    return ["else:"] + body(place) if place.flip(probability) else []


def _for(place: Place) -> Lines:
    forms = (
        ("%s" % place.variable(), "it(%d)" % place.event()),
        ("%s" % place.variable(), "it(%d)" % place.event()),
        ("%s, %s" % (place.variable(), place.variable()), "it(%d, 2)" % place.event()),
        ("%s, *_" % place.variable(), "it(%d, 3)" % place.event()),
        ("o(%d).x" % place.event(), "it(%d)" % place.event()),
        ("o(%d)[%s]" % (place.event(), leaf(place)), "(1, 2)"),
        (place.variable(), "range(%d)" % place.number(4)),
        (place.variable(), "[%s, %s]" % (expression(place, 1), expression(place, 1))),
    )
    name, iterable = place.pick(forms)
    prefix = ""
    if place.is_async and place.flip(0.6):
        width = name.count(",") + 1 if "," in name else 0
        prefix, iterable = "async ", "ait(%d, %d)" % (place.event(), width)
    lines = ["%sfor %s in %s:" % (prefix, name, iterable)]
    return lines + body(place, in_loop=True) + _else(place, 0.3)


def _with(place: Place) -> Lines:
    asynchronous = place.is_async and place.flip(0.6)
    count = place.pick((1, 1, 1, 2, 2, 3))
    items = ", ".join(_item(place, asynchronous) for _ in range(count))
    return ["%swith %s:" % ("async " if asynchronous else "", items)] + body(place)


def _item(place: Place, asynchronous: bool) -> str:
    manager = "acm" if asynchronous else "cm"
    roll = place.number(10)
    if roll < 4:
        return "%s(%d)" % (manager, place.event())
    if roll < 7:
        return "%s(%d) as %s" % (manager, place.event(), place.variable())
    if roll < 8:
        return "%s(%d) as o(%d).x" % (manager, place.event(), place.event())
    if roll < 9:
        return "%s(%d, 2) as (%s, %s)" % (manager, place.event(), place.variable(), target(place))
    return "%s(%d, 3) as [%s, *_]" % (manager, place.event(), place.variable())


def _try(place: Place) -> Lines:
    lines = ["try:"] + body(place)
    shape = place.pick(("except", "except", "except", "finally", "finally", "both", "both"))
    if shape != "finally":
        lines += _handlers(place)
        lines += _else(place, 0.3)
    if shape != "except":
        lines += ["finally:"] + body(place)
    return lines


def _handlers(place: Place) -> Lines:
    lines: Lines = []
    for _ in range(place.pick((1, 1, 1, 2, 3))):
        lines += _handler(
            place, place.pick(("E1", "E2", "E", "(E1, E3)", "Exception", "ex(%d)" % place.event()))
        )
    if place.flip(0.2):
        lines += _handler(place, "")
    return lines


def _handler(place: Place, kind: str) -> Lines:
    if not kind:
        return ["except:"] + body(place, in_handler=True)
    if place.flip(0.4):
        name = place.fresh("e")
        lines = body(place, in_handler=True)
        if place.flip(0.5):
            lines.insert(0, "    t(%d, %s)" % (place.event(), name))
        if place.flip(0.08):
            lines.insert(0, "    del %s" % name)
        return ["except %s as %s:" % (kind, name)] + lines
    return ["except %s:" % kind] + body(place, in_handler=True)


def _try_star(place: Place) -> Lines:
    lines = ["try:"] + body(place)
    if place.flip(0.6):
        lines += ["    raise ExceptionGroup('g', [E1(1), E2(2), ExceptionGroup('h', [E3(3)])])"]
    for kind in ("E1", "(E2, E3)", "Exception")[: place.pick((1, 2, 2, 3))]:
        name = " as %s" % place.fresh("e") if place.flip() else ""
        inner = place.deeper(in_handler=True, in_star_handler=True, in_loop=False)
        lines += ["except* %s%s:" % (kind, name)] + indent(block(inner))
    lines += _else(place, 0.3)
    if place.flip(0.3):
        lines += ["finally:"] + body(place)
    return lines


def _define(place: Place) -> Lines:
    return functions.nested_function(place)


def _class(place: Place) -> Lines:
    return functions.nested_class(place)


def _match(place: Place) -> Lines:
    return patterns.match_statement(place, body)


def _may_nest(place: Place) -> bool:
    return place.nesting < 3 and place.depth < 5


COMPOUND = [
    ("if", 6, None, _if),
    ("while", 4, None, _while),
    ("for", 4, None, _for),
    ("with", 4, None, _with),
    ("try", 8, None, _try),
    ("trystar", 1, lambda place: place.version >= (3, 11), _try_star),
    ("match", 1.5, lambda place: place.version >= (3, 10), _match),
    ("define", 1.5, _may_nest, _define),
    ("class", 0.5, _may_nest, _class),
]
