"""Undoes the copying of what follows a conditional expression when a function ends soon after.

`raise E(a if c else b)` is compiled as two branches, each with a copy of the call and the raise.
The copies carry the same lines and use values from before the branch: they become one block
again, where the branches meet with one value each.
"""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple

from depyf.decompile.decode.ops import KEEPS, Op, stack_effect
from depyf.decompile.flow.graph import BRANCH, EXIT, JUMP, KEEP, Block, Graph
from depyf.decompile.structure.chains import chain_start
from depyf.decompile.structure.continues import mark_continues, together
from depyf.decompile.structure.copies import split
from depyf.decompile.structure.jumps import bypass
from depyf.decompile.structure.returns import Key, alike, same_lines, shape_of, where_written
from depyf.decompile.structure.unfold import unfold

# Values that are only a part of an expression: no branch ends with them.
_HALVES = frozenset(
    (
        "FORMAT",
        "CONVERT",
        "PUSH_NULL",
        "LOAD_METHOD",
        "BUILD_INTERPOLATION",
        "GET_ITER",
        "GET_AITER",
    )
)


# What the compiler itself computes where all operands are constants.
_FOLDED = frozenset(("BINARY", "SUBSCR", "UNARY", "BUILD_TUPLE"))
_SIMPLE_STORES = frozenset(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))


class _Copy(NamedTuple):
    """A block that may end in a copy, and where that may start.

    Either something stands there that takes values which the block has not made. Or the block has
    made the value itself (`whole`): then the place where others arrive tells, or another such
    block that goes on in the same lines, as only the arms of `x.y = a if c else b` do. A return
    or raise alone may be joined where another one like it ends what `and` or `or` has kept.
    Of the places some are `late`: there the block has finished more than one value.
    """

    block: Block
    places: List[int]
    whole: bool
    may_join: bool
    late: FrozenSet[int]

    def common(self, other: _Copy) -> int:
        """The length of the shortest end that both have in common, 0 for none.

        A late place is only taken where there is no other.
        """
        lengths = [len(other.block.ops) - place for place in reversed(other.places)]
        found = [length for length in lengths if self.ends_like(other, length)]
        early = [length for length in found if not (self.is_late(length) or other.is_late(length))]
        return next(iter(early or found), 0)

    def is_late(self, length: int) -> bool:
        return len(self.block.ops) - length in self.late

    def ends_like(self, other: _Copy, length: int) -> bool:
        mine, theirs = (len(each.block.ops) - length for each in (self, other))
        if mine not in self.places or theirs not in other.places:
            return False
        if mine in self.late and theirs in other.late:
            # Both have gone on behind the place where they meet.
            return False
        may_join = length == 1 and self.may_join and other.may_join
        if length == 1 and self.whole | other.whole and not may_join:
            return False
        if mine == theirs == 0 and not may_join:
            return _is_one_use(self.block, other.block)
        if self.whole and other.whole:
            if mine < self.places[-1] or theirs < other.places[-1]:
                # There the value is not finished yet.
                return False
            if same_lines(self.block.ops[:mine], other.block.ops[:theirs]):
                # All of the statement is a copy.
                return False
        elif (self.whole and theirs) or (other.whole and mine):
            return False
        return same_lines(self.block.ops[mine:], other.block.ops[theirs:])


def _is_one_use(first: Block, second: Block) -> bool:
    """`f(a or b if c else d or e)`: what both use besides the chosen value was there before."""
    if not same_lines(first.ops, second.ops) or _taken(first.ops) < 2:
        return False
    return not _choices(first).isdisjoint(_choices(second))


def _taken(ops: List[Op]) -> int:
    """How many values that lie on the stack are used."""
    made = taken = 0
    for op in ops:
        pops, pushes = stack_effect(op)
        taken = max(taken, pops - made)
        made += pushes - pops
    return taken


def _choices(end: Block) -> Set[Block]:
    """The tests behind which everything up to `end` has computed one value, and no more."""
    found: Set[Block] = set()
    work = [(end, 1)]
    seen = {end}
    while work:
        block, made = work.pop()
        for pred in block.preds:
            if pred in seen or pred.kind not in (BRANCH, JUMP, KEEP):
                continue
            seen.add(pred)
            if pred.kind == BRANCH and not made:
                found.add(pred)
            is_popped = pred.kind == BRANCH or (pred.kind == KEEP and pred.succs[1] is block)
            before = made + is_popped - sum(map(_growth, pred.ops))
            if before >= 0:
                work.append((pred, before))
    return found


def _growth(op: Op) -> int:
    pops, pushes = stack_effect(op)
    return pushes - pops


