"""The world a random program runs in: everything it touches leaves a mark in a log.

A program calls `t(7)`, opens `cm(3)`, iterates over `it(2)`; each of them appends to the log and
then acts as a seeded schedule says: hand out a value, raise, suppress. Two programs that do the
same thing leave the same log, so the log of the original can be compared with the decompiled one.
"""

from __future__ import annotations

import asyncio
import random
import sys
from typing import Any, Callable, Iterator

LOG_LIMIT = 3000
LOOP_FUEL = 14


class Hang(BaseException):
    """The program went on longer than any program of the generator can."""


class E(Exception):
    pass


class E1(E):
    pass


class E2(E):
    pass


class E3(Exception):
    pass


class B(BaseException):
    pass


RAISED = (E1, E2, E3, E1, E2, KeyError, StopIteration, B)
CAUGHT = (E, E1, E2, E3, Exception, (E1, E3), KeyError, BaseException)


class Point:
    """A subject for class patterns."""

    __match_args__ = ("x", "y")

    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y


class World:
    """The log and the schedule; `restart` begins the next round."""

    def __init__(self) -> None:
        self.restart(0, 0.0)

    def restart(self, seed: int, raising: float) -> None:
        chance = random.Random(seed)
        self.log: list[Any] = []
        self.fuel = LOOP_FUEL
        self.position = 0
        # A prime length keeps nested loops from meeting the same decisions again and again.
        self.schedule = [_decision(chance, raising) for _ in range(61)]

    def decide(self) -> Any:
        self.position += 1
        return self.schedule[self.position % 61]

    def small(self, below: int) -> int:
        """A number from the schedule, also where the schedule says to raise."""
        decision = self.decide()
        return (self.position if isinstance(decision, type) else int(decision or 0)) % below

    def mark(self, *what: Any) -> None:
        self.log.append(what)
        if len(self.log) > LOG_LIMIT:
            raise Hang

    # What programs call --------------------------------------------------------------------

    def t(self, number: Any, *values: Any) -> Any:
        handled = sys.exc_info()[0]
        name = handled and handled.__name__
        self.mark(stable(number), name, *[stable(value) for value in values])
        decision = self.decide()
        if isinstance(decision, type):
            raise decision(number)
        return decision

    def go(self) -> bool:
        """Whether a loop may go round once more; never raises, so that every loop ends."""
        self.fuel -= 1
        self.mark("go", self.fuel)
        return self.fuel > 0

    def ex(self, number: int) -> Any:
        """What an except clause catches, decided while the exception is matched."""
        self.mark("ex", number)
        return CAUGHT[self.small(len(CAUGHT))]

    def it(self, number: int, width: int = 0) -> Iterator[Any]:
        for index in range(self._length()):
            value = self.t(("next", number, index))
            yield (value, *range(1, width)) if width else value

    async def ait(self, number: int, width: int = 0) -> Any:
        for index in range(self._length()):
            value = await self.aw(number)
            yield (value, *range(1, width)) if width else (value, index)[0]

    def _length(self) -> int:
        self.fuel -= 1
        return self.small(4) if self.fuel > 0 else 0

    def seq(self, number: int, width: int) -> list[Any]:
        return [self.t((number, index)) for index in range(width)]

    def sub(self, number: int) -> Any:
        """Something to match."""
        self.mark("sub", number)
        one, two = self.small(3), self.small(3)
        kinds = (
            one, (one, two), [one, two, 3], {"k": one, "l": two}, Point(one, two), "s", None,
            (), {"k": Point(two, one)}, [one, [two, 1]], True, 2.5, (Point(one, one), two),
        )  # fmt: skip
        return kinds[self.small(3) * 4 % len(kinds) if one == 2 else (one * 5 + two * 2) % 13]

    def o(self, number: int) -> Thing:
        return Thing(self, number)

    def cm(self, number: int, width: int = 0) -> Manager:
        return Manager(self, number, width)

    def acm(self, number: int, width: int = 0) -> AsyncManager:
        return AsyncManager(self, number, width)

    def aw(self, number: Any) -> Awaitable:
        return Awaitable(self, number)

    def deco(self, number: int) -> Callable[[Any], Any]:
        self.t(("deco", number))

        def decorate(thing: Any) -> Any:
            self.mark("decorate", number, thing.__qualname__)
            return thing

        return decorate

    def call(self, *args: Any, **keywords: Any) -> Any:
        return self.t("call", args, keywords)

    def namespace(self) -> dict[str, Any]:
        """The globals of a program."""
        calls = ("t", "go", "ex", "it", "ait", "seq", "sub", "o", "cm", "acm", "aw", "deco", "call")
        classes = (E, E1, E2, E3, B, Point)
        names: dict[str, Any] = {name: getattr(self, name) for name in calls}
        names.update({cls.__name__: cls for cls in classes})
        names["__name__"] = "fuzzed"
        names["G"] = 0
        return names


