"""States of two programs together, and what two such states have in common.

A state says which slots (stack, locals) of the two programs hold the same value: equal terms are
equal values. The common part of two states is their anti-unification: a slot keeps what both say,
and slots that are equal in both stay equal. Going through such common parts a finite number of
times leads to a state that covers every way to a place.
"""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from .machine import Side
from .values import (
    CONSTRUCTORS,
    DEAD,
    NULL,
    SYMBOLS,
    UNSEEN,
    Heap,
    Value,
    Values,
    is_boolean,
    is_exception,
    is_failure,
    is_graph,
    is_number,
    is_sequence,
    rebuilt,
    references,
    substitute,
)

Pair = Tuple[Value, Value]
Facts = Dict[Value, bool]


class State:
    """Both sides, and the lists and dicts that nobody else knows (each belongs to one side).

    `facts` are the conditions that this way has decided and that either side may ask again,
    `splits` counts the branches since the last event.
    """

    __slots__ = ("facts", "heap", "left", "right", "splits")

    def __init__(self, left: Side, right: Side, heap: Heap, facts: Facts) -> None:
        self.left = left
        self.right = right
        self.heap = heap
        self.facts = facts
        self.splits = 0

    def copy(self) -> State:
        twin = State(self.left.copy(), self.right.copy(), dict(self.heap), dict(self.facts))
        twin.splits = self.splits
        return twin

    def assume(self, condition: Value, truth: bool, values: Values) -> None:
        if condition[0] == "is":  # the truth of a symbol takes the place of the symbol
            self.facts[condition] = truth
        self.substitute({condition: values.constant(truth)}, values)

    def substitute(self, changes: Mapping[Value, Value], values: Values) -> None:
        for side in (self.left, self.right):
            side.stack = [substitute(value, changes, values) for value in side.stack]
            for name, value in side.locals.items():
                side.locals[name] = substitute(value, changes, values)
            side.exc = substitute(side.exc, changes, values)
            side.truth = substitute(side.truth, changes, values)
        if self.facts:
            self.facts = {
                condition: truth
                for condition, truth in (
                    (_kept_condition(condition, changes, values), truth)
                    for condition, truth in self.facts.items()
                )
                if condition[0] == "is"
            }
        for number, contents in self.heap.items():
            parts = [substitute(part, changes, values) for part in contents[1:]]
            self.heap[number] = (contents[0], *parts)

    def escape(
        self, pairs: Mapping[int, int], values: Values, sequences: Sequence[Value] = ()
    ) -> None:
        """Lists and dicts that an event saw become one symbol for both sides.

        So do `sequences`: from now on they may be changed like anything else.
        """
        changes: Dict[Value, Value] = {sequence: values.symbol() for sequence in sequences}
        for one, other in pairs.items():
            symbol = values.symbol()
            changes["ref", one] = changes["ref", other] = symbol
            del self.heap[one], self.heap[other]
        if changes:
            self.substitute(changes, values)


def _kept_condition(condition: Value, changes: Mapping[Value, Value], values: Values) -> Value:
    # The condition itself stays: it is what is known about its parts.
    parts = [substitute(part, changes, values) for part in condition[1:]]
    return rebuilt("is", parts, values)


class Match:
    """Compares a value of the left with one of the right; lists and dicts are paired up."""

    __slots__ = ("codes", "heap", "pairs", "sequences", "taken")

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        self.pairs: Dict[int, int] = {}
        self.taken: Dict[int, int] = {}
        self.codes: List[Pair] = []
        self.sequences: List[Value] = []

    def same(self, one: Value, other: Value) -> bool:
        tag = one[0]
        if tag != other[0]:
            return False
        if tag == "ref":
            return self._same_reference(one[1], other[1])
        if tag == "code":
            self.codes.append((one, other))
            return True
        if tag == "sequence":
            self.sequences.append(one)
        if tag not in CONSTRUCTORS or tag == "item":
            return one == other and one != UNSEEN
        return len(one) == len(other) and all(
            self.same(part, twin) for part, twin in zip(one[1:], other[1:])
        )

    def _same_reference(self, one: int, other: int) -> bool:
        if one in self.pairs or other in self.taken:
            return self.pairs.get(one) == other and self.taken.get(other) == one
        self.pairs[one] = other
        self.taken[other] = one
        mine, theirs = self.heap[one], self.heap[other]
        return (
            mine[0] == theirs[0]
            and len(mine) == len(theirs)
            and all(self.same(part, twin) for part, twin in zip(mine[1:], theirs[1:]))
        )


