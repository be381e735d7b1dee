"""Follows the guard of a `case` from its start to the body and to the next case.

A guard is any expression, with any branches, that leaves the subject below it alone: so it ends
where the subject is popped, which is the body, or looked at again, which is the next case.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import stack_effect
from depyf.decompile.flow.graph import BRANCH, JUMP, KEEP, Block
from depyf.decompile.structure.copies import Cursor
from depyf.decompile.structure.pattern_text import Refused

Key = Tuple[Block, int]


class Guard:
    """What can be reached from the start of a guard before the subject is touched again."""

    def __init__(self, start: Cursor) -> None:
        self.start = start
        self.places: Dict[Key, Cursor] = {}
        self.edges: Dict[Key, List[Key]] = {}
        self.bodies: List[Key] = []
        self.failures: List[Key] = []
        self.depths = depths = {start.key(): 0}
        work = [start]
        while work:
            cursor = work.pop()
            key = cursor.key()
            self.places[key] = cursor
            for succ, depth in self.visit(cursor, depths[key]):
                target = Cursor(succ, 0).settled()
                self.edges[key].append(target.key())
                if target.key() not in depths:
                    work.append(target)
                if depths.setdefault(target.key(), depth) != depth:
                    raise Refused("stacks of different depth meet")

    def visit(self, cursor: Cursor, depth: int) -> List[Tuple[Block, int]]:
        """Note what a place is; returns where control goes on within the guard."""
        self.edges[cursor.key()] = []
        place = _before_subject(cursor, depth)
        if place is None:
            return _leaving(cursor, depth)
        if place is self.start:
            raise Refused("the subject is used")
        if place is not cursor:
            # A short ending was copied to where a chained comparison drops its value.
            self.edges[cursor.key()].append(place.key())
            self.places[place.key()] = place
            self.depths[place.key()] = 0
        op = place.op()
        drops = op is not None and op.name == "POP_TOP"
        (self.bodies if drops else self.failures).append(place.key())
        return []

    def ends(self) -> Tuple[List[Cursor], List[Cursor]]:
        """(the places behind the guard, the places where the next case starts)"""
        if not self.bodies:
            raise Refused("no guard")
        failures = self.failures
        first = self.places[min(self.bodies, key=lambda key: key[0].index)]
        bodies = [key for key in self.bodies if is_copy(first, self.places[key])]
        if len(self.bodies) > len(bodies):
            # `case _ if other` follows, which does not touch the subject either.
            before = self.leading_to(bodies)
            failures = self.beside(before, bodies)
        if not failures:
            raise Refused("a guard that cannot fail")
        return [self.places[key] for key in bodies], [self.places[key] for key in failures]

    def beside(self, before: Set[Key], bodies: List[Key]) -> List[Key]:
        """Where the places of a guard lead but to its body, with no value of theirs left."""
        found: List[Key] = []
        work = [target for key in before for target in self.edges[key]]
        while work:
            key = work.pop()
            if key in before or key in bodies or key in found:
                continue
            if self.depths[key]:
                work.extend(self.edges[key])
            else:
                found.append(key)
        return found

    def leading_to(self, bodies: List[Key]) -> Set[Key]:
        found: Set[Key] = set()
        grows = True
        while grows:
            more = {
                key
                for key, targets in self.edges.items()
                if any(target in bodies or target in found for target in targets)
            }
            grows = len(more) > len(found)
            found = more
        return found


def _before_subject(cursor: Cursor, depth: int) -> Optional[Cursor]:
    """Where the value below `depth` others is on top, if the rest of the block takes it."""
    found = None if depth else cursor
    for place in range(cursor.place, len(cursor.block.ops)):
        op = cursor.block.ops[place]
        pops, pushes = stack_effect(op)
        if pops > depth:
            break
        depth += pushes - pops
        if depth == 0 and found is None:
            found = Cursor(cursor.block, place + 1)
    else:
        if depth >= (cursor.block.kind in (BRANCH, KEEP)):
            return None
    if found is None:
        raise Refused("the subject is used")
    return found


def _leaving(cursor: Cursor, depth: int) -> List[Tuple[Block, int]]:
    for op in cursor.block.ops[cursor.place :]:
        pops, pushes = stack_effect(op)
        depth += pushes - pops
    block = cursor.block
    if block.kind == KEEP:
        return [(block.succs[0], depth), (block.succs[1], depth - 1)]
    if block.kind == BRANCH:
        return [(succ, depth - 1) for succ in block.succs]
    if block.kind == JUMP:
        return [(block.succs[0], depth)]
    raise Refused("no guard")


def is_copy(one: Cursor, two: Cursor) -> bool:
    """Whether the compiler wrote the same statement in both places."""
    if not one.same_code(two):
        return False
    pairs = zip(_lines(one), _lines(two))
    return all(first == second or None in (first, second) for first, second in pairs)


def _lines(cursor: Cursor) -> List[Optional[int]]:
    """The lines of what follows; unknown for a first operation that only leads to the rest."""
    lines = [op.line for op in cursor.block.ops[cursor.place :]]
    if len(lines) > 1 and lines[0] == lines[1]:
        lines[0] = None
    return lines
