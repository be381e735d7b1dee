"""Finds `match` statements in the graph and turns each case into one branch.

A statement starts where a value stays on the stack while patterns are tried on it. Its cases are
read one after another, each beginning where the one before fails; only when all of them are
understood is the graph changed: the subject leaves the stack, and a case is a block that ends
with MATCH_CASE or NEXT_CASE and leads to its body or to the next case.
"""

from __future__ import annotations

from typing import Dict, Iterator, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op, stack_effect
from depyf.decompile.expr.evaluator import NotAnExpression
from depyf.decompile.expr.scope import Scope
from depyf.decompile.flow.graph import BRANCH, JUMP, KEEP, Block, Graph, prune
from depyf.decompile.structure.copies import Cursor, split
from depyf.decompile.structure.guards import Guard, is_copy
from depyf.decompile.structure.pattern_text import Refused
from depyf.decompile.structure.patterns import Case, Machine, one_place

_TESTS = frozenset(("MATCH_SEQUENCE", "MATCH_MAPPING", "MATCH_CLASS"))
_NAMES = frozenset(
    (
        "LOAD_FAST LOAD_NAME LOAD_GLOBAL LOAD_DEREF LOAD_CLASSDEREF LOAD_LOCALS"
        " LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_ATTR"
    ).split()
)

_ASKS_HANDLERS = frozenset(("EXC_MATCH", "WITH_EXCEPT_START"))
_LONGEST_TEST = 40


def find_matches(graph: Graph, scope: Scope) -> None:
    """Rewrite every `match` statement of `graph` that is recognised."""
    if graph.program.code.version < (3, 10):
        return
    if _TESTS.isdisjoint(graph.program.kinds) and not _copies_top(graph):
        # Only `case _ if guard` can start a statement; its body drops the subject.
        if "POP_TOP" not in graph.program.kinds or not any(map(_drops_first, graph.built)):
            return
    known: Set[Block] = set()
    while _rewrite_one(graph, scope, known):
        prune(graph)


def _copies_top(graph: Graph) -> bool:
    if "COPY" not in graph.program.kinds:
        return False
    # Not a generator: most code with handlers comes this way.
    return 1 in [op.arg for op in graph.program.ops if op.name == "COPY"]


def _rewrite_one(graph: Graph, scope: Scope, known: Set[Block]) -> bool:
    for block in graph.blocks():
        if block in known:
            continue
        known.add(block)
        for place in _starts(block):
            cases = _statement(Cursor(block, place), scope)
            if cases is not None:
                _Rewriting().apply(cases)
                return True
    return False


def _starts(block: Block) -> Iterator[int]:
    """Places where the first pattern of a statement may start."""
    ops = block.ops
    for place, op in enumerate(ops):
        if op.name == "COPY" and op.arg == 1:
            yield place
        elif op.name in _TESTS:
            yield _class_start(ops, place) if op.name == "MATCH_CLASS" else place
    if block.kind == BRANCH and _pops_soon(block):
        yield from _guard_starts(ops)


def _pops_soon(block: Block) -> bool:
    """Whether a body that drops the subject of a `match` may follow the test of `block`."""
    found = [block]
    for near in found:
        if _drops_first(near):
            return True
        if near.kind in (BRANCH, KEEP) and len(found) < 12:
            found.extend(succ for succ in near.succs if succ not in found)
    return False


def _drops_first(block: Block) -> bool:
    if not block.ops or block.ops[0].name != "POP_TOP":
        return False
    # The body of an `except` clause drops the exception, as does a `with` that swallows it.
    tests = [pred for pred in block.preds if pred.kind == BRANCH or pred.kind == KEEP]
    asking = [pred for pred in tests if pred.ops and pred.ops[-1].name in _ASKS_HANDLERS]
    return bool(tests) and not asking


def _guard_starts(ops: List[Op]) -> Iterator[int]:
    """Places from where on the block needs nothing from the stack: `case _ if guard`."""
    needed = 1
    for place in range(len(ops) - 1, max(0, len(ops) - _LONGEST_TEST), -1):
        pops, pushes = stack_effect(ops[place])
        needed = max(pops, pops + needed - pushes)
        if needed == 0:
            yield place


def _class_start(ops: List[Op], place: int) -> int:
    """Where the name of the class is loaded: behind it come the attribute names."""
    start = place - 2
    needed = 1
    while start > 0 and ops[start].name in _NAMES:
        pops, pushes = stack_effect(ops[start])
        needed += pops - pushes
        if needed == 0:
            break
        start -= 1
    return max(start, 0)


