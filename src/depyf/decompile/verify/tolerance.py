"""Constants that say where a piece of text stands, and so may differ after recompilation.

The compiler writes a class's first line, its attribute names in the order of a hash table and
the qualified names of functions into constants. They are recognised by the instruction that
consumes them and must be exactly what the compiler would have written.
"""

from __future__ import annotations

from types import CodeType
from typing import Optional, Tuple

from .instructions import NOWHERE, SKIPPED, Instructions
from .opcode_kinds import MAKE_FUNCTION_FAMILY, NAMED_STORE_FAMILIES, VERSION


class Place:
    """Where the two roots stand: `A.f` in a live program is plain `f` in the text of f alone."""

    __slots__ = ("candidate_prefix", "name", "original_prefix")

    def __init__(self, original: CodeType, candidate: CodeType) -> None:
        self.name = candidate.co_name
        self.original_prefix: Optional[str] = getattr(original, "co_qualname", None)
        self.candidate_prefix: Optional[str] = getattr(candidate, "co_qualname", None)

    def same_qualname(self, original: str, candidate: str) -> bool:
        if original == candidate:
            return True
        if self.original_prefix is None or self.candidate_prefix is None:
            return self._learn(original, candidate)
        if not candidate.startswith(self.candidate_prefix):
            return False
        rest = candidate[len(self.candidate_prefix) :]
        return rest[:1] in ("", ".") and original == self.original_prefix + rest

    def _learn(self, original: str, candidate: str) -> bool:
        """Before 3.11 a code object does not know its place: the first nested name tells it."""
        parts = candidate.split(".")
        for i in [i for i, part in enumerate(parts) if part == self.name]:
            rest = "".join(["." + part for part in parts[i + 1 :]])
            prefix = original[: len(original) - len(rest)]
            if original == prefix + rest and prefix.split(".")[-1] == self.name:
                self.original_prefix, self.candidate_prefix = prefix, ".".join(parts[: i + 1])
                return True
        return False


def _next_instruction(side: Instructions, offset: int) -> int:
    follow = side.follow[offset]
    return side.settle(follow) if follow != NOWHERE and side.families[follow] == SKIPPED else follow


def _stored_name(side: Instructions, offset: int) -> object:
    """The name that the value pushed at offset is stored under at once, in a class body."""
    following = _next_instruction(side, offset)
    is_store = following != NOWHERE and side.families[following] in NAMED_STORE_FAMILIES
    return side.operands[following] if is_store else None


def _names_a_function(side: Instructions, offset: int) -> bool:
    if VERSION >= (3, 11):
        return False
    following = _next_instruction(side, offset)
    return following != NOWHERE and side.families[following] == MAKE_FUNCTION_FAMILY


def constants_say_the_same(
    left: Instructions, right: Instructions, a: int, b: int, place: Place
) -> bool:
    """Whether two different constants differ only by the place of the text."""
    one, other = left.operands[a], right.operands[b]
    if isinstance(one, str) and isinstance(other, str):
        named = _names_a_function(left, a) and _names_a_function(right, b)
        return (named or _both_stored_as("__qualname__", left, right, a, b)) and (
            place.same_qualname(one, other)
        )
    if isinstance(one, int) and isinstance(other, int):
        lines = (left.code.co_firstlineno, right.code.co_firstlineno)
        return (one, other) == lines and _both_stored_as("__firstlineno__", left, right, a, b)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return _same_attribute_names(one, other) and (
            _both_stored_as("__static_attributes__", left, right, a, b)
        )
    return False


def _both_stored_as(name: str, left: Instructions, right: Instructions, a: int, b: int) -> bool:
    return _stored_name(left, a) == name == _stored_name(right, b)


def _same_attribute_names(one: Tuple[object, ...], other: Tuple[object, ...]) -> bool:
    # 3.13 lists them in the order of a set of strings, which changes with every process.
    all_strings = all(type(name) is str for name in one + other)
    return all_strings and len(one) == len(other) and set(one) == set(other)
