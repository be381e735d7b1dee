"""Where in a random program the generator is: what may stand here, and which names exist.

The builders of expressions and statements all take a `Place`; a nested block or function gets a
changed copy, so nothing has to be undone on the way out.
"""

from __future__ import annotations

import copy
import random
from typing import Any, Sequence

Version = tuple  # (3, 11); the generator runs on interpreters without tuple[int, int]

NAMES = ("a", "b", "c", "d")


class Shared:
    """What all places of one program have in common."""

    __slots__ = ("chance", "version", "events", "names", "weights", "left")

    def __init__(self, chance: random.Random, version: Version, size: int) -> None:
        self.chance = chance
        self.version = version
        self.events = 0  # the number in t(17): each event of a program has its own
        self.names = 0
        self.left = size  # statements that may still be made
        self.weights: dict[str, float] = {}


class Place:
    """One position in the program text."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.chance = shared.chance
        self.kind = "module"  # module, class, function, generator, coroutine, asyncgen
        self.variables: tuple[str, ...] = NAMES
        self.outer: tuple[str, ...] = ()  # variables of enclosing functions
        self.nonlocals: tuple[str, ...] = ()  # those of `variables` that belong to them
        self.depth = 0  # blocks around this one
        self.nesting = 0  # functions around this one
        self.in_loop = False
        self.in_handler = False
        self.in_star_handler = False  # return, break and continue must not leave it
        self.walrus = True
        self.suspending = True  # yield and await: not in a comprehension or lambda

    def inside(self, **changes: Any) -> Place:
        place = copy.copy(self)
        place.__dict__.update(changes)
        return place

    def deeper(self, **changes: Any) -> Place:
        return self.inside(depth=self.depth + 1, **changes)

    # Facts -----------------------------------------------------------------------------------

    @property
    def is_function(self) -> bool:
        return self.kind not in ("module", "class")

    @property
    def is_async(self) -> bool:
        return self.kind in ("coroutine", "asyncgen") and self.suspending

    @property
    def may_yield(self) -> bool:
        return self.kind in ("generator", "asyncgen") and self.suspending

    @property
    def may_return(self) -> bool:
        return self.is_function and not self.in_star_handler

    @property
    def version(self) -> Version:
        return self.shared.version

    # Choices ---------------------------------------------------------------------------------

    def flip(self, probability: float = 0.5) -> bool:
        return self.chance.random() < probability

    def pick(self, options: Sequence[Any]) -> Any:
        return options[int(self.chance.random() * len(options))]

    def number(self, below: int) -> int:
        return int(self.chance.random() * below)

    def event(self) -> int:
        self.shared.events += 1
        return self.shared.events

    def fresh(self, stem: str) -> str:
        self.shared.names += 1
        return "%s%d" % (stem, self.shared.names)

    def variable(self) -> str:
        return self.pick(self.variables)

    def readable(self) -> str:
        return self.pick(self.variables + self.outer) if self.outer else self.variable()

    def choose(self, table: Sequence[tuple[str, float, Any, Any]]) -> Any:
        """A builder from rows (name, weight, when it may stand here, builder)."""
        weights = self.shared.weights
        rows = [
            (weight * weights.get(name, 1.0), builder)
            for name, weight, allowed, builder in table
            if allowed is None or allowed(self)
        ]
        mark = self.chance.random() * sum(weight for weight, _ in rows)
        for weight, builder in rows:
            mark -= weight
            if mark < 0:
                return builder
        return rows[-1][1]
