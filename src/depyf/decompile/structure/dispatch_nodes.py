"""A graph -> nodes of a state machine: each block once per exception context, already evaluated.

A context is the number of `except` clauses around a block (its level): entering a handler goes one
level up, POP_EXCEPT goes back. Values that are on the stack where a block ends are written to
slots named by their depth, and read from there where the next block starts.
"""

from __future__ import annotations

from typing import Dict, FrozenSet, List, NamedTuple, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op, Program
from depyf.decompile.expr import nodes
from depyf.decompile.expr.evaluator import CannotEvaluate
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.statements import Body, Stmt
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, JUMP, KEEP, Block, Graph
from depyf.decompile.structure import dispatch_protocols, dispatch_rules  # noqa: F401  (rules)
from depyf.decompile.structure.dispatch_evaluator import (
    RAISED,
    DispatchEvaluator,
    item_text,
    value_text,
)
from depyf.decompile.structure.dispatch_names import Names

Stack = List[Expr]

# How a handler is entered: inside the `except` clause of the block that raised, behind a raise
# further out (the clauses in between are left first), or as ordinary code with the exception as a
# plain value on the stack.
INSIDE, OUTSIDE, PLAIN = "inside", "outside", "plain"

# A node behind which another exception is handled: what `except*` matched.
REENTER = "reenter"

# Each level costs three of the twenty blocks that CPython lets a function nest.
MAX_LEVEL = 4

# Things on the stack that are no values, or wait for an operation in another block.
_SYMBOLS = frozenset(
    ("null", "lasti", "previous", "build class", "cell", "code", "locals", "saved local", "import")
)
_CHANGES_HANDLED = frozenset(("POP_EXCEPT", "EXC_GROUP_MATCH"))
_NO_OP = Op.of("NOP", None, -1, None)


class Edge(NamedTuple):
    """Where an exception of a node goes. `base` is the stack depth that survives."""

    target: Node
    how: str
    level: int
    base: int


class Node:
    """One block, or a straight chain of them, at one level."""

    __slots__ = (
        "block",
        "level",
        "stack",
        "body",
        "kind",
        "test",
        "succs",
        "prefixes",
        "edge",
        "reentry",
        "enters",
        "incoming",
        "is_root",
        "number",
        "is_async",
        "keeps_true",
        "item",
        "temporaries",
    )

    def __init__(self, block: Block, level: int, stack: Stack) -> None:
        self.block = block
        self.level = level
        self.stack = stack
        self.body: Body = []
        self.kind = EXIT
        self.test: Optional[Expr] = None
        self.succs: List[Node] = []
        # Statements for each successor, in front of going there.
        self.prefixes: List[Body] = []
        self.edge: Optional[Edge] = None
        # The way to the successor with another exception being handled.
        self.reentry: Optional[Edge] = None
        # Whether it is the start of a handler, inside an `except` clause.
        self.enters = False
        self.incoming = 0
        self.is_root = False
        self.number = -1
        self.is_async = False
        self.keeps_true = False
        # Where a FOR node puts the next item.
        self.item: Optional[Expr] = None
        self.temporaries: List[str] = []

    def names_above(self, base: int) -> List[str]:
        """What holds values that are gone once an exception has left only `base` of them."""
        slots = [value.text for value in self.stack[base:] if value.kind == "temp"]
        if self.item is not None:
            slots += [value.text for value in (self.test, self.item) if value is not None]
        return slots + self.temporaries

    def __repr__(self) -> str:
        return f"<Node {self.block.index}@{self.level} {self.kind}>"


class _Restart(Exception):
    """A place on the stack that was thought to hold a symbol needs a real value."""


