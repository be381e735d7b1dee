"""The exact checker: are two live code objects the same graph of instructions?

Both graphs are walked in lockstep over pairs of offsets not seen before (a bisimulation), blind
to NOPs, jumps, layout and duplicated blocks, strict about everything else. What it calls exact
has the same traces: the same instructions on the same operands with the same handlers.
"""

from __future__ import annotations

from types import CodeType
from typing import Dict, List, Optional, Set, Tuple

from .constants import PLAIN_TYPES, CodePairs, OpaqueEqual, code_in, same_constant
from .dead_ends import cut_dead_ends
from .header import header_difference, ignored_flags
from .instructions import SKIPPED, Instructions, read
from .opcode_kinds import LAST_CONST_FAMILY
from .tolerance import Place, constants_say_the_same

# Duplicated blocks make more pairs than instructions, but compilers copy a block a few times,
# not twenty; beyond that the two graphs have nothing in common.
_PAIRS_PER_BYTE = 20

Difference = Tuple[str, int]


class PartResult:
    """The outcome for one code object of the original, at its own level.

    `reason` is None when exact. `candidate` is None where there is no counterpart; together with
    a reason of None that is code which nothing in its (exact) parent ever loads.
    """

    __slots__ = ("candidate", "offset", "original", "reason")

    def __init__(
        self, original: CodeType, candidate: Optional[CodeType], reason: Optional[str], offset: int
    ) -> None:
        self.original = original
        self.candidate = candidate
        self.reason = reason
        self.offset = offset


class Comparison:
    """One result for every code object nested in the original, the root first."""

    __slots__ = ("results",)

    def __init__(self, results: List[PartResult]) -> None:
        self.results = results

    @property
    def exact(self) -> bool:
        return all(result.reason is None for result in self.results)


def compare(
    original: CodeType, candidate: CodeType, *, consts_equal: Optional[OpaqueEqual] = None
) -> Comparison:
    """Compares a code object and all code nested in it with a recompiled candidate.

    `consts_equal` decides about constants that are neither literals nor code; without it such
    constants must be the same object.
    """
    return _Comparer(original, candidate, consts_equal).run()


class _Comparer:
    """The work list of pairs of code objects, and what was found about each original."""

    __slots__ = ("ignored", "opaque_equal", "paired", "pending", "place", "results", "root")

    def __init__(
        self, original: CodeType, candidate: CodeType, opaque_equal: Optional[OpaqueEqual]
    ) -> None:
        self.root = original
        self.opaque_equal = opaque_equal
        self.ignored = ignored_flags(original)
        self.place = Place(original, candidate)
        self.pending: CodePairs = [(original, candidate)]
        self.paired: Set[Tuple[int, int]] = set()
        self.results: Dict[int, PartResult] = {}

    def run(self) -> Comparison:
        while self.pending:
            original, candidate = self.pending.pop()
            key = (id(original), id(candidate))
            if key not in self.paired:
                self.paired.add(key)
                self._compare_pair(original, candidate)
        return Comparison([self.results[id(code)] for code in _all_code(self.root)])

    def _compare_pair(self, original: CodeType, candidate: CodeType) -> None:
        found: CodePairs = []
        difference = self._difference(original, candidate, found)
        self.pending.extend(found)
        known = self.results.get(id(original))
        if known is None or known.reason is None:
            reason, offset = difference or (None, 0)
            self.results[id(original)] = PartResult(original, candidate, reason, offset)
        self._settle_unmet(original, candidate, found, difference is None)

    def _difference(
        self, original: CodeType, candidate: CodeType, found: CodePairs
    ) -> Optional[Difference]:
        is_root = original is self.root
        reason = header_difference(original, candidate, self.ignored, is_root)
        if reason is None and not self._same_qualname(original, candidate, is_root):
            reason = f"qualified name: {_qualname(original)!r} against {_qualname(candidate)!r}"
        if reason is not None:
            return reason, 0
        try:
            if identical(original, candidate, self.opaque_equal, found):
                return None
            found.clear()
            return self._walk(original, candidate, found)
        except RecursionError:
            return "a constant is nested too deeply to compare", 0

    def _same_qualname(self, original: CodeType, candidate: CodeType, is_root: bool) -> bool:
        # The text of a function alone cannot say in which class or function it stands.
        return is_root or self.place.same_qualname(_qualname(original), _qualname(candidate))

    def _walk(
        self, original: CodeType, candidate: CodeType, found: CodePairs
    ) -> Optional[Difference]:
        try:
            left = read(original)
        except IndexError:
            return "the original's bytecode is malformed", 0
        try:
            right = read(candidate)
        except IndexError:
            return "the candidate's bytecode is malformed", 0
        cut_dead_ends(left)
        cut_dead_ends(right)
        return _Walk(left, right, self.place, self.opaque_equal, found).run()

    def _settle_unmet(
        self, original: CodeType, candidate: CodeType, found: CodePairs, exact: bool
    ) -> None:
        """Pairs the nested code that the walk did not meet, by name and order."""
        nested = _nested(original)
        if not nested:
            return
        met = {id(one) for one, _ in found}
        taken = {id(other) for _, other in found}
        left_over = [code for code in _nested(candidate) if id(code) not in taken]
        for code in nested:
            if id(code) in met:
                continue
            partner = next((other for other in left_over if other.co_name == code.co_name), None)
            if partner is not None:
                left_over = [other for other in left_over if other is not partner]
                self.pending.append((code, partner))
            else:
                self._without_counterpart(code, exact)

    def _without_counterpart(self, code: CodeType, parent_is_exact: bool) -> None:
        reason = None if parent_is_exact else f"no counterpart of {code.co_name} was found"
        for part in _all_code(code):
            self.results.setdefault(id(part), PartResult(part, None, reason, 0))


