"""Compares a `finally` body in its handler with a copy of it on a way out, on the graph.

Both are walked in lockstep. Where the handler raises again, the copy goes on with what the way
out leads to. Operations that only clear the stack of what lies below the body are passed over:
the handler has an exception there, a copy may have a value to return.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op, Program, comparable, stack_effect
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, JUMP, KEEP, LEAVING_QUIETLY, Block
from depyf.errors import DepyfError


class Mismatch(DepyfError):
    """The two are no copies of each other."""


class Irregular(DepyfError):
    """Handlers that no `try` or `with` statement of the compiler's makes."""


class Cursor:
    """A place in a block: before its operation number `place`, or at its end."""

    __slots__ = ("block", "place")

    def __init__(self, block: Block, place: int) -> None:
        self.block = block
        self.place = place

    def op(self) -> Optional[Op]:
        return self.block.ops[self.place] if self.place < len(self.block.ops) else None

    def next(self) -> Cursor:
        return Cursor(self.block, self.place + 1)

    def settled(self) -> Cursor:
        """The same place, but not at the end of a block that only goes on."""
        block, place = self.block, self.place
        while block.rest is not None and place >= len(block.ops):
            place -= len(block.ops)
            block = block.rest
        for _step in range(1000):
            if place < len(block.ops) or block.kind != JUMP:
                break
            block, place = block.succs[0], 0
        return Cursor(block, place)

    def key(self) -> Tuple[Block, int]:
        return self.block, self.place

    def block_start(self) -> Block:
        """The block that starts here; the one around is split if need be."""
        block, place = self.block, self.place
        while block.rest is not None and place >= len(block.ops):
            place -= len(block.ops)
            block = block.rest
        if place == 0:
            return block
        if place == len(block.ops) and block.kind == JUMP:
            follow = block.succs[0]
            # Another region's end, or its start, may be all that the block there is for.
            if follow.handler is block.handler:
                return follow
        return split(block, place)

    def same_code(self, other: Cursor, blocks: int = 4) -> bool:
        """Whether both places do the same and then end or go the same way.

        The ways may come together only after a few `blocks`.
        """
        mine, theirs = self.settled(), other.settled()
        first, second = mine.block.ops[mine.place :], theirs.block.ops[theirs.place :]
        if mine.block.kind != theirs.block.kind or len(first) != len(second):
            return False
        if [(op.name, op.arg) for op in first] != [(op.name, op.arg) for op in second]:
            return False
        if mine.block.succs == theirs.block.succs:
            return True
        if mine.block.kind != JUMP or not blocks:
            return False
        behind = Cursor(mine.block.succs[0], 0), Cursor(theirs.block.succs[0], 0)
        return behind[0].same_code(behind[1], blocks - 1)


def _nesting_behind(block: Block, place: int) -> Optional[int]:
    """In how many loops the second half of a block stands."""
    if block.nesting is None:
        return None
    names = [op.name for op in block.ops[:place]]
    popped = names.count("POP_ITER")
    if popped and all(op.name in LEAVING_QUIETLY for op in block.ops[place:]):
        # `return 1` throws the iterators away before it loads its value, wherever it stands.
        return None
    return block.nesting - popped + names.count("PLACEHOLDER")


def split(block: Block, place: int) -> Block:
    """Cut `block` before operation number `place`; returns the second half."""
    rest = Block(block.index, block.ops[place:], block.kind, block.handler)
    rest.keeps_true, rest.is_async = block.keeps_true, block.is_async
    rest.in_group, rest.jumps = block.in_group, block.jumps
    rest.context = block.context
    rest.nesting = _nesting_behind(block, place)
    if rest.ops:
        rest.index = block.index + place
    del block.ops[place:]
    succs = block.succs
    block.set_succs([rest])
    block.kind = JUMP
    rest.set_succs(list(succs))
    block.pure = None
    rest.rest, block.rest = block.rest, rest
    return rest


_CANNOT_RAISE = frozenset(
    (
        "LOAD_CONST",
        "POP_TOP",
        "POP_ITER",
        "STORE_FAST",
        "COPY",
        "SWAP",
        "ROT",
        "RETURN",
        "PUSH_NULL",
        "POP_EXCEPT",
    )
)


# How the stack changes on the way to each successor, behind the block's operations.
_DEPTH_CHANGES = {BRANCH: (-1, -1), KEEP: (0, -1), FOR: (0, -2)}


