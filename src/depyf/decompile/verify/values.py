"""The values that the equivalence checker computes with: terms, built alike for both programs.

A term is a tuple whose first item says what it is. Leaves are constants, arguments, cells and
symbols (results nothing is known of); the rest are constructions over other terms. Two terms that
are equal denote the same value. The identity of tuples is not part of that: the language lets
immutable values be shared or not. Lists and dicts are references with contents kept elsewhere.
"""

from __future__ import annotations

from types import CodeType
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple

from .constants import CodePairs, OpaqueEqual, same_constant

Value = Tuple[Any, ...]
Heap = Dict[int, Tuple[Any, ...]]

# NULL on the stack and an unbound local are the same thing to the interpreter, and so here.
NULL: Value = ("null",)
# A local that nothing reads any more; the liveness analysis vouches for it.
DEAD: Value = ("dead",)
LASTI: Value = ("lasti",)
# A function whose calls nobody can tell: no two of them are known the same.
UNSEEN: Value = ("unseen",)
OUTER_EXCEPTION: Value = ("outer exception",)

# What is known of a symbol: nothing, its type, that it is an exception, one other than
# StopIteration, that it may be unbound, that it is a function returning plain sequences, or such
# a sequence.
SYMBOLS = frozenset({"sym", "bool", "int", "exception", "failure", "maybe", "graph", "sequence"})
# What an iterator at its end raises: a term made of a symbol, as each is an object of its own.
STOP_ITERATION = "stop iteration"
# Terms made of other terms. "half0" and "half1" are what a method lookup leaves for the call.
CONSTRUCTORS = frozenset(
    {"tuple", "slice", "not", "is", "tb", "val", "type", "half0", "half1", "item", STOP_ITERATION}
)
BOOLEANS = frozenset({"bool", "not", "is"})
EXCEPTIONS = frozenset({"exception", "failure", STOP_ITERATION})

_PLAIN = frozenset({str, int, bool, bytes, type(None), type(Ellipsis)})
LITERAL_TYPES: Tuple[type, ...] = tuple(_PLAIN) + (float, complex)
_LITERALS = _PLAIN | {tuple, float, complex, frozenset, slice}
_SINGLETONS: Tuple[type, ...] = (bool, type(None), type(Ellipsis))


class Refused(Exception):
    """The proof cannot go on; the text says why."""


class Values:
    """Makes symbols and interns constants, for both programs together."""

    __slots__ = (
        "_by_identity", "_by_key", "_count", "_opaque", "computed", "objects", "opaque_equal",
    )  # fmt: skip

    def __init__(self, opaque_equal: Optional[OpaqueEqual]) -> None:
        self.opaque_equal = opaque_equal
        self.objects: List[object] = []
        self._by_key: Dict[object, Value] = {}
        self._by_identity: Dict[int, Value] = {}
        self._opaque: List[Tuple[object, Value]] = []
        self.computed: Set[Value] = set()
        self._count = 0

    def number(self) -> int:
        self._count += 1
        return self._count

    def symbol(self, kind: str = "sym") -> Value:
        return (kind, self.number())

    def constant(self, value: object) -> Value:
        kind = type(value)
        if kind in _PLAIN:
            key = (kind, value)
            known = self._by_key.get(key)
            return known if known is not None else self._new(key, value)
        if kind is tuple:
            return ("tuple", *[self.constant(item) for item in value])  # type: ignore[attr-defined]
        if isinstance(value, slice):
            return ("slice", *map(self.constant, (value.start, value.stop, value.step)))
        if isinstance(value, CodeType):
            return self._code(value)
        return self._other(value)

    def computed_text(self, text: str) -> Value:
        """As a constant, but that nobody may ask whether it is the same object as another."""
        term = self.constant(text)
        self.computed.add(term)
        return term

    def _new(self, key: object, value: object) -> Value:
        self.objects.append(value)
        term = ("const", len(self.objects) - 1)
        self._by_key[key] = term
        return term

    def _code(self, code: CodeType) -> Value:
        key = ("code", id(code))
        if key not in self._by_key:
            self.objects.append(code)
            self._by_key[key] = ("code", len(self.objects) - 1)
        return self._by_key[key]

    def _other(self, value: object) -> Value:
        known = self._by_identity.get(id(value))
        if known is not None:
            return known
        nested: CodePairs = []
        for i, other in enumerate(self.objects):
            # Within one program nothing but the language's own equality makes constants one.
            if type(other) is type(value) and same_constant(other, value, None, nested):
                self._by_identity[id(value)] = ("const", i)
                return ("const", i)
        self.objects.append(value)
        self._by_identity[id(value)] = term = ("const", len(self.objects) - 1)
        return term

    def learn_original(self, constants: Sequence[object]) -> None:
        """The original's objects without a literal, which the candidate's may stand for."""
        for value in constants:
            if type(value) not in _LITERALS and not isinstance(value, CodeType):
                self._opaque.append((value, self.constant(value)))

    def candidate_constant(self, value: object) -> Value:
        if self.opaque_equal is not None:
            for original, term in self._opaque:
                if value is not original and self.opaque_equal(original, value):
                    return term
        return self.constant(value)

    def object_of(self, value: Value) -> object:
        return self.objects[value[1]]

    def plain(self, value: Value, kinds: Tuple[type, ...]) -> bool:
        """Whether a value is a constant of exactly one of these types."""
        return value[0] == "const" and type(self.objects[value[1]]) in kinds

    def truth(self, value: Value, heap: Heap) -> Optional[bool]:
        """The truth of a value where it is known without asking the object."""
        tag = value[0]
        if tag == "const":
            known = self.objects[value[1]]
            plain = type(known) in _PLAIN or isinstance(known, (float, complex, frozenset))
            return bool(known) if plain else None
        if tag == "tuple":
            return len(value) > 1
        if tag == "ref":
            return len(heap[value[1]]) > 1
        if tag == "not":
            inner = self.truth(value[1], heap)
            return None if inner is None else not inner
        return None

    def negation(self, value: Value) -> Value:
        if value[0] == "not":
            inner: Value = value[1]
            return inner
        if value[0] == "const":
            return self.constant(not self.object_of(value))
        return ("not", value)

    def identity(self, one: Value, other: Value) -> Optional[Value]:
        """`one is other` as a value, or None where the answer hangs on an object's identity."""
        if one[0] in ("ref", "tuple", "slice") or other[0] in ("ref", "tuple", "slice"):
            return None
        if UNSEEN in (one, other):
            raise Refused("the identity of something that was not looked at")
        if one in self.computed or other in self.computed:
            raise Refused("the identity of a text that is computed")
        none_like = [v for v in (one, other) if self.plain(v, _SINGLETONS)]
        if len(none_like) == 2:
            return self.constant(one == other)
        if not none_like:
            return None
        rest = other if none_like[0] == one else one
        if rest[0] in ("const", "code"):
            return self.constant(False)
        if rest[0] in BOOLEANS and not self.plain(none_like[0], (bool,)):
            return self.constant(False)
        return ("is", one, other)

    def membership(self, one: Value, other: Value) -> Optional[bool]:
        """`one in other` for a constant and a tuple of constants, all numbers or all text."""
        for kind in (int, str):
            if other[0] == "tuple" and all(self.plain(v, (kind,)) for v in (one, *other[1:])):
                return one in other[1:]
        return None

    def comparison(self, operator: str, one: Value, other: Value) -> Optional[Value]:
        """Compares two constants where nothing but numbers or text is involved."""
        same_kind = self.plain(one, (int,)) and self.plain(other, (int,))
        if not same_kind and not (self.plain(one, (str,)) and self.plain(other, (str,))):
            return None
        compare = _COMPARISONS.get(operator)
        if compare is None:
            return None
        return self.constant(compare(self.object_of(one), self.object_of(other)))


