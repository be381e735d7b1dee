"""A seeded generator of random Python programs, for any version from 3.8 to 3.14.

`generate(seed, version)` returns the text of a module with a few functions `f0`, `f1`, ... The
same seed and version give the same text on every interpreter. What the programs call is defined
in `runtime`; `running` executes them and collects what they did.
"""

from __future__ import annotations

import random

from .context import Place, Shared
from .functions import nested_class, top_function
from .statements import COMPOUND, SIMPLE, block

# Each program leans to a part of the language: weights of rows in the tables of builders.
PROFILES: tuple = (
    {},
    {"try": 3, "with": 2},
    {"try": 4, "while": 2, "for": 2},
    {"for": 3, "while": 3, "if": 2},
    {"with": 4, "try": 2},
    {"boolean": 3, "chain": 3, "ternary": 3, "if": 2, "not": 2},
    {"comprehension": 4, "walrus": 3, "lambda": 2},
    {"match": 12, "trystar": 6},
    {"define": 5, "class": 4},
    {"augment": 4, "unpack": 4, "delete": 4, "annotated": 4, "display": 3, "subscript": 3},
)


def generate(seed: int, version: tuple) -> str:
    """The text of the program of that number."""
    chance = random.Random(seed)
    shared = Shared(chance, tuple(version[:2]), size=chance.choice((4, 8, 12, 16, 24, 40)))
    shared.weights = dict(chance.choice(PROFILES))
    place = Place(shared)
    lines = ["'''Program %d.'''" % seed] if place.flip(0.3) else []
    if place.flip(0.1):
        lines.append("from __future__ import annotations")
    if place.flip(0.03):
        lines.append("from math import *")
    lines.append("a = b = c = d = 1")
    for number in range(place.pick((1, 1, 1, 2))):
        lines += top_function(place, "f%d" % number)
    if place.flip(0.15):
        lines += block(place)
    if place.flip(0.05):
        lines += nested_class(place)
    return "\n".join(lines) + "\n"


def names_of_rows() -> set:
    """The names that a profile may weigh."""
    return {row[0] for row in SIMPLE + COMPOUND}
