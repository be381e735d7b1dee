"""The equivalence checker: do two live code objects have the same observable effects, in order?

Both programs run in lockstep on symbols from event to event (a product program). They must perform
the same events on equal operands, under handlers that again do the same. What each does in between
(temporaries, shuffles, tuples, lists that never escape, flags, the state of a dispatch loop) is
its own affair. Where ways meet, the states are weakened to what they have in common, until nothing
new comes.

Not observed: when an object that nothing refers to is destroyed (but `del` of a variable of the
original is an event), the identity of tuples, frames looked at from outside, asynchronous
exceptions. Where the code itself can ask for its locals, they are compared at every call.
"""

from __future__ import annotations

from types import CodeType
from typing import Dict, FrozenSet, List, Optional, Sequence, Set, Tuple

from . import (  # noqa: F401  (the rules register themselves)
    rules_calls,
    rules_containers,
    rules_events,
    rules_exceptions,
    rules_operators,
    rules_stack,
)
from .constants import CodePairs, OpaqueEqual, code_in
from .header import argument_names, header_difference, ignored_flags
from .instructions import Instructions, read
from .liveness import Liveness
from .machine import Event, Machine, Split, Stop
from .opcode_kinds import VERSION, families_named
from .relation import (
    Match,
    Meeting,
    State,
    control_signature,
    drop_garbage,
    drop_stale_facts,
    forget,
    known_flags,
)
from .rules_events import KIND_OF_RESULT
from .tolerance import Place
from .trust import NO_TRUST, Trust
from .values import NULL, Refused, Value, Values, shown

# What is ever proven takes a fraction of these; the rest is time spent on what is not.
_STEPS_PER_BYTE = 25
# Constants of flags tell states at one place apart, but only so many of them.
_STATES_PER_PLACE = 32
# Branches in a row are followed one by one up to here; then their ways meet like those of events.
_SPLITS_BETWEEN_EVENTS = 6

# Functions that see the locals of their caller, by the names they go by; the second kind does so
# only when called without arguments.
_ASKS_FOR_LOCALS = frozenset("locals eval exec _getframe currentframe".split())
_MAY_ASK_FOR_LOCALS = frozenset({"vars", "dir"})
_FRAME_ATTRIBUTES = frozenset({"_getframe", "currentframe"})
_LOOKS_BACK = _ASKS_FOR_LOCALS | _MAY_ASK_FOR_LOCALS | {"super"}
_READS_NAMES = families_named(
    "LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF LOAD_FROM_DICT_OR_GLOBALS "
    "LOAD_FROM_DICT_OR_DEREF"
)
_BINDS_GLOBALS = families_named("STORE_GLOBAL DELETE_GLOBAL STORE_NAME DELETE_NAME")
# What the compiler writes about the place of a class in the text.
_PLACE_NAMES = frozenset({"__qualname__", "__firstlineno__", "__static_attributes__"})
# Values that only the interpreter knows; as operands they mean that the model does not fit.
_NOT_OPERANDS = frozenset({"null", "dead", "lasti", "address", "half0", "half1", "maybe"})
# Events that do not change what they work on.
_LEAVES_ALONE = frozenset({"return", "del", "bool", "UNPACK_SEQUENCE", "UNPACK_EX"})
_TAKES_UNBOUND = frozenset({"read of possibly unbound", "del", "MAKE_CELL"})


class Equivalence:
    """`reason` is None when proven, given that the `nested` pairs of code are equivalent too.

    `assumes` names the globals of the candidate that were taken for builtins.
    """

    __slots__ = ("assumes", "nested", "reason")

    def __init__(
        self, reason: Optional[str], nested: CodePairs, assumes: Sequence[str] = ()
    ) -> None:
        self.reason = reason
        self.nested = nested
        self.assumes = tuple(assumes)