_COMPARISONS: Dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def is_boolean(value: Value, values: Values) -> bool:
    return value[0] in BOOLEANS or values.plain(value, (bool,))


def is_number(value: Value, values: Values) -> bool:
    """Whether a value is an int for certain: a constant, or a length."""
    return value[0] == "int" or values.plain(value, (int,))


def is_exception(value: Value, values: Values) -> bool:
    return value[0] in EXCEPTIONS


def is_failure(value: Value, values: Values) -> bool:
    return bool(value[0] == "failure")


def is_graph(value: Value, values: Values) -> bool:
    return bool(value[0] == "graph")


def is_sequence(value: Value, values: Values) -> bool:
    return bool(value[0] == "sequence")


def condition_of(value: Value) -> Tuple[Value, bool]:
    """The undecided condition below any negation, and whether there is one."""
    return (value[1], True) if value[0] == "not" else (value, False)


def constructed(tag: str, parts: Sequence[Value]) -> Value:
    """A tuple or a slice of known parts."""
    made = (tag, *parts)
    if any(part[0] in _NESTED for part in parts):
        _check_size(made)
    return made


# One may hold another twice, which holds a third twice, and so on; terms hold each as often as it
# would be printed, and are compared and hashed as a whole.
_NESTED = frozenset({"tuple", "slice"})
_LARGEST = 20_000


def _check_size(value: Value) -> None:
    pending = [value]
    for part in pending:
        if part[0] in _NESTED:
            pending.extend(part[1:])
        if len(pending) > _LARGEST:
            raise Refused("a tuple of tuples is too large to be compared")


def substitute(value: Value, changes: Mapping[Value, Value], values: Values) -> Value:
    found = changes.get(value)
    if found is not None:
        return found
    if value[0] not in CONSTRUCTORS:
        return value
    parts = [substitute(part, changes, values) for part in value[1:]]
    if all(new is old for new, old in zip(parts, value[1:])):
        return value
    return rebuilt(value[0], parts, values)


def rebuilt(tag: str, parts: List[Value], values: Values) -> Value:
    if tag == "not":
        return values.negation(parts[0])
    if tag == "is":
        known = values.identity(parts[0], parts[1])
        return ("is", *parts) if known is None else known
    return (tag, *parts)


def references(value: Value, heap: Heap, found: Dict[int, None]) -> None:
    """Collects all lists and dicts that can be reached from a value."""
    if value[0] == "ref":
        if value[1] not in found:
            found[value[1]] = None
            for part in heap[value[1]][1:]:
                references(part, heap, found)
    elif value[0] in CONSTRUCTORS:
        for part in value[1:]:
            references(part, heap, found)


def shown(value: Value, values: Values) -> str:
    """A value in the text of a reason."""
    tag = value[0]
    if tag == "const":
        try:
            text = repr(values.object_of(value))
        except Exception as error:  # a constant of the user's own type may do anything
            text = f"<repr failed: {type(error).__name__}>"
        return text if len(text) <= 40 else text[:37] + "..."
    if tag in CONSTRUCTORS:
        return f"{tag}({', '.join(shown(part, values) for part in value[1:])})"
    if tag in ("param", "cell"):
        return str(value[1]) if tag == "param" else f"cell of {value[1]}"
    return f"{tag} {value[1]}" if tag in SYMBOLS or tag == "ref" else str(tag)