def _ends_chain(ops: List[Op]) -> bool:
    """A chained comparison ends: it takes what stayed on the stack for it and leaves one value."""
    if ops[0].name == "COMPARE":
        return True
    return [(op.name, op.arg) for op in ops[:2]] == [("SWAP", 2), ("POP_TOP", None)]


def share_tails(graph: Graph, ends: List[Block]) -> bool:
    """Join the ends of blocks that leave the function in the middle of one expression."""
    if graph.program.code.version < (3, 10):
        _restore_lines(ends)
    similar = alike(ends, _last_place)
    if not similar:
        return False
    kept = {block.ops[0].line for block in ends if len(block.ops) == 1 and _ends_kept(block)}
    shared = False
    for blocks in similar:
        if graph.program.code.version >= (3, 14):
            unfold(blocks)
        may_join = blocks[0].ops[-1].line in kept
        for statement in _statements(blocks) if may_join and blocks[0].context else [blocks]:
            shared = _share_in_statement(statement, may_join, graph.program.code.version) or shared
    return shared


def _statements(blocks: List[Block]) -> List[List[Block]]:
    """Ends apart that return values from different lines.

    In a `try` or `with` every return has the line of that statement, and only the values tell.
    """
    found: List[Tuple[Set[Optional[int]], List[Block]]] = []
    for block in blocks:
        lines = _lines_of_value(block)
        for known, members in found:
            if known & lines:
                known |= lines
                members.append(block)
                break
        else:
            found.append((lines, [block]))
    return [members for _lines, members in found]


def _lines_of_value(block: Block) -> Set[Optional[int]]:
    """The lines of what is returned; a loop that is left takes its iterator away above it."""
    if len(block.ops) == 1:
        # What tests the value of `(a and b)` alone has no instruction of its own.
        ways = list(dict.fromkeys(block.preds))
        for way in ways:
            if not way.ops:
                ways += [pred for pred in way.preds if pred not in ways]
        return {way.ops[-1].line for way in ways if way.ops}
    values = [op for op in block.ops[:-1] if op.name not in ("SWAP", "ROT", "POP_ITER")]
    return {op.line for op in values[-1:]}


def _share_in_statement(blocks: List[Block], may_join: bool, version: Tuple[int, int]) -> bool:
    """Join the ends of what may be one statement; tells whether there was more than one."""
    if not may_join:
        blocks = [block for block in blocks if not _is_one_value(block.ops)]
    elif version < (3, 10):
        blocks = [block for block in blocks if not _ends_function(block)]
    blocks = _share_last_links(blocks)
    copies = [copy for copy in [_copy(block, may_join) for block in blocks] if copy.places]
    is_shared = len(copies) > 1
    while len(copies) > 1:
        copies = _share(copies)
    return is_shared


def _is_one_value(ops: List[Op]) -> bool:
    """`return None` and the like, of which no part is a copy unless all of it is."""
    return len(ops) == 2 and stack_effect(ops[0]) == (0, 1)


def _share_last_links(blocks: List[Block]) -> List[Block]:
    """Join the copies of a chain's last comparison: `a < b < (c if d else e)` has two.

    The way on which the chain fails joins them only behind it. Returns the blocks that end so.
    """
    rest: List[Block] = []
    linked: List[Block] = []
    for block in blocks:
        place = _last_link(block)
        tail = [] if place is None else block.ops[place:]
        twin = next(
            (each for each in linked if tail and same_lines(each.ops[-len(tail) :], tail)), None
        )
        if twin is not None:
            linked.remove(twin)
            shared = _tail_of(block, len(tail))
            bypass(_tail_of(twin, len(tail)), shared)
            block = shared
        (linked if tail else rest).append(block)
    return rest + linked


def _last_link(block: Block) -> Optional[int]:
    """Where a block compares one value, chosen among others, with one that it has not made.

    The value may be another chain, `a < b < (c < d < e)`, that fails here or ends here.
    """
    fails = block.ops[0].name == "SWAP" and _ends_chain(block.ops)
    start = made = 0
    if fails:
        start, made = 2, 1
    in_chain = not fails and any(map(chain_start, block.preds))
    for place, op in enumerate(block.ops[start:], start):
        pops, pushes = stack_effect(op)
        if pops <= made:
            made += pushes - pops
        elif op.name == "COMPARE" and in_chain:
            made, in_chain = 1, False
        else:
            return place if op.name == "COMPARE" else None
    return None


