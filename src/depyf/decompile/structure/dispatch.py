"""The last rung: any control flow, reducible or not, as a state machine.

    __state = 0
    while True:
        try:
            if __state == 0: ...; __state = 3
            elif ...
        except BaseException as __exc_1:
            __state = <the handler's>
            while True: ...                  # blocks that run while the exception is handled

There is one loop for each level of handled exceptions, each inside the `except` clause of the one
before it, so that `raise`, `sys.exc_info()` and the context of new exceptions are the original's.
The state tells which block raised and so which handler is next; a handler further out is
reached by leaving the clauses and raising again there, with traceback and context put back.
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Set, Tuple

from depyf.decompile.decode.normalise import normalise
from depyf.decompile.decode.ops import Program
from depyf.decompile.expr import nodes
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import Scope
from depyf.decompile.expr.statements import Body, For, Handler, If, Stmt, Try, While, suites
from depyf.decompile.flow.graph import EXIT, FOR, JUMP, KEEP, Graph, build_graph
from depyf.decompile.structure.dispatch_evaluator import NO_EXPRESSION
from depyf.decompile.structure.dispatch_names import Names
from depyf.decompile.structure.dispatch_nodes import (
    INSIDE,
    OUTSIDE,
    REENTER,
    Edge,
    Explorer,
    Node,
    exception_texts,
    split_behind_group_matches,
)

# Blocks with one way to them are written where that way starts, so deep at most.
_MAX_NESTING = 8
# From here on states are found by halving.
_FEW_STATES = 6


def dispatch_statements(graph: Graph, scope: Scope) -> Body:
    """The body of a code object as a loop over states; straight code needs no loop."""
    names = Names(scope)
    split_behind_group_matches(graph)
    explorer = Explorer(graph, names)
    try:
        entry = explorer.run()
    except NO_EXPRESSION:
        if not _holds_comprehension(graph.program):
            raise
        # One of them is no comprehension any more: let all run inline.
        plain = build_graph(normalise(graph.program.code, outlined=False), as_covered=True)
        split_behind_group_matches(plain)
        names = Names(scope)
        explorer = Explorer(plain, names)
        entry = explorer.run()
    machine = Machine(names, list(explorer.nodes.values()), entry)
    body = machine.statements()
    if machine.roots:
        scope.note("dispatch loop")
    if not _yields(body):
        # What did stood in a state that nothing leads to.
        scope.loaded.discard("yield")
    if not names.in_namespace:
        return names.prologue + _forgetting(body, machine)
    forget = names.forget(explorer.temporaries)
    if not forget:
        return names.prologue + body
    # Docstrings and imports from __future__ have to stay in front.
    start = _plain_start(body, names.added | explorer.temporaries)
    return body[:start] + [Try(names.prologue + body[start:], [], [], forget)]


def _yields(body: Body) -> bool:
    return any("yield" in stmt.text or any(map(_yields, suites(stmt))) for stmt in body)


def _forgetting(body: Body, machine: Machine) -> Body:
    """An exception that leaves the function takes the stack away, but not the locals."""
    held = sorted({name for node in machine.nodes for name in node.names_above(0)})
    if not machine.roots or not held:
        return body
    start = _plain_start(body, set(held))
    clear = Stmt("temporary", " = ".join(held) + " = None")
    handler = Handler(None, None, [clear, Stmt("raise", "raise")])
    return body[:start] + [Try(body[start:], [handler], [], [])]


def _plain_start(body: Body, added: Set[str]) -> int:
    """How many statements at the start need none of the added names."""
    for place, stmt in enumerate(body):
        if stmt.kind not in ("assign", "import") or any(name in stmt.text for name in added):
            return place
    return len(body)


def _holds_comprehension(program: Program) -> bool:
    return any(op.name == "INLINED_COMPREHENSION" for op in program.ops)


class State(NamedTuple):
    """A number, what it does, and where its exceptions go."""

    number: int
    body: Body
    edge: Optional[Edge]
    # What an exception leaves behind there.
    held: List[str]


class Machine:
    """Nodes -> statements."""

    def __init__(self, names: Names, all_nodes: List[Node], entry: Node) -> None:
        self.names = names
        self.nodes = all_nodes
        self.entry = entry
        self.roots: List[Node] = []
        self.handlers = {node.edge.target.block for node in all_nodes if node.edge is not None}
        # States that raise a pending exception further out: one for each handler.
        self.arrivals: Dict[int, Tuple[int, Edge]] = {}
        self.arriving: Set[int] = set()
        self.levels: Dict[int, List[State]] = {}

    def statements(self) -> Body:
        self.thread()
        self.find_roots()
        self.number()
        self.add_arrivals()
        runs_first = self.entry.edge is None and not self.entry.incoming
        for root in self.roots:
            self.add_state(root)
        first = self.node_body(self.entry) if runs_first else self.go(self.entry, 0)
        if not self.levels:
            return _without_end(first, self.names)
        return first + [self.loop(0)]

    # Which nodes are states.

    def thread(self) -> None:
        """Jumps to nothing but a jump go on to where that goes."""
        for node in self.nodes:
            node.succs = [_resolve(succ) for succ in node.succs]
        alive = self.reachable()
        self.nodes = [node for node in self.nodes if node in alive]
        self.nodes.sort(key=lambda node: (node.level, node.block.index))
        for node in self.nodes:
            for succ in node.succs:
                succ.incoming += 1

    def reachable(self) -> Dict[Node, None]:
        seen = {self.entry: None}
        work = [self.entry]
        while work:
            node = work.pop()
            following = list(node.succs) + ([node.edge.target] if node.edge is not None else [])
            for succ in following:
                if succ not in seen:
                    seen[succ] = None
                    work.append(succ)
        return seen

    def find_roots(self) -> None:
        for node in self.nodes:
            if node.edge is not None:
                node.edge.target.is_root = True
            for succ in node.succs:
                together = succ.level == node.level and succ.edge == node.edge
                if succ.incoming > 1 or not together:
                    succ.is_root = True
            if node.kind == REENTER:
                node.succs[0].is_root = True
            elif node.kind == FOR:
                # Behind the loop StopIteration is not being handled any more.
                node.succs[1].is_root = True
                self.release_iterator(node)
                if node.is_async and not self.has_anext():
                    node.succs[0].is_root = True
        if self.entry.edge is not None or self.entry.incoming:
            self.entry.is_root = True
        self.limit_nesting()
        self.roots = [node for node in self.nodes if node.is_root]

    def release_iterator(self, node: Node) -> None:
        assert node.test is not None
        release = f"{node.test.text} = None"
        body = node.succs[1].body
        if not body or body[0].text != release:
            body.insert(0, Stmt("temporary", release))

    def limit_nesting(self) -> None:
        work = [(node, 0) for node in self.nodes if node.is_root or node is self.entry]
        while work:
            node, depth = work.pop()
            for succ in node.succs:
                if succ.is_root:
                    continue
                if depth == _MAX_NESTING:
                    succ.is_root = True
                    work.append((succ, 0))
                else:
                    work.append((succ, depth + 1))

    def number(self) -> None:
        for number, node in enumerate(self.roots):
            node.number = number

    def add_state(self, node: Node) -> None:
        held: List[str] = []
        if node.edge is not None:
            held = [name for each in _inlined(node) for name in each.names_above(node.edge.base)]
        state = State(node.number, self.node_body(node), node.edge, held)
        self.levels.setdefault(node.level, []).append(state)

    # Nodes.

    def node_body(self, node: Node) -> Body:
        body = list(node.body)
        if node.kind == EXIT:
            return body
        ways = [prefix + self.way(node, succ) for prefix, succ in zip(node.prefixes, node.succs)]
        if node.kind == JUMP:
            return body + ways[0]
        if node.kind == FOR:
            return body + [self.next_item(node, *ways)]
        assert node.test is not None
        if node.kind == REENTER and node.reentry is not None:
            none = nodes.is_none(node.test)
            return body + [If([(none, ways[0])], self.raise_outside(node.reentry, node.test.text))]
        test = node.test
        if node.kind == KEEP and not node.keeps_true:
            ways.reverse()
        return body + [If([(test, ways[0])], ways[1])]

    def way(self, node: Node, succ: Node) -> Body:
        if not succ.is_root:
            return self.node_body(succ)
        return self.go(succ, node.level)

    def go(self, succ: Node, level: int) -> Body:
        body = [Stmt("assign", f"{self.names.state} = {succ.number}")]
        if succ.level < level:
            body.append(Stmt("break", "break"))
        return body

    def has_anext(self) -> bool:
        return self.names.scope.code.version >= (3, 10)

    def next_item(self, node: Node, body: Body, exhausted: Body) -> Stmt:
        assert node.test is not None and node.item is not None
        names, iterator, item = self.names, node.test, node.item
        if node.is_async and not self.has_anext():
            return For(item, iterator, body + [Stmt("break", "break")], exhausted, True)
        function, error = "next", "StopIteration"
        if node.is_async:
            function, error = "await anext", "StopAsyncIteration"
        *words, function = function.split()
        call = " ".join([*words, f"{names.builtin(function)}({iterator.text})"])
        taken = Stmt("temporary", f"{item.text} = {call}")
        handler = Handler(nodes.name(names.builtin(error), "name"), None, exhausted)
        return Try([taken], [handler], body, [])

    # Loops.

    def loop(self, level: int) -> Stmt:
        states = sorted(self.levels.get(level, ()), key=lambda state: state.number)
        body = self.choose(states, level)
        if any(state.edge is not None for state in states):
            exception = self.names.exception(level + 1)
            base = nodes.name(self.names.builtin("BaseException"), "name")
            handler = Handler(base, exception, self.caught(states, level, exception))
            body = [Try(body, [handler], [], [])]
        return While(self.loop_test(level), body, [])

    def loop_test(self, level: int) -> Optional[Expr]:
        if self.names.in_namespace and not level:
            return nodes.name(f"{self.names.state} >= 0", "state test")
        return None

    def choose(self, states: List[State], level: int) -> Body:
        if len(states) > _FEW_STATES:
            middle = len(states) // 2
            test = nodes.name(f"{self.names.state} < {states[middle].number}", "state test")
            left, right = self.choose(states[:middle], level), self.choose(states[middle:], level)
            return [If([(test, left)], right)]
        if not level and len(self.levels[0]) == 1:
            return states[0].body
        # A state of another level: that loop goes on.
        elsewhere = [Stmt("break", "break")] if level else []
        clauses = [(self.is_state([state.number]), state.body) for state in states]
        return [If(clauses, elsewhere)]

    def is_state(self, numbers: List[int]) -> Expr:
        if len(numbers) == 1:
            return nodes.name(f"{self.names.state} == {numbers[0]}", "state test")
        return nodes.name(f"{self.names.state} in ({', '.join(map(str, numbers))})", "state test")

    # Exceptions.

    def add_arrivals(self) -> None:
        number = len(self.roots)
        edges = [edge for node in self.nodes for edge in (node.edge, node.reentry)]
        for edge in edges:
            if edge is None or edge.how != OUTSIDE or edge.target.number in self.arrivals:
                continue
            self.arrivals[edge.target.number] = (number, edge)
            self.arriving.add(number)
            raising = [Stmt("raise", f"raise {self.names.pending}[0]")]
            state = State(number, raising, edge._replace(how=INSIDE), [])
            self.levels.setdefault(edge.level, []).append(state)
            number += 1

    def raise_outside(self, edge: Edge, exception: str) -> Body:
        """Leave the clauses in between; the state there raises the exception again."""
        parts = f"{exception}, {exception}.__context__, {exception}.__traceback__"
        return [
            Stmt("assign", f"{self.names.pending} = {parts}"),
            Stmt("assign", f"{self.names.state} = {self.arrivals[edge.target.number][0]}"),
            Stmt("break", "break"),
        ]

    def caught(self, states: List[State], level: int, exception: str) -> Body:
        protected = [state for state in states if state.edge is not None]
        chosen = self.choose_handler(protected, len(states), level, exception)
        if level + 1 in self.levels and any(edge_is_inside(state) for state in states):
            chosen = chosen + [self.loop(level + 1)]
        return chosen

    def choose_handler(
        self, protected: List[State], count: int, level: int, exception: str
    ) -> Body:
        """Where to go from `protected`, some of the `count` states that may have raised."""
        groups: Dict[Tuple[int, bool], List[State]] = {}
        for state in protected:
            assert state.edge is not None
            key = state.edge.target.number, state.number in self.arriving
            groups.setdefault(key, []).append(state)
        if len(groups) > _FEW_STATES:
            middle = len(protected) // 2
            test = nodes.name(f"{self.names.state} < {protected[middle].number}", "state test")
            parts = protected[:middle], protected[middle:]
            left, right = (self.choose_handler(part, count, level, exception) for part in parts)
            return [If([(test, left)], right)]
        clauses = [
            (
                self.is_state([state.number for state in members]),
                self.handle(members, level, exception),
            )
            for members in groups.values()
        ]
        if len(clauses) == 1 and len(protected) == count:
            return clauses[0][1]
        return [If(clauses, [Stmt("raise", "raise")])]

    def handle(self, members: List[State], level: int, exception: str) -> Body:
        edge = members[0].edge
        assert edge is not None
        body = self.enter(edge, level, exception, members[0].number in self.arriving)
        held = sorted({name for state in members for name in state.held})
        if held:
            body.insert(0, Stmt("temporary", " = ".join(held) + " = None"))
        return body

    def enter(self, edge: Edge, level: int, exception: str, arrives: bool) -> Body:
        names = self.names
        go = Stmt("assign", f"{names.state} = {edge.target.number}")
        if arrives:
            back = [
                Stmt("assign", f"{exception}.__context__ = {names.pending}[1]"),
                Stmt("assign", f"{exception}.__traceback__ = {names.pending}[2]"),
                Stmt("assign", f"{names.pending} = None"),
            ]
            return back + self.fill_slots(edge, exception) + [go]
        if edge.how == INSIDE:
            return [*self.fill_slots(edge, exception), go]
        if edge.how == OUTSIDE:
            return self.raise_outside(edge, exception)
        return [*self.fill_slots(edge, exception), go, self.leave(edge, level)]

    def fill_slots(self, edge: Edge, exception: str) -> Body:
        """The exception as a plain value, where the handler wants one."""
        target = edge.target
        if target.block not in self.handlers:
            return []
        count = 3 if self.names.scope.code.version < (3, 11) else 1
        values = exception_texts(self.names, exception) if count == 3 else (exception,)
        first = len(target.stack) - count
        return [
            Stmt("temporary", f"{self.names.slot(place).text} = {text}")
            for place, text in enumerate(values, first)
            if target.stack[place].kind == "temp"
        ]

    def leave(self, edge: Edge, level: int) -> Stmt:
        word = "break" if edge.level < level else "continue"
        return Stmt(word, word)


def edge_is_inside(state: State) -> bool:
    return state.edge is not None and state.edge.how == INSIDE


def _inlined(root: Node) -> List[Node]:
    """A state's node and those written inside it."""
    found = [root]
    for node in found:
        found.extend(succ for succ in node.succs if not succ.is_root)
    return found


def _resolve(node: Node) -> Node:
    seen = {node}
    while node.kind == JUMP and not node.body and node.succs[0].level == node.level:
        node = node.succs[0]
        if node in seen:
            break
        seen.add(node)
    return node


def _without_end(body: Body, names: Names) -> Body:
    """Without a loop nobody asks for the state."""
    end = f"{names.state} = -1"

    def strip(suite: Body) -> None:
        suite[:] = [stmt for stmt in suite if stmt.text != end]
        for stmt in suite:
            if isinstance(stmt, If):
                for _test, inner in stmt.clauses:
                    strip(inner)
                strip(stmt.orelse)
            elif isinstance(stmt, Try):
                strip(stmt.orelse)
                for handler in stmt.handlers:
                    strip(handler.body)

    strip(body)
    names.added.discard(names.state)
    return body