def slots(side: Side) -> Iterator[Value]:
    yield from side.stack
    yield from side.locals.values()
    yield side.exc
    yield side.truth


class Meeting:
    """What two states at the same pair of places have in common."""

    __slots__ = ("first", "lost", "memo", "partner", "refs", "second", "torn", "values", "weaker")

    def __init__(self, first: State, second: State, values: Values) -> None:
        self.first = first
        self.second = second
        self.values = values
        self.weaker = False  # whether the first state says more than the common part
        self.memo: Dict[Pair, Value] = {}
        self.partner: Dict[Value, Value] = {}
        self.refs: Heap = {}
        self.lost: List[Pair] = []
        self.torn: Dict[Pair, None] = {}

    def common(self) -> State:
        while self._share_one_lost_pair():
            pass
        one, other = self.first, self.second
        left = self._side(one.left, other.left)
        right = self._side(one.right, other.right)
        made = State(left, right, self.refs, self._facts())
        made.splits = other.splits
        return made

    def _facts(self) -> Facts:
        """What both states know about values that are still there."""
        known = {
            self._known(condition, twin): truth
            for condition, truth in self.first.facts.items()
            for twin, answer in self.second.facts.items()
            if truth is answer
        }
        kept = {condition: truth for condition, truth in known.items() if condition is not None}
        if len(kept) < len(self.first.facts):
            self.weaker = True
        return kept

    def _known(self, one: Value, other: Value) -> Optional[Value]:
        """The common part of two values if it has come up already."""
        if one[0] in CONSTRUCTORS:
            if one[0] != other[0] or len(one) != len(other):
                return self.memo.get((one, other))
            parts = [self._known(*pair) for pair in zip(one[1:], other[1:])]
            kept = [part for part in parts if part is not None]
            return rebuilt(one[0], kept, self.values) if len(kept) == len(parts) else None
        if one == other and one[0] not in SYMBOLS:
            return one
        return self.memo.get((one, other))

    def _side(self, one: Side, other: Side) -> Side:
        made = Side(one.pc, {})
        made.stack = [self._value(*pair) for pair in zip(one.stack, other.stack)]
        made.locals = {
            name: self._value(value, other.locals[name]) for name, value in one.locals.items()
        }
        made.exc = self._value(one.exc, other.exc)
        made.truth = self._value(one.truth, other.truth)
        made.kwnames, made.blocks, made.joined = one.kwnames, one.blocks, False
        return made

    def _value(self, one: Value, other: Value) -> Value:
        tag = one[0]
        if tag not in SYMBOLS:
            if tag == "ref":
                return self._reference(one, other)
            if tag in CONSTRUCTORS:
                if tag == other[0] and len(one) == len(other):
                    parts = [self._value(*pair) for pair in zip(one[1:], other[1:])]
                    return rebuilt(tag, parts, self.values)
            elif one == other:
                return one
        return self._symbol(one, other)

    def _symbol(self, one: Value, other: Value) -> Value:
        pair = (one, other)
        known = self.memo.get(pair)
        if known is None:
            known = self.memo[pair] = self.values.symbol(self._kind(one, other))
            if known[0] != one[0] or self.partner.setdefault(one, other) != other:
                self.weaker = True
        return known

    def _kind(self, one: Value, other: Value) -> str:
        if DEAD in (one, other) or NULL in (one, other) or "maybe" in (one[0], other[0]):
            return "maybe"
        for kind, belongs in _KINDS:
            if belongs(one, self.values) and belongs(other, self.values):
                return kind
        return "sym"

    def _reference(self, one: Value, other: Value) -> Value:
        pair = (one, other)
        if pair in self.torn or not self._alike(one, other):
            return self._symbol(one, other)
        known = self.memo.get(pair)
        if known is None:
            known = self.memo[pair] = ("ref", self.values.number())
            kind = self.first.heap[one[1]][0]
            parts = zip(self.first.heap[one[1]][1:], self.second.heap[other[1]][1:])
            self.refs[known[1]] = (kind, *[self._value(*part) for part in parts])
        return known

    def _alike(self, one: Value, other: Value) -> bool:
        if one[0] != "ref" or other[0] != "ref":
            return False
        mine, theirs = self.first.heap[one[1]], self.second.heap[other[1]]
        return mine[0] == theirs[0] and len(mine) == len(theirs)

    # --- lists and dicts that the two states do not know alike ---------------------------------

    def _share_one_lost_pair(self) -> bool:
        """Lets one list of each side become a value that both share, where that is all there is.

        A list that grows in a loop has different contents each time, but as long as the other
        side has the same list, the two are one value from now on.
        """
        left = self._lost_pairs(self.first.left, self.second.left)
        right = self._lost_pairs(self.first.right, self.second.right)
        self.torn = dict.fromkeys(left + right)
        for one in left:
            for other in right:
                first, second = Match(self.first.heap), Match(self.second.heap)
                if first.same(one[0], other[0]) and second.same(one[1], other[1]):
                    if first.pairs or second.pairs:
                        # Of the second alone, it is no more than the first knew already.
                        self.weaker = self.weaker or bool(first.pairs)
                        self.first.escape(first.pairs, self.values)
                        self.second.escape(second.pairs, self.values)
                        return True
        return False

    def _lost_pairs(self, one: Side, other: Side) -> List[Pair]:
        """Pairs with a list or dict that has no single counterpart of the same shape."""
        met: Dict[Pair, None] = {}
        for pair in zip(slots(one), slots(other)):
            self._collect(pair, met)
        firsts: Dict[Value, int] = {}
        seconds: Dict[Value, int] = {}
        for mine, theirs in met:
            firsts[mine] = firsts.get(mine, 0) + 1
            seconds[theirs] = seconds.get(theirs, 0) + 1
        return [
            (mine, theirs)
            for mine, theirs in met
            if not self._alike(mine, theirs) or firsts[mine] > 1 or seconds[theirs] > 1
        ]

    def _collect(self, pair: Pair, met: Dict[Pair, None]) -> None:
        one, other = pair
        if "ref" in (one[0], other[0]):
            if pair in met:
                return
            met[pair] = None
            if self._alike(one, other):
                inner = zip(self.first.heap[one[1]][1:], self.second.heap[other[1]][1:])
                for part in inner:
                    self._collect(part, met)
        elif one[0] in CONSTRUCTORS and one[0] == other[0] and len(one) == len(other):
            for part in zip(one[1:], other[1:]):
                self._collect(part, met)