def join_straight_ends(graph: Graph, ends: List[Block]) -> bool:
    """Let what leads nowhere but to an end be a part of it.

    A `return` is not covered by the handlers around it, and so stands in a block of its own. One
    that a `break` leads to stands behind the loop.
    """
    if not graph.program.handler_pushes:
        return False
    joined = False
    for end in ends:
        pred = end.preds[0] if len(end.preds) == 1 else end
        if pred.kind != JUMP or not pred.ops or pred.context != end.context:
            continue
        if pred.ops[-1].name != "POP_ITER":
            pred.ops += end.ops
            pred.kind = EXIT
            pred.set_succs([])
            joined = True
    return joined


def _restore_lines(ends: List[Block]) -> None:
    """Give copies of a `return`, made of jumps to it before 3.10, the line that it begins in.

    What the statement consists of stands on later lines, and so do the tests inside it.
    """
    for kept in ends:
        line = kept.ops[0].line if len(kept.ops) == 1 and _ends_kept(kept) else None
        if line is None:
            continue
        for block in ends:
            last = block.ops[-1] if block.ops else None
            if last is not None and last.name == "RETURN" and _is_within(block, line, kept):
                last.line = line


def _is_within(block: Block, line: int, end: Block) -> bool:
    tests = [pred.ops[-1].line for pred in block.preds if pred.kind == BRANCH and pred.ops]
    return (
        block.index < end.index
        and len(tests) == len(block.preds)
        and all(test is not None and test > line for test in tests)
    )


def _last_place(block: Block) -> Optional[Key]:
    if not block.ops:
        return None
    last = block.ops[-1]
    return block.context, block.handler, last.name, last.line


def _ends_kept(block: Block) -> bool:
    return any(pred.kind == KEEP for pred in block.preds)


def _ends_function(block: Block) -> bool:
    """Whether it is the implicit return, which before 3.10 has the line of the last statement.

    `return a or b if c else None` has the test on the same line, an `if` around it another.
    """
    if [(op.name, op.arg) for op in block.ops] != [("LOAD_CONST", None), ("RETURN", None)]:
        return False
    return any(pred.ops and pred.ops[-1].line != block.ops[-1].line for pred in block.preds)


def _copy(block: Block, may_join: bool) -> _Copy:
    """Where the block has computed one value, and whether it takes others that it has not made."""
    takes = finished = False
    # For each value that the block has made so far: whether a compiler knows it.
    made: List[bool] = []
    places: List[int] = []
    late: List[int] = []
    for place, op in enumerate(block.ops):
        pops, pushes = stack_effect(op)
        if pops > len(made):
            # The value may be finished only now: `f(int(a or 0) if b else None)`. Where ways meet,
            # more may come before that, and not at once: `f([a or 0, c] if b else None)`,
            # `f([int(a or 0), c] if b else None)`.
            may_finish = place == 0 or _meet_with_values(block)
            finishes = may_finish and len(block.ops) > 2
            takes = True
            if not finishes and not _ends_chain(block.ops[place : place + 2]):
                break
        used = made[max(0, len(made) - pops) :]
        is_folded = op.name in _FOLDED and len(used) == pops and all(used)
        made[len(made) - len(used) :] = [is_folded or op.name == "LOAD_CONST"] * pushes
        if not made or (takes and op.name in _SIMPLE_STORES):
            break
        # What would have been folded has one operand from before: `(a if b else "") + "c"`.
        if len(made) == 1 and op.name not in _HALVES and not is_folded:
            (late if finished else places).append(place + 1)
            finished = takes
    if takes:
        places.insert(0, 0)
    return _Copy(block, places + late, not takes, may_join, frozenset(late))


def _meet_with_values(block: Block) -> bool:
    """Whether several ways meet here, and bring values with them: tests alone bring none."""
    return len(block.preds) > 1 and not all(map(_is_only_test, block.preds))


def _is_only_test(block: Block) -> bool:
    """A test, or the jump that stands behind one that was turned round."""
    if block.kind == JUMP and not block.ops:
        return all(pred.kind == BRANCH for pred in block.preds)
    return block.kind == BRANCH


def _share(copies: List[_Copy]) -> List[_Copy]:
    """Join the last of `copies` with those that end like it; returns what is left."""
    last = copies[-1]
    length = next((n for n in map(last.common, copies[-2::-1]) if n), 0)
    if not length:
        return copies[:-1]
    twins = [copy for copy in copies[:-1] if last.ends_like(copy, length)]
    rest = [copy for copy in copies[:-1] if not last.ends_like(copy, length)]
    shared = _tail_of(last.block, length)
    for twin in twins:
        tail = _tail_of(twin.block, length)
        for pred in list(tail.preds):
            pred.redirect(tail, shared)
    return rest