def identical(
    original: CodeType, candidate: CodeType, opaque_equal: Optional[OpaqueEqual], found: CodePairs
) -> bool:
    """The short cut for the common case: the same bytes over the same names and constants."""
    return (
        original.co_code == candidate.co_code
        and original.co_names == candidate.co_names
        and original.co_varnames == candidate.co_varnames
        and original.co_cellvars == candidate.co_cellvars
        and original.co_freevars == candidate.co_freevars
        and getattr(original, "co_exceptiontable", b"")
        == getattr(candidate, "co_exceptiontable", b"")
        and same_constant(original.co_consts, candidate.co_consts, opaque_equal, found)
    )


class _Walk:
    """The lockstep walk over one pair of code objects."""

    __slots__ = ("found", "left", "opaque_equal", "place", "right", "work")

    def __init__(
        self,
        left: Instructions,
        right: Instructions,
        place: Place,
        opaque_equal: Optional[OpaqueEqual],
        found: CodePairs,
    ) -> None:
        self.left = left
        self.right = right
        self.place = place
        self.opaque_equal = opaque_equal
        self.found = found
        self.work: List[Tuple[int, int]] = [(left.start, right.start)]

    def run(self) -> Optional[Difference]:
        left, right = self.left, self.right
        if left.cells_made != right.cells_made:
            return "different cells are made at the start", 0
        seen: Set[int] = set()
        while self.work:
            a, b = self.work.pop()
            difference = self._follow(a, b, seen)
            if difference is not None:
                return difference
        return None

    def _follow(self, a: int, b: int, seen: Set[int]) -> Optional[Difference]:
        """Walks straight on from one pair until it ends or was seen; forks join the work list."""
        left, right, work = self.left, self.right, self.work
        families_a, operands_a, follow_a = left.families, left.operands, left.follow
        families_b, operands_b, follow_b = right.families, right.operands, right.follow
        target_a, target_b = left.target, right.target
        width = len(families_b)
        limit = _PAIRS_PER_BYTE * (len(families_a) + width)
        covered = left.handlers is not None or right.handlers is not None
        while a >= 0:
            if families_a[a] == SKIPPED:
                a = left.settle(a)
                # Every loop has a jump or a fork: there is time enough to count.
                if len(seen) > limit:
                    return "too many pairs of places to compare", a
            if families_b[b] == SKIPPED:
                b = right.settle(b)
            pair = a * width + b
            if pair in seen:
                return None
            seen.add(pair)
            family = families_a[a]
            if family != families_b[b] or family < 0:
                return self._mismatch(a, b)
            if family <= LAST_CONST_FAMILY:
                one = operands_a[a]
                other = operands_b[b]
                if (
                    type(one) is not type(other) or type(one) not in PLAIN_TYPES or one != other
                ) and not self._same_constant(a, b):
                    return self._mismatch(a, b)
            elif operands_a[a] != operands_b[b]:
                return self._mismatch(a, b)
            if covered and not self._same_handlers(a, b):
                return self._handler_mismatch(a, b)
            if target_a[a] >= 0:
                work.append((target_a[a], target_b[b]))
                if len(seen) > limit:
                    return "too many pairs of places to compare", a
            a = follow_a[a]
            b = follow_b[b]
        return None

    def _same_constant(self, a: int, b: int) -> bool:
        one, other = self.left.operands[a], self.right.operands[b]
        return same_constant(one, other, self.opaque_equal, self.found) or (
            constants_say_the_same(self.left, self.right, a, b, self.place)
        )

    def _same_handlers(self, a: int, b: int) -> bool:
        left, right = self.left, self.right
        one = left.handlers[a] if left.handlers is not None else None
        other = right.handlers[b] if right.handlers is not None else None
        if one is None and other is None:
            return True
        if not left.may_raise(a) and not right.may_raise(b):
            return True
        if one is None or other is None or one[1] != other[1]:
            return False
        self.work.append((one[0], other[0]))
        return True

    def _mismatch(self, a: int, b: int) -> Difference:
        one, other = self.left.describe(a), self.right.describe(b)
        return f"at offset {a & ~1}: {one} against {other} (there at {b & ~1})", a & ~1

    def _handler_mismatch(self, a: int, b: int) -> Difference:
        what = self.left.describe(a)
        return f"at offset {a & ~1}: {what} has another exception handler", a & ~1


def _nested(code: CodeType) -> List[CodeType]:
    return list(code_in(code.co_consts))


def _all_code(root: CodeType) -> List[CodeType]:
    """The root and everything nested in it, parents first, each once."""
    ordered: List[CodeType] = []
    known: Set[int] = set()
    stack = [root]
    while stack:
        code = stack.pop()
        if id(code) not in known:
            known.add(id(code))
            ordered.append(code)
            stack.extend(reversed(_nested(code)))
    return ordered


def _qualname(code: CodeType) -> str:
    return str(getattr(code, "co_qualname", code.co_name))