_KINDS: Tuple[Tuple[str, Callable[[Value, Values], bool]], ...] = (
    ("bool", is_boolean),
    ("int", is_number),
    ("failure", is_failure),
    ("exception", is_exception),
    ("graph", is_graph),
    ("sequence", is_sequence),
)


def forget(side: Side, dead: List[str]) -> None:
    for name in dead:
        side.locals[name] = DEAD


def drop_stale_facts(state: State) -> None:
    """Facts about values that neither side can ask about any more."""
    if not state.facts:
        return
    reachable: Dict[Value, None] = {}
    for side in (state.left, state.right):
        for value in slots(side):
            _leaves(value, reachable)
    for contents in state.heap.values():
        for value in contents[1:]:
            _leaves(value, reachable)
    state.facts = {
        condition: truth
        for condition, truth in state.facts.items()
        if all(part[0] == "const" or part in reachable for part in condition[1:])
    }


def _leaves(value: Value, found: Dict[Value, None]) -> None:
    found[value] = None
    if value[0] in CONSTRUCTORS:
        for part in value[1:]:
            _leaves(part, found)


def drop_garbage(state: State) -> None:
    """Lists and dicts that no slot leads to any more."""
    if not state.heap:
        return
    found: Dict[int, None] = {}
    for side in (state.left, state.right):
        for value in slots(side):
            references(value, state.heap, found)
    state.heap = {number: state.heap[number] for number in found}


def control_signature(side: Side) -> Tuple[object, ...]:
    """What must be the same for two states of a side to have anything in common."""
    tags = [value if value[0] in _CONTROL else (value[0] == "type",) for value in side.stack]
    halves = [value[0] for value in side.stack if value[0] in ("half0", "half1")]
    return (side.pc, tuple(tags), tuple(halves), side.blocks, side.kwnames, side.truth == NULL)


_CONTROL = frozenset({"null", "address", "lasti"})


def known_flags(side: Side, names: List[str]) -> Tuple[object, ...]:
    """The constants that invented variables hold: the state of a dispatch loop, flags."""
    return tuple((name, side.locals[name]) for name in names if side.locals[name][0] == "const")