def share_last_statements(graph: Graph, ends: List[Block]) -> bool:
    """Join statements at the end of a function that the compiler has copied, line by line."""
    groups: Dict[Tuple[Any, ...], List[Block]] = {}
    for block in ends:
        if len(block.ops) > 2:
            key = (block.context, tuple((op.name, op.line) for op in block.ops[-3:]))
            groups.setdefault(key, []).append(block)
    shared = False
    for blocks in groups.values():
        length = _common_statements(blocks) if len(blocks) > 1 else 0
        if length:
            shared = True
            *copies, kept = sorted(blocks, key=where_written)
            tail = _tail_of(kept, length)
            for block in copies:
                bypass(_tail_of(block, length), tail)
    return shared


def _common_statements(blocks: List[Block]) -> int:
    """The length of the longest end that all blocks share and that needs nothing on the stack."""
    longest = needed = 0
    ends = zip(*[reversed(block.ops) for block in blocks])
    for length, (op, *others) in enumerate(ends, 1):
        shape = shape_of(op)
        if (op.line is None and length > 1) or any(shape_of(each) != shape for each in others):
            break
        if op.name == "RERAISE":
            # What it raises again lies below the statements of a `finally` body.
            continue
        pops, pushes = stack_effect(op)
        needed = max(0, needed - pushes) + pops
        if not needed and length > 2:
            longest = length
    return longest


def _tail_of(block: Block, length: int) -> Block:
    return block if len(block.ops) == length else split(block, len(block.ops) - length)


def share_kept_values(graph: Graph) -> bool:
    """What `and` or `or` keeps is used in copies where a way soon ends: each way has its own.

    So it is with the value of a conditional expression, and with `a and b()` at the end of a
    loop's round, where every way drops the value and jumps by itself. Tells whether something was
    shared.
    """
    shared = False
    if graph.program.kinds.isdisjoint(KEEPS):
        return shared
    for block in graph.blocks():
        user = block.succs[0] if block.kind == KEEP else block
        length = 0 if user is block or user.kind != JUMP else _length_of_use(user.ops)
        if not length:
            continue
        others = [other for other in dict.fromkeys(user.succs[0].preds) if other is not user]
        for other in others:
            if other.kind != JUMP or other.context != user.context:
                continue
            mine, theirs = user.ops[-length:], other.ops[-length:]
            if same_lines(theirs, mine) or _drop_alike(theirs, mine, block):
                user = _tail_of(user, length)
                bypass(_tail_of(other, length), user)
                shared = True
    return shared


def _drop_alike(theirs: List[Op], mine: List[Op], test: Block) -> bool:
    """Since 3.13 the end of a statement has no line where its ways meet."""
    if [op.name for op in theirs] != ["POP_TOP"] or [op.name for op in mine] != ["POP_TOP"]:
        return False
    return mine[0].line is None and bool(test.ops) and theirs[0].line == test.ops[-1].line


def _length_of_use(ops: List[Op]) -> int:
    """How many of the last operations use one value that lies on the stack, and go on from there.

    Behind it stand the statements that follow, if those are copied as well.
    """
    if [op.name for op in ops] == ["SWAP", "POP_TOP", "POP_TOP"]:
        # What is left of a chained comparison that failed.
        return 1
    return len(ops) if ops and (ops[0].name == "POP_TOP" or ops[0].name in _SIMPLE_STORES) else 0


def share_handler_ends(graph: Graph, blocks: List[Block]) -> List[Block]:
    """Let all ways out of one handler that go on in the same place leave it in one block.

    Handlers inside handlers come after those around them: only then do their ways lead to one.
    Takes and returns all blocks of the graph.
    """
    if "POP_EXCEPT" in graph.program.kinds:
        if graph.has_loops:
            mark_continues(blocks, graph.program)
        while _share_handler_ends(blocks):
            blocks = graph.blocks()
    return blocks


def _share_handler_ends(blocks: List[Block]) -> bool:
    groups: Dict[Tuple[Any, ...], List[Block]] = {}
    for block in blocks:
        if block.kind == JUMP and block.ops and block.ops[-1].name == "POP_EXCEPT":
            groups.setdefault((block.context, block.succs[0]), []).append(block)
    several = [group for group in groups.values() if len(group) > 1]
    for group in several:
        # The last one stands where the handler's text ends.
        continues = together(group)
        shared = _end_of_handler(group[-1])
        shared.continues = continues
        for block in group[:-1]:
            bypass(_end_of_handler(block), shared)
    return bool(several)


def _end_of_handler(block: Block) -> Block:
    if len(block.ops) == 1:
        return block
    return split(block, len(block.ops) - 1)