def _decision(chance: random.Random, raising: float) -> Any:
    if chance.random() < raising:
        return chance.choice(RAISED)
    return chance.choice((0, 1, 2, 3, True, False, 0, 1))


class Thing:
    """An object whose every use is logged, in the order in which it happens."""

    def __init__(self, world: World, number: int) -> None:
        self.__dict__.update(world=world, number=number)

    def _note(self, *what: Any) -> Any:
        return self.world.t(("o", self.number), *what)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._note("get", name)
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        self._note("set", name, value)

    def __delattr__(self, name: str) -> None:
        self._note("del", name)

    def __getitem__(self, key: Any) -> Any:
        self._note("getitem", key)
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        self._note("setitem", key, value)

    def __delitem__(self, key: Any) -> None:
        self._note("delitem", key)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self._note("call", args, keywords)

    def __iter__(self) -> Iterator[Any]:
        return self.world.it(self.number)

    def __bool__(self) -> bool:
        return bool(self._note("bool"))

    def __contains__(self, item: Any) -> bool:
        return bool(self._note("contains", item))

    def __format__(self, spec: str) -> str:
        return "<o %s %s %s>" % (self.number, spec, bool(self))

    def __repr__(self) -> str:
        return "<o %s>" % self.number

    __hash__ = None  # type: ignore[assignment]


def _operator(name: str, in_place: bool) -> Callable[..., Any]:
    def operate(self: Thing, *others: Any) -> Any:
        result = self._note(name, *others)
        return self if in_place else result

    return operate


def _equip_with_operators() -> None:
    arithmetic = "add sub mul truediv floordiv mod matmul and or xor lshift rshift pow".split()
    for name in arithmetic:
        for prefix in ("", "r", "i"):
            setattr(Thing, f"__{prefix}{name}__", _operator(prefix + name, prefix == "i"))
    for name in "lt le gt ge eq ne neg pos invert".split():
        setattr(Thing, f"__{name}__", _operator(name, False))


_equip_with_operators()


class Manager:
    """A context manager that may fail to enter, fail to exit, or suppress."""

    def __init__(self, world: World, number: int, width: int) -> None:
        world.t(("make", number))
        self.world = world
        self.number = number
        self.width = width

    def __enter__(self) -> Any:
        value = self.world.t(("enter", self.number))
        return (value, *range(1, self.width)) if self.width else value

    def __exit__(self, kind: Any, error: Any, _traceback: Any) -> bool:
        answer = self.world.t(("exit", self.number), kind and kind.__name__, error)
        return answer in (1, 2)


class AsyncManager(Manager):
    async def __aenter__(self) -> Any:
        await self.world.aw(("aenter", self.number))
        return self.__enter__()

    async def __aexit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        await self.world.aw(("aexit", self.number))
        return self.__exit__(kind, error, traceback)


class Awaitable:
    def __init__(self, world: World, number: Any) -> None:
        self.world = world
        self.number = number

    def __await__(self) -> Any:
        got = yield ("await", self.number)
        return self.world.t(("awaited", self.number), got)


def stable(value: Any, depth: int = 4) -> Any:
    """A value as something that compares equal in another run of the same program."""
    if depth == 0:
        return "..."
    if isinstance(value, (int, float, complex, str, bytes, type(None), type(...))):
        return repr(value)[:200]
    if isinstance(value, BaseException):
        return describe(value)
    if isinstance(value, (tuple, list)):
        return [type(value).__name__] + [stable(item, depth - 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return [type(value).__name__] + sorted(str(stable(item, depth - 1)) for item in value)
    if isinstance(value, dict):
        return [(stable(k, depth - 1), stable(v, depth - 1)) for k, v in value.items()]
    if isinstance(value, slice):
        return ("slice", *[stable(part, 2) for part in (value.start, value.stop, value.step)])
    if isinstance(value, Thing):
        return ("o", value.number)
    return getattr(value, "__qualname__", type(value).__name__)


def describe(error: BaseException | None, depth: int = 5) -> Any:
    """An exception with what it was raised from and while: handlers leave their mark there."""
    if error is None or depth == 0:
        return None
    parts = getattr(error, "exceptions", ())
    return (
        type(error).__name__,
        [stable(argument, 2) for argument in error.args if not isinstance(argument, list)],
        [describe(part, depth - 1) for part in parts],
        describe(error.__cause__, depth - 1),
        describe(error.__context__, depth - 1),
        error.__suppress_context__,
    )


def is_async_generator(value: Any) -> bool:
    return hasattr(value, "asend") and not asyncio.iscoroutine(value)