class Explorer:
    """Follows control from the entry and evaluates what it meets, each node once."""

    def __init__(self, graph: Graph, names: Names) -> None:
        self.graph = graph
        self.program = graph.program
        self.names = names
        self.scope = names.scope
        self.first_temporary = self.scope.temporaries
        self.temporaries: Set[str] = set()
        # Places whose values must be real, found while exploring.
        self.forced: Set[Tuple[Block, int, int]] = set()
        self.handlers = set(graph.handlers)
        self.bound = _always_bound(self.program)
        self.nested: Dict[Block, bool] = {}
        self.has_groups = any(op.name == "EXC_GROUP_MATCH" for op in self.program.ops)
        self.clear()

    def clear(self) -> None:
        self.nodes: Dict[Tuple[Block, int], Node] = {}
        self.work: List[Node] = []
        self.bases: Dict[int, int] = {}

    def run(self) -> Node:
        while True:
            self.clear()
            try:
                entry = self.reach(self.graph.entry, 0, [])
                while self.work:
                    self.evaluate(self.work.pop())
                return entry
            except _Restart:
                continue

    def reach(self, block: Block, level: int, stack: Stack) -> Node:
        node = self.nodes.get((block, level))
        if node is None:
            entry = [self.at_entry(block, level, place, value) for place, value in enumerate(stack)]
            node = self.nodes[block, level] = Node(block, level, entry)
            self.work.append(node)
            return node
        if len(node.stack) != len(stack):
            raise CannotEvaluate(f"stacks of different depth meet at block {block.index}")
        for place, value in enumerate(stack):
            self.check_place(node, place, value)
        return node

    def at_entry(self, block: Block, level: int, place: int, value: Expr) -> Expr:
        if (block, level, place) not in self.forced and _is_symbol(value, level):
            return value
        return self.names.slot(place)

    def check_place(self, node: Node, place: int, value: Expr) -> None:
        known = node.stack[place]
        if known.kind == "temp":
            if value.kind in _SYMBOLS or value.kind == "func":
                raise CannotEvaluate(f"a value and {value.kind} meet at block {node.block.index}")
        elif not _same_symbol(known, value):
            if known.kind not in RAISED and value.kind in _SYMBOLS:
                raise CannotEvaluate(f"{known.kind} and {value.kind} meet")
            self.forced.add((node.block, node.level, place))
            raise _Restart

    # One node.

    def evaluate(self, node: Node) -> None:
        blocks = self.chain(node.block)
        last = blocks[-1]
        ops = [op for block in blocks for op in block.ops]
        end = ops.pop() if last.kind == FOR else ops[-1] if ops else _NO_OP
        if node.block.handler is not None:
            node.edge = self.exception_edge(node)
        self.scope.temporaries = self.first_temporary
        evaluator = DispatchEvaluator(
            self.names, list(node.stack), node.level, self.program.exception_slots, self.bound
        )
        evaluator.enters = node.enters
        evaluator.run(ops)
        node.kind, node.is_async, node.keeps_true = last.kind, last.is_async, last.keeps_true
        node.body = evaluator.out
        self.finish(node, last, evaluator, end)
        node.temporaries = self.used_temporaries()
        self.temporaries.update(node.temporaries)

    def chain(self, block: Block) -> List[Block]:
        """Blocks that are always run one behind the other, under the same handler."""
        chain = [block]
        seen = {block}
        while block.kind == JUMP and not any(op.name in _CHANGES_HANDLED for op in block.ops):
            follow = block.succs[0]
            if len(follow.preds) != 1 or follow in self.handlers or follow in seen:
                break
            if follow.handler is not block.handler:
                break
            chain.append(follow)
            seen.add(follow)
            block = follow
        return chain

    def finish(self, node: Node, last: Block, ev: DispatchEvaluator, end: Op) -> None:
        stack = ev.stack
        level = ev.left_level
        if last.kind == EXIT:
            return
        if any(value.kind in ("func", "class", "decorated") for value in stack):
            ev.spill(end)
        if last.kind == BRANCH:
            node.test = ev.pop()
            leaving = [stack, stack]
        elif last.kind == KEEP:
            leaving = [stack, stack[:-1]]
        elif last.kind == FOR:
            node.item = self.names.slot(len(stack))
            leaving = [stack + [node.item], stack[:-1]]
        else:
            leaving = [stack]
        node.succs = [self.reach(succ, level, values) for succ, values in zip(last.succs, leaving)]
        node.prefixes = [[] for _ in node.succs]
        self.write_slots(node, max(leaving, key=len), end)
        if last.kind == JUMP and end.name == "EXC_GROUP_MATCH" and level:
            node.kind, node.test = REENTER, self.names.slot(len(stack) - 1)
            node.reentry = Edge(node.succs[0], OUTSIDE, level - 1, 0)
        if last.kind in (KEEP, FOR):
            top = self.names.slot(len(stack) - 1)
            node.test = top
            if last.kind == KEEP:
                node.prefixes[1].append(Stmt("temporary", f"{top.text} = None"))

    def write_slots(self, node: Node, stack: Stack, end: Op) -> None:
        """What the successors read is put where they read it, all at once."""
        needed = {
            place
            for succ in node.succs
            for place, value in enumerate(succ.stack)
            if value.kind == "temp"
        }
        writes: List[Tuple[str, Expr]] = []
        for place, value in enumerate(stack):
            slot = self.names.slot(place)
            if place in needed and value.text != slot.text:
                writes.append((slot.text, value))
        dead = self.dead_names(node, needed)
        test = node.test
        if test is not None and any(name in test.text for name in (name for name, _ in writes)):
            saved = self.scope.temporary()
            writes.append((saved.text, test))
            node.test = test = saved
        if writes:
            node.body.append(_assignment(self.names, writes, end))
        dead = [name for name in dead if test is None or name not in test.text]
        if dead:
            node.body.append(Stmt("temporary", " = ".join(dead) + " = None"))

    def dead_names(self, node: Node, needed: Set[int]) -> List[str]:
        """Slots and temporaries that keep objects alive for nobody."""
        slots = [
            value.text
            for place, value in enumerate(node.stack)
            if value.kind == "temp" and place not in needed
        ]
        return slots + self.used_temporaries()

    def used_temporaries(self) -> List[str]:
        prefix = self.scope.options.temporary_prefix
        numbers = range(self.first_temporary, self.scope.temporaries)
        return [f"{prefix}{number}{self.names.suffix}" for number in numbers]

    # Exceptions.

    def exception_edge(self, node: Node) -> Edge:
        handler = node.block.handler
        assert handler is not None
        base = self.base_depth(node, handler)
        if base > len(node.stack):
            raise CannotEvaluate(f"block {node.block.index} has less on the stack than its handler")
        kept = node.stack[:base]
        outer = max((value.parts or 0 for value in kept if value.kind == "previous"), default=0)
        if not self.is_nested(handler) or outer + 1 > MAX_LEVEL:
            if outer + 1 > MAX_LEVEL:
                self.scope.note("handlers nested too deeply to keep the handled exception")
            target = self.reach(handler, outer, kept + self.pushed(handler, None, base))
            return Edge(target, PLAIN, outer, base)
        stack = kept + self.pushed(handler, outer + 1, base)
        if self.matches_groups(handler):
            # Another exception will be the handled one: this one needs a place of its own.
            self.forced.add((handler, outer + 1, len(stack) - 1))
        target = self.reach(handler, outer + 1, stack)
        target.enters = True
        return Edge(target, INSIDE if outer == node.level else OUTSIDE, outer, base)

    def base_depth(self, node: Node, handler: Block) -> int:
        known = self.program.handler_depths.get(handler.index)
        if known is not None:
            return known
        if handler.index not in self.bases:
            # The first protected block of a `with` starts with the entered value on the stack.
            entered = bool(handler.ops) and handler.ops[0].name == "WITH_EXCEPT_START"
            depth = len(node.stack) - entered
            # Handlers around it that no block has shown yet were set up at the same depth.
            around: Optional[int] = handler.index
            while around is not None and around not in self.bases:
                self.bases[around] = depth
                around = self.program.handlers_around.get(around)
        return self.bases[handler.index]

    def pushed(self, handler: Block, level: Optional[int], base: int) -> Stack:
        """What the interpreter pushes; without a level the exception is in slots."""
        names = self.names
        if self.program.exception_slots == 1:
            count = self.program.handler_pushes.get(handler.index, 1)
            below = [nodes.marker("lasti")] * (count - 1)
            if level is None:
                return below + [names.slot(base + count - 1)]
            return below + [Expr(names.exception(level), nodes.ATOM, "raised", level, True)]
        previous = [nodes.marker("previous", level)] * 3
        if level is None:
            return previous + [names.slot(base + place) for place in (3, 4, 5)]
        raised = names.exception(level)
        texts = exception_texts(names, raised)
        kinds = ("raised traceback", "raised", "raised type")
        return previous + [
            Expr(text, nodes.ATOM, kind, level, True) for text, kind in zip(texts, kinds)
        ]

    def is_nested(self, handler: Block) -> bool:
        """Whether the handler's code can stand inside an `except` clause.

        It can when it says where it starts and ends, or when it never ends but by raising again.
        """
        known = self.nested.get(handler)
        if known is None:
            known = self.program.exception_slots == 3
            known = known or (bool(handler.ops) and handler.ops[0].name == "PUSH_EXC_INFO")
            if not known:
                exits = [block for block in _closure(handler) if block.kind == EXIT]
                known = all(block.ops[-1].name == "RERAISE" for block in exits)
            self.nested[handler] = known
        return known

    def matches_groups(self, handler: Block) -> bool:
        if not self.has_groups:
            return False
        return any(op.name == "EXC_GROUP_MATCH" for block in _closure(handler) for op in block.ops)