def equivalent(
    original: CodeType,
    candidate: CodeType,
    *,
    consts_equal: Optional[OpaqueEqual] = None,
    root: Optional[CodeType] = None,
    place: Optional[Place] = None,
    trust: Trust = NO_TRUST,
) -> Equivalence:
    """Compares two code objects at their own level.

    `root` is the outermost original, if that is another one, and `place` where the two roots
    stand; `consts_equal` decides about constants that are neither literals nor code.
    """
    place = place or Place(original, candidate)
    is_root = root is None or root is original
    ignored = ignored_flags(original if root is None else root)
    reason = header_difference(original, candidate, ignored, is_root)
    if reason is None and not is_root:
        reason = _qualname_difference(original, candidate, place)
    if reason is not None:
        return Equivalence(reason, [])
    mine = trust.builtins & set(original.co_names)
    theirs = trust.builtins & set(candidate.co_names)
    # First what only the candidate uses; then the original's own uses are taken alike.
    found = Equivalence("not tried", [])
    for builtins in sorted({frozenset(theirs - mine), frozenset(theirs)}, key=len):
        trusted = trust.with_builtins(builtins)
        found = _attempt(original, candidate, consts_equal, place, trusted)
        if found.reason is None:
            break
    return found


def _attempt(
    original: CodeType,
    candidate: CodeType,
    consts_equal: Optional[OpaqueEqual],
    place: Place,
    trust: Trust,
) -> Equivalence:
    try:
        product = _Product(original, candidate, consts_equal, place)
        sides = product.left.instructions, product.right.instructions
        trust = trust.without(set().union(*map(_globals_bound, sides)))
        product.left.trust = product.right.trust = trust
        return Equivalence(product.run(), product.nested_pairs(), trust.named())
    except Refused as refusal:
        return Equivalence(str(refusal), [])
    except RecursionError:
        return Equivalence("a value is nested too deeply to compare", [])
    except IndexError:
        return Equivalence("bytecode that takes more from its stack than there is", [])


def _qualname_difference(original: CodeType, candidate: CodeType, place: Place) -> Optional[str]:
    one = str(getattr(original, "co_qualname", original.co_name))
    other = str(getattr(candidate, "co_qualname", candidate.co_name))
    same = place.same_qualname(one, other)
    return None if same else f"qualified name: {one!r} against {other!r}"