class _Walk:
    def __init__(self, handler: Block, copy: Block) -> None:
        # The body's own operations are protected by what is around the whole statement.
        self.outside = handler.handler
        self.ends: List[Cursor] = []
        self.seen: Set[Tuple[Block, int, Block, int]] = set()
        start = 1 if handler.ops and handler.ops[0].name == "PUSH_EXC_INFO" else 0
        self.base = handler.depth + start
        self.work: List[Tuple[Cursor, int, Cursor, int]] = [
            (Cursor(handler, start), 0, Cursor(copy, 0), 0)
        ]

    def run(self) -> None:
        while self.work:
            self.follow(*self.work.pop())

    def follow(self, one: Cursor, one_depth: int, two: Cursor, two_depth: int) -> None:
        while True:
            one, one_depth = _skip_unwinding(one, one_depth)
            op = one.op()
            if op is not None and op.name == "RERAISE" and one_depth <= 0:
                self.ends.append(two)
                return
            two, two_depth = _skip_unwinding(two, two_depth)
            key = (*one.key(), *two.key())
            if key in self.seen or one.key() == two.key():
                return
            self.seen.add(key)
            other = two.op()
            if op is None or other is None:
                if op is not None or other is not None:
                    raise Mismatch("one is longer")
                self.branch(one, one_depth, two, two_depth)
                return
            if op.name != other.name or not _same_argument(op, other):
                raise Mismatch(f"{op.name} against {other.name}")
            self.handlers(op, one.block.handler, two.block.handler)
            pops, pushes = stack_effect(op)
            one_depth += pushes - pops
            two_depth += pushes - pops
            one, two = one.next(), two.next()
            if one.place == len(one.block.ops) and one.block.kind == EXIT:
                return

    def branch(self, one: Cursor, one_depth: int, two: Cursor, two_depth: int) -> None:
        first, second = one.block, two.block
        if first.kind != second.kind or first.keeps_true != second.keeps_true:
            raise Mismatch("one branches where the other does not")
        changes = _DEPTH_CHANGES.get(first.kind, (0,))
        for this, that, change in zip(first.succs, second.succs, changes):
            self.work.append(
                (Cursor(this, 0), one_depth + change, Cursor(that, 0), two_depth + change)
            )

    def handlers(self, op: Op, one: Optional[Block], two: Optional[Block]) -> None:
        if op.name in _CANNOT_RAISE:
            return
        plain = (one is self.outside, two is self.outside)
        if plain == (True, True) or one is two:
            return
        if True in plain or one is None or two is None:
            raise Mismatch("their handlers differ")
        depth = one.depth - self.base
        self.work.append((Cursor(one, 0), depth, Cursor(two, 0), depth))


def _skip_unwinding(cursor: Cursor, depth: int) -> Tuple[Cursor, int]:
    """Pass over what only clears the stack below the body."""
    # How many values from below a shuffle has brought above the one that the body returns.
    raised = 0
    while True:
        cursor = cursor.settled()
        op = cursor.op()
        if op is None:
            return cursor, depth
        below = op.name in ("POP_EXCEPT", "POP_TOP", "POP_ITER") and (depth <= 0 or raised > 0)
        shuffle = op.name in ("SWAP", "ROT") and op.arg > depth
        if shuffle:
            raised = op.arg - depth if op.name == "ROT" else 1
        elif below:
            raised -= 1
        if not (below or shuffle or op.name == "ENTER"):
            return cursor, depth
        cursor = cursor.next()


def _same_argument(one: Op, two: Op) -> bool:
    if isinstance(one.arg, Program) and isinstance(two.arg, Program):
        return _same_program(one.arg, two.arg)
    return one.arg is two.arg or comparable(one.arg) == comparable(two.arg)


def _same_program(one: Program, two: Program) -> bool:
    """Two copies of an inlined comprehension."""
    return len(one.ops) == len(two.ops) and all(
        first.name == second.name
        and first.target == second.target
        and _same_argument(first, second)
        for first, second in zip(one.ops, two.ops)
    )


class Match:
    """A copy: where it goes on."""

    __slots__ = ("ends",)

    def __init__(self, ends: List[Cursor]) -> None:
        self.ends = ends


def match_copy(handler: Block, copy: Block) -> Match:
    """Compare `copy` with the body of `handler`, or raise `Mismatch`."""
    walk = _Walk(handler, copy)
    walk.run()
    ends: Dict[Tuple[Block, int], Cursor] = {end.key(): end for end in walk.ends}
    return Match(list(ends.values()))
