"""Of 3.8 alone: which END_FINALLY never goes on to what follows it.

The instruction does one of three things, by what it finds on the stack: raise the exception again
that a handler was entered with, return to the CALL_FINALLY it was called from, or go on. At the
end of `except` clauses only the first is possible, and what stands behind it may be anything. All
ways are walked with what END_FINALLY would find; where that is not understood, nothing is said.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Set, Tuple

from .instructions import NOWHERE, Instructions
from .opcode_kinds import FAMILY_NAMES, VERSION, families_named

# What lies on the stack for each END_FINALLY to come, the next one last.
_RAISED, _NOTHING, _CALLED = "raised", "nothing", "called"
Pending = Tuple[str, ...]

_END = families_named("END_FINALLY") if VERSION < (3, 9) else frozenset()
_ELSEWHERE = "that raises or returns"
_STATES_PER_BYTE = 8


def cut_dead_ends(instructions: Instructions) -> None:
    """Let no way lead on from an END_FINALLY that always leads elsewhere."""
    if not _END or _END.isdisjoint(instructions.families):
        return
    for offset, found in (_found_at_ends(instructions) or {}).items():
        if _NOTHING not in found:
            instructions.follow[offset] = NOWHERE
            instructions.operands[offset] = _ELSEWHERE


def _found_at_ends(instructions: Instructions) -> Optional[Dict[int, Set[str]]]:
    """What each END_FINALLY may find; None if the ways are not as compilers make them."""
    found: Dict[int, Set[str]] = {}
    seen: Set[Tuple[int, Pending]] = set()
    work: List[Tuple[int, Pending]] = [(instructions.start, ())]
    limit = _STATES_PER_BYTE * len(instructions.families)
    while work:
        state = work.pop()
        if state in seen or state[0] == NOWHERE:
            continue
        seen.add(state)
        offset, pending = state
        family = instructions.families[offset]
        follow, target = instructions.follow[offset], instructions.target[offset]
        name = FAMILY_NAMES[family] if family >= 0 else ""
        if len(seen) > limit or (name in _NEEDS_ONE and not pending):
            return None
        if family in _END:
            found.setdefault(offset, set()).add(pending[-1])
        rule = _RULES.get(name, _goes_on)
        work.extend(rule(pending, follow, target))
    return found


Ways = List[Tuple[int, Pending]]


def _goes_on(pending: Pending, follow: int, target: int) -> Ways:
    return [(follow, pending), (target, pending)]


def _sets_up(pending: Pending, follow: int, target: int) -> Ways:
    return [(follow, pending), (target, (*pending, _RAISED))]


def _begins(pending: Pending, follow: int, target: int) -> Ways:
    return [(follow, (*pending, _NOTHING))]


def _calls(pending: Pending, follow: int, target: int) -> Ways:
    return [(follow, pending), (target, (*pending, _CALLED))]


def _pops(pending: Pending, follow: int, target: int) -> Ways:
    return [(follow, pending[:-1])]


def _ends(pending: Pending, follow: int, target: int) -> Ways:
    return [(follow, pending[:-1])] if pending[-1] == _NOTHING else []


def _may_swallow(pending: Pending, follow: int, target: int) -> Ways:
    """What `__exit__` returns decides whether the exception is gone."""
    return [(follow, pending), (follow, (*pending[:-1], _NOTHING))]


_RULES: Dict[str, Callable[[Pending, int, int], Ways]] = {
    "SETUP_FINALLY": _sets_up,
    "SETUP_WITH": _sets_up,
    "SETUP_ASYNC_WITH": _sets_up,
    "BEGIN_FINALLY": _begins,
    "CALL_FINALLY": _calls,
    "POP_FINALLY": _pops,
    "POP_EXCEPT": _pops,
    "END_ASYNC_FOR": _pops,
    "END_FINALLY": _ends,
    "WITH_CLEANUP_FINISH": _may_swallow,
}
_NEEDS_ONE = frozenset(
    "POP_FINALLY POP_EXCEPT END_ASYNC_FOR END_FINALLY WITH_CLEANUP_FINISH".split()
)
