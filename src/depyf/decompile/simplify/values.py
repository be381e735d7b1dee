"""What a symbolic run computes with: values, and the effects that make them.

A list or tuple that nobody else can know is a `Fresh` value; it costs nothing until something
gets hold of it. Then it is built, by an effect, and whoever refers to it means that one object.
"""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, List, Mapping, Optional, Union

from depyf.decompile.decode.ops import Op


class Facts:
    """What is known about the globals of a frame, beyond what its bytecode says.

    `silent` are attributes of globals that may be called or not, nobody can tell: the timing of
    a code generator. `flags` are attributes of globals that say whether such timing is wanted.
    `sequences` are globals that always mean one function, whose calls return a plain tuple or
    list, `fixed` globals that always mean one object. `scratch` are locals of the code generator's
    own.
    """

    __slots__ = ("silent", "flags", "sequences", "fixed", "scratch")

    def __init__(
        self,
        silent: Mapping[str, FrozenSet[str]],
        flags: Mapping[str, FrozenSet[str]],
        sequences: FrozenSet[str],
        fixed: FrozenSet[str],
        scratch: FrozenSet[str],
    ) -> None:
        self.silent = silent
        self.flags = flags
        self.sequences = sequences
        self.fixed = fixed
        self.scratch = scratch


class Effect:
    """An operation that has to happen, in its place among the others.

    `results` is how many values it leaves; `builds` marks a mere display of its operands, which
    can be written where it is used. `variables` are where its results are kept, once they have a
    place; `reads` are locals that must still hold what they held at first,
    `writes` locals that hold something else behind it. `held` is what the frame itself holds
    while a call runs, besides the arguments; `item` what a mere read of a sequence reads.
    """

    __slots__ = (
        "op", "operands", "results", "builds", "reads", "writes", "uses", "wanted", "variables",
        "block", "held", "item",
    )  # fmt: skip

    def __init__(self, op: Op, operands: List[Value], results: int, builds: bool = False) -> None:
        self.op = op
        self.operands = operands
        self.results = results
        self.builds = builds
        self.reads: List[str] = []
        self.writes: List[str] = []
        self.uses: List[Effect] = []
        # Names that the frame itself stores the results under.
        self.wanted: Dict[int, str] = {}
        self.variables: Dict[int, str] = {}
        self.block: object = None
        self.held: Optional[List[Value]] = None
        self.item: Optional[Item] = None

    def __repr__(self) -> str:
        return f"<{self.op!r} of {self.operands}>"


class Constant:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Global:
    """A global that never comes to mean anything else: it may be looked up at any time."""

    __slots__ = ("op",)

    def __init__(self, op: Op) -> None:
        self.op = op


class Variable:
    """What a local held when the frame began; `moved` once the local is about to be deleted."""

    __slots__ = ("name", "moved")

    def __init__(self, name: str) -> None:
        self.name = name
        self.moved: Optional[Result] = None


class Result:
    __slots__ = ("effect", "index")

    def __init__(self, effect: Effect, index: int = 0) -> None:
        self.effect = effect
        self.index = index


class Item:
    """A constant item of a sequence that never changes: it may be read at any time."""

    __slots__ = ("sequence", "index", "moved")

    def __init__(self, sequence: Result, index: int) -> None:
        self.sequence = sequence
        self.index = index
        self.moved: Optional[Result] = None


class Fresh:
    """A list, tuple or slice made here; `built` once something else got hold of it."""

    __slots__ = ("kind", "items", "built")

    def __init__(self, kind: str, items: List[Value]) -> None:
        self.kind = kind
        self.items = items
        self.built: Optional[Result] = None


class Silent:
    """A global or one of its attributes whose calls nobody can tell; "" is what they return."""

    __slots__ = ("name", "op")

    def __init__(self, name: str, op: Op) -> None:
        self.name = name
        self.op = op


class Null:
    __slots__ = ()


class Unbound:
    __slots__ = ()


NULL, UNBOUND = Null(), Unbound()
Value = Union[Constant, Global, Variable, Result, Item, Fresh, Silent, Null, Unbound]


def meant(value: Value) -> Value:
    """The value that stands for this one by now."""
    # Asked for every operand: comparing types is cheaper than isinstance.
    if type(value) is Fresh:
        return value.built or value
    if type(value) is Variable or type(value) is Item:
        return value.moved or value
    return value


class State:
    """The stack and the locals at one place. Fresh values change in place, so copies are deep."""

    __slots__ = ("stack", "locals")

    def __init__(self, stack: List[Value], locals_: Dict[str, Value]) -> None:
        self.stack = stack
        self.locals = locals_

    def copy(self) -> State:
        known: Dict[int, Value] = {}

        def twin(value: Value) -> Value:
            value = meant(value)
            if not isinstance(value, (Fresh, Variable, Item)):
                return value
            found = known.get(id(value))
            if found is not None:
                return found
            if isinstance(value, Fresh):
                made = Fresh(value.kind, [])
                known[id(value)] = made
                made.items.extend([twin(item) for item in value.items])
                return made
            copied: Value = (
                Variable(value.name)
                if isinstance(value, Variable)
                else Item(value.sequence, value.index)
            )
            known[id(value)] = copied
            return copied

        return State(
            [twin(value) for value in self.stack],
            {name: twin(value) for name, value in self.locals.items()},
        )

    def everything(self) -> List[Value]:
        """All values that can be reached, each once."""
        found: Dict[int, Value] = {}
        work = [*self.stack, *self.locals.values()]
        while work:
            value = meant(work.pop())
            if id(value) not in found:
                found[id(value)] = value
                if isinstance(value, Fresh):
                    work.extend(value.items)
        return list(found.values())