class _Product:
    """The two programs, the states seen at each pair of places, and the work that is left."""

    __slots__ = (
        "codes", "flags", "left", "live", "place", "right", "seen", "states_at", "values",
        "watched", "work",
    )  # fmt: skip

    def __init__(
        self,
        original: CodeType,
        candidate: CodeType,
        consts_equal: Optional[OpaqueEqual],
        place: Place,
    ) -> None:
        self.values = Values(consts_equal)
        self.values.learn_original(original.co_consts)
        one, other = read(original), read(candidate)
        if one.cells_made != other.cells_made:
            raise Refused("different cells are made at the start")
        self.left = Machine(one, self.values, is_original=True)
        self.right = Machine(other, self.values, is_original=False)
        self.flags = [n for n in candidate.co_varnames if n not in original.co_varnames]
        self.right.invented = frozenset(self.flags)
        self.watched = _watched_locals(one, other)
        # Only where ways meet is it of use.
        self.live: Optional[Tuple[Liveness, Liveness]] = None
        self.place = place
        self.codes: Dict[Tuple[int, int], None] = {}
        self.seen: Dict[object, State] = {}
        self.states_at: Dict[object, Set[object]] = {}
        self.work: List[State] = []

    def nested_pairs(self) -> CodePairs:
        objects = self.values.objects
        pairs = [(objects[one], objects[other]) for one, other in self.codes]
        return [(a, b) for a, b in pairs if isinstance(a, CodeType) and isinstance(b, CodeType)]

    def run(self) -> Optional[str]:
        self.work.append(State(self.left.start(), self.right.start(), {}, {}))
        size = len(self.left.code.co_code) + len(self.right.code.co_code)
        for _ in range(_STEPS_PER_BYTE * size + 1000):
            if not self.work:
                return None
            reason = self._go_on(self.work.pop())
            if reason is not None:
                return reason
        return "too many states to compare"

    def _go_on(self, state: State) -> Optional[str]:
        """Runs both sides to their next event and compares; what follows joins the work."""
        one, other = self._advance(state)
        branching = isinstance(one, Split) or isinstance(other, Split)
        joined = state.left.joined or state.right.joined
        if joined and (not branching or state.splits > _SPLITS_BETWEEN_EVENTS):
            weakened = self._weaken(state)
            if weakened is None:
                return None
            # It stands at the same two places, with less known about operands.
            state = weakened
            state.left.joined = state.right.joined = False
            one, other = self._advance(state)
            branching = isinstance(one, Split) or isinstance(other, Split)
        if not branching:
            state.left.joined = state.right.joined = False
        if isinstance(one, Event) and isinstance(other, Event):
            return self._meet(state, one, other)
        self._split(state, one if isinstance(one, Split) else other)
        return None

    def _advance(self, state: State) -> Tuple[Stop, Stop]:
        self.left.heap = self.right.heap = state.heap
        self.left.facts = self.right.facts = state.facts
        return self.left.advance(state.left), self.right.advance(state.right)

    def _split(self, state: State, split: Stop) -> None:
        assert isinstance(split, Split)
        for truth in (False, True):
            twin = state.copy()
            twin.splits += 1
            twin.assume(split.condition, truth, self.values)
            self.work.append(twin)

    def _weaken(self, state: State) -> Optional[State]:
        """What this state and those seen at its place have in common; None if nothing is new."""
        if not any(self.watched):
            self._forget_dead(state)
        drop_garbage(state)
        drop_stale_facts(state)
        key = self._key(state)
        recorded = self.seen.get(key)
        if recorded is None:
            self.seen[key] = state.copy()
            return state
        meeting = Meeting(recorded, state, self.values)
        common = meeting.common()
        if not meeting.weaker:
            return None
        drop_garbage(common)
        self.seen[key] = common.copy()
        return common

    def _forget_dead(self, state: State) -> None:
        if self.live is None:
            self.live = Liveness(self.left.instructions), Liveness(self.right.instructions)
        forget(state.left, self.live[0].dead(state.left.pc))
        forget(state.right, self.live[1].dead(state.right.pc))

    def _key(self, state: State) -> object:
        where = (control_signature(state.left), control_signature(state.right))
        flags = known_flags(state.right, self.flags)
        at = self.states_at.setdefault(where, set())
        at.add(flags)
        return (where, flags if len(at) <= _STATES_PER_PLACE else None)

    # --- one event on each side ---------------------------------------------------------------

    def _meet(self, state: State, one: Event, other: Event) -> Optional[str]:
        match = Match(state.heap)
        if not self._same_event(state, one, other, match):
            return self._difference(state, one, other)
        if not match.same(state.left.exc, state.right.exc):
            return self._difference(state, one, other) + ", while other exceptions are handled"
        for left, right in match.codes:
            self.codes[left[1], right[1]] = None
        state.escape(match.pairs, self.values, () if one.name in _LEAVES_ALONE else match.sequences)
        state.splits = 0
        self._follow_exception(state, one)
        if one.rebinds is not None:
            state.substitute({one.rebinds: self.values.symbol()}, self.values)
            self.work.append(state)
        else:
            self._follow_outcomes(state, one, other)
        return None

    def _same_event(self, state: State, one: Event, other: Event, match: Match) -> bool:
        if (one.name, one.operand) != (other.name, other.operand):
            return False
        if len(one.inputs) != len(other.inputs):
            return False
        if one.name not in _TAKES_UNBOUND and any(v[0] in _NOT_OPERANDS for v in one.inputs):
            raise Refused(f"{one.name} at offset {state.left.pc & ~1} works on no value")
        same = all(
            match.same(left, right) or self._tells_place(one, i, left, right)
            for i, (left, right) in enumerate(zip(one.inputs, other.inputs))
        )
        if not same or not one.shows_locals:
            return same
        return self._same_locals(state, match, self.watched[one.operand == (0, 0)])

    def _same_locals(self, state: State, match: Match, names: List[str]) -> bool:
        left, right = state.left.locals, state.right.locals
        return all(match.same(left.get(name, NULL), right.get(name, NULL)) for name in names)

    def _tells_place(self, event: Event, index: int, one: Value, other: Value) -> bool:
        """Whether two constants differ only by where the text stands that they came from."""
        if event.name == "MAKE_FUNCTION":
            # Before 3.11 the qualified name is an operand of its own, on top.
            named = VERSION < (3, 11) and index == len(event.inputs) - 1
            return named and self._same_qualname(one, other)
        if event.name not in ("STORE_NAME", "STORE_DEREF") or event.operand not in _PLACE_NAMES:
            return False
        if event.operand == "__qualname__":
            return self._same_qualname(one, other)
        if event.operand == "__firstlineno__":
            lines = (self.left.code.co_firstlineno, self.right.code.co_firstlineno)
            return (one, other) == tuple(map(self.values.constant, lines))
        return one[0] == "tuple" == other[0] and self._same_names(one, other)

    def _same_qualname(self, one: Value, other: Value) -> bool:
        texts = [self.values.object_of(v) for v in (one, other) if self.values.plain(v, (str,))]
        return len(texts) == 2 and self.place.same_qualname(str(texts[0]), str(texts[1]))

    def _same_names(self, one: Value, other: Value) -> bool:
        # 3.13 lists them in the order of a set of strings, which changes with every process.
        texts = all(self.values.plain(part, (str,)) for part in one[1:] + other[1:])
        return texts and len(one) == len(other) and set(one) == set(other)

    def _follow_exception(self, state: State, event: Event) -> None:
        if not event.raises:
            return
        left, right = self.left, self.right
        if left.may_be_caught(state.left) or right.may_be_caught(state.right):
            twin = state.copy()
            # A failing iterator has not raised StopIteration: that is one of the outcomes.
            exception = self.values.symbol("failure" if event.name == "next" else "exception")
            left.unwind(twin.left, exception)
            right.unwind(twin.right, exception)
            self.work.append(twin)

    def _follow_outcomes(self, state: State, one: Event, other: Event) -> None:
        kind = self._kind_of_result(one)
        last = len(one.outcomes) - 1
        for i, (count, finish) in enumerate(one.outcomes):
            twin = state if i == last else state.copy()
            results = [self.values.symbol(kind) for _ in range(count)]
            finish(twin.left, results)
            other.outcomes[i][1](twin.right, results)
            self.work.append(twin)

    def _kind_of_result(self, event: Event) -> str:
        if event.name == "call" and event.inputs[0][0] == "graph":
            return "sequence"
        return KIND_OF_RESULT.get(event.name, "sym")

    def _difference(self, state: State, one: Event, other: Event) -> str:
        places = state.left.pc & ~1, state.right.pc & ~1
        mine, theirs = self._told(one), self._told(other)
        return f"at offset {places[0]}: {mine} against {theirs} (there at {places[1]})"

    def _told(self, event: Event) -> str:
        operand = "" if event.operand is None else f" {event.operand}"
        inputs = ", ".join(shown(value, self.values) for value in event.inputs)
        return f"{event.name}{operand} of ({inputs})" if inputs else f"{event.name}{operand}"


