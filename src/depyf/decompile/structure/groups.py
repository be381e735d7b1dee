"""Turns the handler of `except*` into the form that a handler of `except` has.

The clauses of `except*` run one after another, each on the exceptions that are left, and what
their bodies raise is collected in a list by handlers of the compiler's own. Here the list, these
handlers and the way from one body to the next test are taken out: a body ends the handler, as it
would under `except`. Only EXC_GROUP_MATCH still tells which of the two it was.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any, Dict, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op, comparable
from depyf.decompile.flow.graph import BRANCH, EXIT, JUMP, Block, Graph, ends_with, prune, reachable
from depyf.decompile.structure.copies import Cursor, split
from depyf.errors import DepyfError

_STORES = frozenset(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))


class NotAGroup(DepyfError):
    """A handler that `except*` does not have."""


def restore_groups(graph: Graph) -> None:
    """Rewrite every handler of `except*` in `graph`."""
    handlers = [handler for handler in graph.handlers if _prologue(handler)]
    if not handlers or any(map(_handles_itself, graph.handlers)):
        return
    collectors = {handler for handler in graph.handlers if _collects(handler)}
    for handler in handlers:
        try:
            group = _Group(graph, handler, collectors)
        except NotAGroup:
            continue
        group.rewrite()
    for block in reachable(graph.entry):
        while block.handler in collectors:
            assert block.handler is not None
            block.handler = block.handler.handler
    prune(graph)
    used = {block.handler for block in graph.blocks() if block.handler is not None}
    graph.handlers = sorted(used, key=lambda block: block.index)


def _prologue(handler: Block) -> int:
    """How many operations make the list of raised exceptions; 0 when there is none."""
    shape = [(op.name, op.arg) for op in handler.ops[:4]]
    if shape[:1] != [("PUSH_EXC_INFO", None)]:
        return 0
    if shape[1:] == [("COPY", 1), ("BUILD_LIST", 0), ("SWAP", 2)]:
        return 4
    if shape[1:3] == [("BUILD_LIST", 0), ("COPY", 2)]:
        return 3
    return 0


def _collects(handler: Block) -> bool:
    """Whether a handler puts what a clause's body raised into the list."""
    ops = handler.ops
    place = 3 if _unbinds(ops, 0) else 0
    return place < len(ops) and ops[place].name == "LIST_APPEND" and ops[place].arg == 3


def _unbinds(ops: List[Op], place: int) -> bool:
    """`e = None; del e`, at the end of a clause that binds its exception."""
    names = [op.name.partition("_")[0] for op in ops[place : place + 3]]
    return names == ["LOAD", "STORE", "DELETE"] and ops[place].name == "LOAD_CONST"


class _Clause:
    """One `except*`: its test ends `test`, `matched` starts its body, `following` what is next."""

    __slots__ = ("test", "matched", "following")

    def __init__(self, test: Block, matched: Block, following: Cursor) -> None:
        self.test = test
        self.matched = matched
        self.following = following