def _statement(start: Cursor, scope: Scope) -> Optional[List[Case]]:
    """The cases of the statement whose first pattern starts here, if there is one.

    A copy at the start of a case may mean that more cases follow, or be part of the pattern
    (`p as x`, `p | q`): the first is tried first.
    """
    cases: List[Case] = []
    case = _kept_subject(start, scope)
    while case is not None:
        cases.append(case)
        assert case.failure is not None
        case = _kept_subject(case.failure, scope)
    _end_at_alternatives(cases)
    while True:
        last = _last(cases[-1].failure if cases and cases[-1].failure else start, scope)
        if last is not None:
            cases.append(last)
            # A single pattern that asks for nothing is an assignment.
            if len(cases) > 1 or last.tests:
                return cases
            return None
        if not cases:
            return None
        cases.pop()


def _end_at_alternatives(cases: List[Case]) -> None:
    """Cases that share a body are the alternatives of a last case."""
    for place, (one, two) in enumerate(zip(cases, cases[1:])):
        if one.pop is None or two.pop is None:
            continue
        if one.pop.key() == two.pop.key() or is_copy(one.pop, two.pop):
            del cases[place:]
            return


def _kept_subject(start: Cursor, scope: Scope) -> Optional[Case]:
    """A case behind which others follow: it works on a copy of the subject."""
    op = start.op()
    try:
        if op is not None and op.name == "COPY" and op.arg == 1:
            case = Machine(scope, True).read(start)
        else:
            # `case _ if guard`, where the copy and its pop were optimised away.
            case = Case(start, True)
        _read_end(case)
    except (Refused, NotAnExpression):
        return None
    return case


def _last(start: Cursor, scope: Scope) -> Optional[Case]:
    """A case that consumes the subject."""
    if start.op() is None:
        return None
    try:
        # `case _ if guard` before `case _` just drops the subject: it has no failure of its own.
        return Machine(scope, False).read(start)
    except (Refused, NotAnExpression):
        return None


def _read_end(case: Case) -> None:
    """Behind a pattern: an optional guard, then the subject is popped."""
    op = case.success.op()
    if op is not None and op.name == "POP_TOP" and case.text != "_":
        if case.failure is None:
            raise Refused("a pattern that always matches, before others")
        case.pop = case.success
        case.success = case.success.next().settled()
        return
    if case.failure is not None and case.failure.key() == case.success.key():
        case.never = True
        return
    case.bodies, failures = Guard(case.success).ends()
    case.failure = one_place([*failures, *([case.failure] if case.failure else [])])
    case.copies = [each for each in failures if each.key() != case.failure.key()]


class _Rewriting:
    """Changes the graph for one statement; places stay valid while blocks are split."""

    def __init__(self) -> None:
        # What became of a block that was split: (first operation, block), in order.
        self.pieces: Dict[Block, List[Tuple[int, Block]]] = {}

    def apply(self, cases: List[Case]) -> None:
        skipped: List[List[str]] = [[]]
        start: Optional[Cursor] = None
        for case in cases:
            if case.never:
                start = start or case.start
                skipped[-1].append(case.text)
            else:
                case.start, start = start or case.start, None
                skipped.append([])
        cases = [case for case in cases if not case.never]
        for place, case in reversed(list(enumerate(cases))):
            name = "MATCH_CASE" if place == 0 else "NEXT_CASE"
            if case.failure is None:
                name = "LAST_CASE" if place else "ONLY_CASE"
            self.rewrite(case, name, tuple(skipped[place]))

    def rewrite(self, case: Case, name: str, skipped: Tuple[str, ...]) -> None:
        op = case.start.op() or Op.of("NOP", None, -1, None)
        for body in case.bodies:
            self.drop_pop(body)
        success = self.block_at(case.success)
        block = self.block_at(case.start)
        if success is block:
            # A guard alone: the case stands before it.
            success = split(block, 0)
        succs = [success]
        if case.failure is not None:
            succs.append(self.block_at(case.failure))
            for copy in case.copies:
                self.redirect(copy, succs[1])
        block.ops = [Op.of(name, (case.text, skipped), op.offset, op.line)]
        block.kind = JUMP if case.failure is None else BRANCH
        block.pure = None
        block.set_succs(succs)

    def redirect(self, copy: Cursor, block: Block) -> None:
        replaced = self.block_at(copy)
        for pred in list(dict.fromkeys(replaced.preds)):
            pred.redirect(replaced, block)

    def drop_pop(self, cursor: Cursor) -> None:
        block = self.block_at(cursor)
        block.ops = block.ops[1:]

    def block_at(self, cursor: Cursor) -> Block:
        """The block that starts at a place of the graph as it was when it was read."""
        pieces = self.pieces.setdefault(cursor.block, [(0, cursor.block)])
        at = max(index for index, (start, _block) in enumerate(pieces) if start <= cursor.place)
        start, block = pieces[at]
        if start == cursor.place:
            return block
        rest = split(block, cursor.place - start)
        pieces.insert(at + 1, (cursor.place, rest))
        return rest
