"""Nested control structures with blocks as leaves, and what can be said about how they end."""

from __future__ import annotations

from typing import Collection, List, Optional, Tuple, Union

from depyf.decompile.flow.graph import EXIT, JUMP, Block
from depyf.decompile.structure.regions import Part, Region
from depyf.decompile.structure.returns import falls_off_end
from depyf.errors import DepyfError


class Unstructured(DepyfError):
    """Control flow for which this method has no statement."""


class Unreached(Unstructured):
    """No statement leads from somewhere to this block."""

    def __init__(self, block: Block) -> None:
        super().__init__(f"no statement leads to the block at {block.index}")
        self.block = block


class Jump:
    """`break` or `continue`."""

    __slots__ = ("word",)

    def __init__(self, word: str) -> None:
        self.word = word


BREAK, CONTINUE = Jump("break"), Jump("continue")


class IfTree:
    """`clauses` are (block, negated, body). The first block stands before the tree already."""

    __slots__ = ("clauses", "orelse")

    def __init__(self, clauses: List[Tuple[Block, bool, Tree]], orelse: Tree) -> None:
        self.clauses = clauses
        self.orelse = orelse


class LoopTree:
    """`while True` without `test`, `while` with a block as test, `for` with a FOR block."""

    __slots__ = ("kind", "header", "negated", "body", "orelse")

    def __init__(self, kind: str, header: Block, negated: bool, body: Tree, orelse: Tree) -> None:
        self.kind = kind
        self.header = header
        self.negated = negated
        self.body = body
        self.orelse = orelse


class TryTree:
    __slots__ = ("region", "body", "handler", "orelse")

    def __init__(self, region: Region, body: Tree, handler: Tree, orelse: Tree) -> None:
        self.region = region
        self.body = body
        self.handler = handler
        self.orelse = orelse


Node = Union[Block, Jump, IfTree, LoopTree, TryTree]
Tree = List[Node]


class Labels:
    """Where `continue` and `break` lead, if there is a loop."""

    __slots__ = ("again", "out")

    def __init__(self, again: Optional[Block], out: Optional[Block]) -> None:
        self.again = again
        self.out = out


NO_LOOP = Labels(None, None)


def drop_last_continue(tree: Tree) -> None:
    if tree and tree[-1] is CONTINUE:
        tree.pop()


def says_continue(tree: Tree) -> bool:
    """Whether the last jump has a line of its own, so that somebody wrote it."""
    last = tree[-1] if tree else None
    return isinstance(last, Block) and last.kind == JUMP and bool(last.jumps)


def never_falls_through(tree: Tree, unwritten: Collection[str] = ()) -> bool:
    """Whether control cannot leave the end of `tree`.

    In the text what ends by an operation that is `unwritten` falls off the end: the RETURN of a
    module or class, the RERAISE of a `finally` body.
    """
    if not tree:
        return False
    last = tree[-1]
    if isinstance(last, Jump):
        return True
    if isinstance(last, Block):
        name = last.ops[-1].name if last.ops else ""
        falls = name in unwritten and (name != "RERAISE" or _ends_finally(last))
        return last.kind == EXIT and not falls
    if isinstance(last, IfTree):
        return bool(last.orelse) and all(
            never_falls_through(body, unwritten)
            for body in [last.orelse, *(clause[2] for clause in last.clauses)]
        )
    if isinstance(last, TryTree):
        if last.region.kind == "finally":
            return never_falls_through(last.body, unwritten)
        if last.region.kind in ("with", "async with"):
            return False
        ends = last.orelse if last.orelse else last.body
        return all(never_falls_through(each, unwritten) for each in (ends, last.handler))
    if isinstance(last, LoopTree):
        return last.kind == "forever" and not gets_behind(last)
    return False


def reaches_end(tree: Tree) -> bool:
    """Whether some way through `tree` ends the function by no statement of its own."""
    last = tree[-1] if tree else None
    if isinstance(last, Block):
        return falls_off_end(last)
    if isinstance(last, IfTree):
        return any(reaches_end(clause[2]) for clause in last.clauses) or reaches_end(last.orelse)
    if isinstance(last, TryTree):
        return any(map(reaches_end, (last.body, last.handler, last.orelse)))
    return False


def gets_behind(loop: LoopTree) -> bool:
    """Whether control goes on behind a loop: by `break`, or when it ends by itself."""
    ends = loop.kind != "forever" and not never_falls_through(loop.orelse)
    return ends or _breaks(loop.body)


def _ends_finally(block: Block) -> bool:
    """The end of a `finally` body raises again what it was entered with; no text says so."""
    part = block.context[-1] if block.context else None
    return isinstance(part, Part) and part.is_handler and part.region.kind == "finally"


def _breaks(tree: Tree) -> bool:
    """Whether a `break` of the loop around `tree` stands in it."""
    for node in tree:
        if node is BREAK:
            return True
        if isinstance(node, IfTree):
            if _breaks(node.orelse) or any(_breaks(clause[2]) for clause in node.clauses):
                return True
        elif isinstance(node, TryTree):
            if _breaks(node.body) or _breaks(node.handler) or _breaks(node.orelse):
                return True
        elif isinstance(node, LoopTree) and _breaks(node.orelse):
            return True
    return False