def _closure(block: Block) -> Set[Block]:
    """Everything behind `block`, handlers aside."""
    seen, work = {block}, [block]
    while work:
        new = [succ for succ in work.pop().succs if succ not in seen]
        seen.update(new)
        work.extend(new)
    return seen


def split_behind_group_matches(graph: Graph) -> None:
    """What is being handled changes there."""
    for block in graph.blocks():
        while True:
            places = [at for at, op in enumerate(block.ops[:-1]) if op.name == "EXC_GROUP_MATCH"]
            if not places:
                break
            tail = Block(block.index, block.ops[places[0] + 1 :], block.kind, block.handler)
            tail.keeps_true, tail.is_async = block.keeps_true, block.is_async
            tail.set_succs(list(block.succs))
            del block.ops[places[0] + 1 :]
            block.kind = JUMP
            block.set_succs([tail])
            block = tail


def _always_bound(program: Program) -> FrozenSet[str]:
    """Arguments that are never deleted."""
    code = program.code
    arguments = code.varnames[: code.parameter_count]
    deleted = {op.arg for op in program.ops if op.name in ("DELETE_FAST", "LOAD_AND_CLEAR")}
    return frozenset(arguments) - deleted


def exception_texts(names: Names, raised: str) -> Tuple[str, str, str]:
    """Traceback, value and type, as older interpreters push them."""
    return f"{raised}.__traceback__", raised, f"{names.builtin('type')}({raised})"


def _is_symbol(value: Expr, level: int) -> bool:
    if value.kind in RAISED:
        return bool(value.parts <= level)
    if value.kind == "func":
        return True
    if value.kind == "tuple" and value.parts and all(item.kind == "cell" for item in value.parts):
        return True
    return value.kind in _SYMBOLS


def _same_symbol(first: Expr, second: Expr) -> bool:
    return first is second or (
        first.kind == second.kind and first.parts == second.parts and first.text == second.text
    )


def _assignment(names: Names, writes: List[Tuple[str, Expr]], op: Op) -> Stmt:
    left = ", ".join([name for name, _value in writes])
    if len(writes) == 1:
        right = value_text(names, writes[0][1])
    else:
        right = ", ".join([item_text(names, value) for _name, value in writes])
    return Stmt("temporary", f"{left} = {right}", op.offset, op.line)
