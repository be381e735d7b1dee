"""Equality of constants as the language sees them: typed and deep.

Python's own `==` calls 1, 1.0 and True the same, and 0.0 and -0.0; a proof must not.
"""

from __future__ import annotations

import math
from types import CodeType
from typing import Callable, FrozenSet, Iterator, List, Optional, Tuple

OpaqueEqual = Callable[[object, object], bool]
CodePairs = List[Tuple[CodeType, CodeType]]

# For these, same type and `==` is all there is to say.
PLAIN_TYPES = frozenset({str, int, bool, bytes, type(None), type(Ellipsis)})


def same_constant(
    left: object, right: object, opaque_equal: Optional[OpaqueEqual], found: CodePairs
) -> bool:
    """Whether two constants are the same; nested code is taken as same and put on `found`."""
    kind = type(left)
    if kind is not type(right):
        return _same_opaque(left, right, opaque_equal)
    if kind in PLAIN_TYPES:
        return left == right
    if isinstance(left, CodeType) and isinstance(right, CodeType):
        found.append((left, right))
        return True
    if kind is tuple:
        return _same_items(left, right, opaque_equal, found)  # type: ignore[arg-type]
    if kind is float:
        return _float_key(left) == _float_key(right)  # type: ignore[arg-type]
    if kind is complex:
        return _complex_key(left) == _complex_key(right)  # type: ignore[arg-type]
    if kind is frozenset:
        return _same_set(left, right, opaque_equal)  # type: ignore[arg-type]
    if isinstance(left, slice) and isinstance(right, slice):
        bounds = (left.start, left.stop, left.step), (right.start, right.stop, right.step)
        return _same_items(bounds[0], bounds[1], opaque_equal, found)
    return _same_opaque(left, right, opaque_equal)


def code_in(constant: object) -> Iterator[CodeType]:
    """A constant that is code, or the code among the items of one, in order."""
    waiting = [constant]
    while waiting:
        each = waiting.pop()
        if isinstance(each, CodeType):
            yield each
        elif isinstance(each, (tuple, frozenset)):
            waiting.extend(reversed(tuple(each)))


def _same_opaque(left: object, right: object, opaque_equal: Optional[OpaqueEqual]) -> bool:
    return left is right or (opaque_equal is not None and bool(opaque_equal(left, right)))


def _same_items(
    left: Tuple[object, ...],
    right: Tuple[object, ...],
    opaque_equal: Optional[OpaqueEqual],
    found: CodePairs,
) -> bool:
    return len(left) == len(right) and all(
        same_constant(one, other, opaque_equal, found) for one, other in zip(left, right)
    )


def _same_set(
    left: FrozenSet[object], right: FrozenSet[object], opaque_equal: Optional[OpaqueEqual]
) -> bool:
    if len(left) != len(right):
        return False
    nested: CodePairs = []
    rest = list(right)
    for one in left:
        for i, other in enumerate(rest):
            # Hashes first: sets of strings would otherwise cost the square of their size.
            if hash(one) == hash(other) and same_constant(one, other, opaque_equal, nested):
                del rest[i]
                break
        else:
            return False
    return not nested


def _float_key(value: float) -> Tuple[float, str]:
    # A NaN is like every other NaN: source has no way to write one with a payload.
    return (math.copysign(1.0, value), repr(value)) if value == value else (0.0, "nan")


def _complex_key(value: complex) -> Tuple[Tuple[float, str], Tuple[float, str]]:
    return _float_key(value.real), _float_key(value.imag)