class _Group:
    """Reads one handler; `rewrite` changes the graph."""

    def __init__(self, graph: Graph, handler: Block, collectors: Set[Block]) -> None:
        self.graph = graph
        self.handler = handler
        self.collectors = collectors
        self.clauses: List[_Clause] = []
        start = Cursor(handler, _prologue(handler))
        while True:
            clause = self.read_clause(start)
            self.clauses.append(clause)
            op = clause.following.op()
            if op is not None and op.name == "LIST_APPEND":
                break
            start = clause.following
        self.done = self.read_end(clause.following)

    def read_clause(self, start: Cursor) -> _Clause:
        block = start.settled().block
        # The type may be any expression, also one with branches.
        for candidate in _in_order(block):
            if [op.name for op in candidate.ops[-3:]] == ["EXC_GROUP_MATCH", "COPY", "TEST_NONE"]:
                break
        else:
            raise NotAGroup("no test")
        if candidate.kind != BRANCH:
            raise NotAGroup("no branch")
        unmatched, matched = candidate.succs
        following = Cursor(unmatched, 0).settled()
        op = following.op()
        if op is None or op.name != "POP_TOP":
            raise NotAGroup("nothing is dropped")
        return _Clause(candidate, matched, following.next().settled())

    def read_end(self, cursor: Cursor) -> Block:
        """The block that ends the handler when nothing is left to raise."""
        for name in ("LIST_APPEND", "PREP_RERAISE_STAR", "COPY", "TEST_NONE"):
            cursor = cursor.settled()
            op = cursor.op()
            if op is None or op.name != name:
                raise NotAGroup(name)
            cursor = cursor.next()
        if cursor.op() is not None or cursor.block.kind != BRANCH:
            raise NotAGroup("no branch at the end")
        nothing_left = cursor.block.succs[0]
        if [op.name for op in nothing_left.ops[:2]] != ["POP_TOP", "POP_EXCEPT"]:
            raise NotAGroup("the handler does not end")
        if len(nothing_left.ops) > 2:
            # No clause may return: that is what stands behind the statement.
            split(nothing_left, 2)
        return nothing_left

    def rewrite(self) -> None:
        ends = [self.end_body(clause.matched) for clause in self.clauses]
        if not any(ends):
            self.go_on_behind_raise()
        following: Optional[Block] = None
        for clause in reversed(self.clauses):
            if following is None:
                following = self.reraise(clause.test)
            del clause.test.ops[-2:]
            clause.test.set_succs([clause.matched, following])
            if clause is not self.clauses[0]:
                before = self.clauses[self.clauses.index(clause) - 1]
                following = before.following.block_start()
        del self.handler.ops[1 : _prologue(self.handler)]

    def reraise(self, near: Block) -> Block:
        last = near.ops[-1]
        return Block(near.index, [Op.of("RERAISE", 1, last.offset, last.line)], EXIT, near.handler)

    def end_body(self, matched: Block) -> bool:
        """Let what leaves a clause's body leave the handler; False where nothing leaves it."""
        body = Cursor(matched, 1).settled()
        collector = self.collector(body.block)
        if collector is None:
            # Nothing in the body can raise: what follows the binding is its end.
            del matched.ops[1:]
            matched.kind = JUMP
            matched.set_succs([self.leave(matched)])
            return True
        inside = self.blocks_under(body.block, collector)
        ends = False
        for block in sorted(inside, key=lambda each: each.index):
            for succ in list(dict.fromkeys(block.succs)):
                if succ not in inside:
                    block.redirect(succ, self.leave(block))
                    ends = True
        return ends

    def go_on_behind_raise(self) -> None:
        """What stands behind the statement is reached although every clause raises.

        So one of them goes on there as if it did not; the text is the same.
        """
        body = Cursor(self.clauses[-1].matched, 1).settled().block
        collector = self.collector(body)
        assert collector is not None
        raising = [
            block
            for block in self.blocks_under(body, collector)
            if ends_with(block, "RAISE") and block.handler is collector
        ]
        if raising:
            last = max(raising, key=lambda each: each.index)
            statement = _last_statement(last)
            last = _tail_of(last, len(statement))
            for block in raising:
                # Since 3.13 it may have copies behind a `with` or `try`.
                if block is not last and _last_statement(block) == statement:
                    copy = _tail_of(block, len(statement))
                    for pred in list(dict.fromkeys(copy.preds)):
                        pred.redirect(copy, last)
            last.kind = JUMP
            last.set_succs([self.leave(last)])

    def collector(self, block: Block) -> Optional[Block]:
        """The handler that collects what the body starting here raises; it may start with `try`."""
        handler = block.handler
        while handler is not None and handler not in self.collectors:
            handler = handler.handler
        if handler is None or _lies_under(self.handler, handler):
            return None
        return handler

    def blocks_under(self, start: Block, collector: Block) -> Set[Block]:
        """The blocks of a body, those of its own handlers included."""
        inside = {start}
        work = [start]
        while work:
            block = work.pop()
            reached = list(block.succs)
            if block.handler is not None and block.handler is not collector:
                reached.append(block.handler)
            for succ in reached:
                if succ not in inside and _lies_under(succ, collector):
                    inside.add(succ)
                    work.append(succ)
        return inside

    def leave(self, near: Block) -> Block:
        """A copy of the handler's end."""
        block = Block(near.index, self.done.ops[1:], self.done.kind, self.done.handler)
        block.set_succs(list(self.done.succs))
        self.graph.group_ends.add(block)
        return block


def _last_statement(block: Block) -> List[Tuple[Any, ...]]:
    """What its copies have in common: the operations that share the last one's line."""
    line = block.ops[-1].line
    behind = takewhile(lambda op: op.line == line, reversed(block.ops))
    return [(op.name, comparable(op.arg), op.line) for op in behind]


def _tail_of(block: Block, length: int) -> Block:
    if len(block.ops) == length:
        return block
    tail = split(block, len(block.ops) - length)
    # It may be left out, and is no second half then.
    block.rest = None
    return tail


def _handles_itself(handler: Block) -> bool:
    """Whether handlers stand around each other in a circle, as no compiler lets them."""
    seen: Set[Block] = set()
    around: Optional[Block] = handler
    while around is not None and around not in seen:
        seen.add(around)
        around = around.handler
    return around is not None


def _lies_under(block: Block, handler: Block) -> bool:
    seen: Optional[Block] = block.handler
    while seen is not None:
        if seen is handler:
            return True
        seen = seen.handler
    return False


def _in_order(start: Block) -> List[Block]:
    """Blocks from `start` on, nearest first, without handlers."""
    order: Dict[Block, None] = {start: None}
    work = [start]
    for block in work:
        if len(order) > 200:
            break
        for succ in block.succs:
            if succ not in order:
                order[succ] = None
                work.append(succ)
    return list(order)