def _watched_locals(one: Instructions, other: Instructions) -> Tuple[List[str], List[str]]:
    """The variables that any call, and a call without arguments, may look at behind our back."""
    original, candidate = one.code, other.code
    if not (_mentions_any(original, _LOOKS_BACK) or _mentions_any(candidate, _LOOKS_BACK)):
        return [], []
    names = _names_read(one) | _names_read(other)
    every = sorted(set(original.co_varnames) | set(candidate.co_varnames))
    if names & _ASKS_FOR_LOCALS:
        return every, every
    if names & _MAY_ASK_FOR_LOCALS:
        return [], every
    return [], list(argument_names(original)[:1]) if "super" in names else []


def _mentions_any(code: CodeType, names: FrozenSet[str]) -> bool:
    texts = (constant for constant in code.co_consts if isinstance(constant, str))
    pools = code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars, texts
    return not all(map(names.isdisjoint, pools))


def _globals_bound(instructions: Instructions) -> Set[str]:
    """The globals that a code object, or code inside it, binds or deletes itself."""
    bound: Set[str] = set()
    # Hardly any does: one look over all of them spares the look at each.
    if not _BINDS_GLOBALS.isdisjoint(instructions.families):
        bound.update(
            str(operand)
            for family, operand in zip(instructions.families, instructions.operands)
            if family in _BINDS_GLOBALS
        )
    inside = code_in(instructions.code.co_consts)
    return bound.union(*[_globals_bound(read(code)) for code in inside])


def _names_read(instructions: Instructions) -> Set[str]:
    """What instructions name: `co_names` of a rewritten code object has those it lost as well."""
    found: Set[str] = set()
    for family, operand in zip(instructions.families, instructions.operands):
        name = operand[0] if isinstance(operand, tuple) and operand else operand
        if family in _READS_NAMES or (isinstance(name, str) and name in _FRAME_ATTRIBUTES):
            found.add(str(name))
    return found
