"""The whole proof for a code object and everything nested in it: exact, else equivalent.

Each nested code object gets a verdict at its own level. A parent that pairs nested code otherwise
than the exact checker did is believed only if those pairs hold as well.
"""

from __future__ import annotations

from types import CodeType
from typing import Dict, List, Optional, Sequence, Set, Tuple

from .constants import OpaqueEqual, code_in
from .equivalent import equivalent
from .exact import PartResult, compare
from .instructions import read
from .tolerance import Place
from .trust import NO_TRUST, Trust

EXACT, EQUIVALENT, UNVERIFIED = "exact", "equivalent", "unverified"
# How the reason of a proof begins that took globals for builtins.
ASSUMES = "assumes that the builtins are meant by: "


class PartProof:
    """One code object of the original, its counterpart, and how far the two are the same.

    `reason` says what each checker objected to.
    """

    __slots__ = ("candidate", "original", "reason", "verdict")

    def __init__(
        self, original: CodeType, candidate: Optional[CodeType], verdict: str, reason: str
    ) -> None:
        self.original = original
        self.candidate = candidate
        self.verdict = verdict
        self.reason = reason


def prove(
    original: CodeType,
    candidate: CodeType,
    *,
    consts_equal: Optional[OpaqueEqual] = None,
    trust: Trust = NO_TRUST,
) -> List[PartProof]:
    """A proof for every code object in the original, the root first.

    A proof that took globals for builtins, as `trust` allows, says so in its reason.
    """
    return _Prover(original, candidate, consts_equal, trust).run()


class _Prover:
    """Asks the exact checker first, then the equivalence checker for what it rejected."""

    __slots__ = (
        "assumed", "candidate", "consts_equal", "exact", "original", "paired", "place", "trust",
        "trying",
    )  # fmt: skip

    def __init__(
        self,
        original: CodeType,
        candidate: CodeType,
        consts_equal: Optional[OpaqueEqual],
        trust: Trust,
    ) -> None:
        self.trust = trust
        self.assumed: Dict[int, Tuple[str, ...]] = {}
        self.original = original
        self.candidate = candidate
        self.consts_equal = consts_equal
        self.place = Place(original, candidate)
        self.exact: Dict[int, PartResult] = {}
        self.trying: Set[Tuple[int, int]] = set()
        # Of each code that was proven equivalent: the pairs of code inside that it came to.
        self.paired: Dict[int, Set[Tuple[int, int]]] = {}

    def run(self) -> List[PartProof]:
        comparison = compare(self.original, self.candidate, consts_equal=self.consts_equal)
        self.exact = {id(part.original): part for part in comparison.results}
        if len(comparison.results) == 1:
            # No code inside: which of it is loaded need not be found out.
            return [self._part(comparison.results[0])]
        loaded, kept = _loaded_code(self.original), _loaded_code(self.candidate)
        proofs = [
            # The very same code object is its own counterpart.
            PartProof(part.original, part.original, EXACT, "")
            if id(part.original) in kept
            and (part.candidate is None or part.candidate is part.original)
            else self._part(part)
            for part in comparison.results
            # Nothing ever loads it: a constant that was left behind.
            if part.original is self.original or id(part.original) in loaded
        ]
        return [
            proof
            for proof in proofs
            if proof.verdict != UNVERIFIED or not self._is_moot(proof, proofs)
        ]

    def _is_moot(self, proof: PartProof, proofs: List[PartProof]) -> bool:
        """Whether all code around was proven without this pair.

        Then the code inside is only loaded where control never comes (Dynamo's continuations keep
        the beginning of what they continue), or it was proven with another counterpart. So was
        code inside of that.
        """
        pair = (id(proof.original), id(proof.candidate))
        around = [each for each in proofs if _holds(each.original, proof.original)]
        return bool(around) and all(
            (each.verdict == EQUIVALENT and pair not in self.paired[id(each.original)])
            or (each.verdict == EXACT and _pairs_nothing(each))
            or self._is_moot(each, proofs)
            for each in around
        )

    def _part(self, part: PartResult) -> PartProof:
        if part.reason is None:
            return PartProof(part.original, part.candidate, EXACT, "")
        if part.candidate is None:
            return PartProof(part.original, None, UNVERIFIED, part.reason)
        reason = self._why_not(part.original, part.candidate)
        verdict = EQUIVALENT if reason is None else UNVERIFIED
        told = [f"not exact: {part.reason}"]
        if reason is not None:
            told.insert(0, reason)
        elif self.assumed.get(id(part.original)):
            names = ", ".join(self.assumed[id(part.original)])
            told.insert(0, ASSUMES + names)
        return PartProof(part.original, part.candidate, verdict, "; ".join(told))

    def _why_not(self, original: CodeType, candidate: CodeType) -> Optional[str]:
        found = equivalent(
            original,
            candidate,
            consts_equal=self.consts_equal,
            root=self.original,
            place=self.place,
            trust=self.trust,
        )
        self.assumed[id(original)] = found.assumes
        if found.reason is not None:
            return found.reason
        self.paired[id(original)] = {(id(one), id(other)) for one, other in found.nested}
        for one, other in found.nested:
            known = self.exact.get(id(one))
            # Pairs that the exact checker found too are judged on their own.
            if known is None or known.candidate is not other:
                reason = self._why_not_whole(one, other)
                if reason is not None:
                    return f"{one.co_name}: {reason}"
        return None

    def _why_not_whole(self, original: CodeType, candidate: CodeType) -> Optional[str]:
        if (id(original), id(candidate)) in self.trying:
            return None
        self.trying.add((id(original), id(candidate)))
        parts = _Prover(original, candidate, self.consts_equal, self.trust).run()
        return next((part.reason for part in parts if part.verdict == UNVERIFIED), None)


def _holds(code: CodeType, inner: CodeType) -> bool:
    return any(each is inner for each in code_in(code.co_consts))


def _pairs_nothing(proof: PartProof) -> bool:
    """Whether there is nothing inside to compare: it is the very same, or has no code in it."""
    candidate = proof.candidate
    return candidate is proof.original or (
        candidate is not None and not any(True for _ in code_in(candidate.co_consts))
    )


def _loaded_code(code: CodeType) -> Set[int]:
    """The identities of all code objects that the code, or what it loads, loads."""
    found: Dict[int, CodeType] = {id(code): code}
    work = [code]
    while work:
        for inner in _loaded_by(work.pop()):
            if id(inner) not in found:
                found[id(inner)] = inner
                work.append(inner)
    return set(found)


def _loaded_by(code: CodeType) -> List[CodeType]:
    if next(code_in(code.co_consts), None) is None:
        return []
    try:
        operands: Sequence[object] = read(code).operands
    except IndexError:  # malformed, as its own verdict will say: it may load anything
        operands = code.co_consts
    # Most operands are None, or the same few names.
    different = {id(operand): operand for operand in operands}
    return [inner for operand in different.values() for inner in code_in(operand)]
