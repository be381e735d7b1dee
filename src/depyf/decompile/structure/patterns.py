"""Runs the operations of one `case` symbolically and reads the pattern off what they do.

The compiler keeps the values that a pattern still needs on the stack and captured ones below
them; success goes on, failure pops everything and leaves. So the machine here needs no grammar:
it follows the way of success, notes what is asked of each value and where failures land, and the
values themselves, printed, are the pattern. An alternative (`a | b`) shows as a failure that
lands while values are left; it ends where an operation touches what lies below it.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

from depyf.decompile.decode.ops import Op, stack_effect
from depyf.decompile.expr.evaluator import Evaluator
from depyf.decompile.expr.scope import Scope
from depyf.decompile.flow.graph import BRANCH, Block
from depyf.decompile.structure.copies import Cursor
from depyf.decompile.structure.pattern_rules import RULES, Stack, expr_of
from depyf.decompile.structure.pattern_text import Refused, Value, pattern_text

_STORES = frozenset(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))
# Far more than a pattern has, to stop in code that is none.
_STEPS = 10_000


class Case:
    """One `case` as it was found: its text and where success and failure lead."""

    __slots__ = (
        "start",
        "text",
        "success",
        "failure",
        "keeps_subject",
        "bodies",
        "copies",
        "pop",
        "tests",
        "never",
    )

    def __init__(self, start: Cursor, keeps_subject: bool) -> None:
        self.start = start
        self.keeps_subject = keeps_subject
        self.text = "_"
        self.success = start
        # None when the pattern always matches.
        self.failure: Optional[Cursor] = None
        # Places behind a guard where the subject is popped.
        self.bodies: List[Cursor] = []
        # Places where a guard fails into a copy of what stands at `failure`.
        self.copies: List[Cursor] = []
        # Where the subject is popped without a guard.
        self.pop: Optional[Cursor] = None
        # Whether anything was asked of the subject.
        self.tests = False
        # `case p if False`: whatever the pattern says, the next case is tried.
        self.never = False


class Alternative:
    """A place where a failure lands with `height` values left, to try the next alternative."""

    __slots__ = ("height", "cursor")

    def __init__(self, height: int, cursor: Cursor) -> None:
        self.height = height
        self.cursor = cursor


class Machine:
    """Runs one case. The subject is the value at the bottom of the stack."""

    def __init__(self, scope: Scope, keeps_subject: bool) -> None:
        self.scope = scope
        # How many values are left where the whole case fails.
        self.failed_height = 1 if keeps_subject else 0
        self.failures: List[Cursor] = []
        self.steps = 0
        self.branches = 0
        self.context: Tuple[object, ...] = ()

    def read(self, start: Cursor) -> Case:
        self.context = start.block.context
        subject = Value("subject")
        case = Case(start, bool(self.failed_height))
        go = self.run_on_copy if case.keeps_subject else self.run
        case.success, stack, landed = go(start, [subject], self.failed_height)
        if landed or len(stack) != self.failed_height:
            raise Refused("values are left")
        case.text = pattern_text(subject.copy if case.keeps_subject else subject)
        case.tests = self.branches > 0
        if self.failures:
            case.failure = one_place(self.failures)
        return case

    def run_on_copy(
        self, cursor: Cursor, stack: Stack, floor: int
    ) -> Tuple[Cursor, Stack, Dict[int, Cursor]]:
        """Run what starts by copying the value at the top, which itself stays untouched."""
        op = cursor.op()
        assert op is not None
        self.step(op, stack)
        return self.run(cursor.next(), stack, floor)

    def run(
        self, cursor: Cursor, stack: Stack, floor: int
    ) -> Tuple[Cursor, Stack, Dict[int, Cursor]]:
        """Go on until an operation touches what lies below `floor`.

        Returns where that is, the stack, and where failures landed at or below the floor.
        """
        waiting: List[Alternative] = []
        landed: Dict[int, Cursor] = {}
        while not len(stack) == floor == self.failed_height:
            cursor = cursor.settled()
            op = cursor.op()
            self.check(cursor.block)
            if op is None:
                cursor, failure = self.branch(cursor.block, stack)
                self.note(self.land(failure, len(stack)), floor, waiting, landed)
                continue
            lowest = len(stack) - stack_effect(op)[0]
            if waiting and lowest < waiting[-1].height:
                cursor, stack = self.join(waiting, cursor, stack, floor, landed)
            elif lowest < floor:
                break
            else:
                self.step(op, stack)
                cursor = cursor.next()
        return cursor.settled(), stack, landed

    def check(self, block: Block) -> None:
        self.steps += 1
        if self.steps > _STEPS:
            raise Refused("too long")
        if block.context != self.context:
            raise Refused("a pattern in two regions")

    def note(
        self,
        landing: Alternative,
        floor: int,
        waiting: List[Alternative],
        landed: Dict[int, Cursor],
    ) -> None:
        """Remember where a failure landed, for whoever tries what stands there."""
        height, cursor = landing.height, landing.cursor
        if height == self.failed_height:
            self.failures.append(cursor)
        elif height <= floor:
            _agree(landed.setdefault(height, cursor), cursor)
        else:
            for other in waiting:
                if other.height == height:
                    _agree(other.cursor, cursor)
                    return
            waiting.append(landing)
            waiting.sort(key=lambda each: each.height)

    def land(self, failure: Block, height: int) -> Alternative:
        """Follow the pops on the way of failure."""
        cursor = Cursor(failure, 0).settled()
        while height > self.failed_height:
            op = cursor.op()
            if op is None or op.name != "POP_TOP":
                if op is None or op.name != "COPY" or op.arg != 1:
                    raise Refused("a failure that does not pop its values")
                break
            height -= 1
            cursor = cursor.next().settled()
        return Alternative(height, cursor)

    def join(
        self,
        waiting: List[Alternative],
        cursor: Cursor,
        stack: Stack,
        floor: int,
        landed: Dict[int, Cursor],
    ) -> Tuple[Cursor, Stack]:
        """The first alternative is complete: run the others up to the same place."""
        height, following = waiting[-1].height, waiting.pop().cursor
        subject = stack[height - 1]
        subject.take_alternative()
        stacks = [stack]
        ends = [cursor]
        while True:
            end, other, landings = self.run_on_copy(following, stack[:height], height)
            subject.take_alternative()
            stacks.append(other)
            ends.append(end)
            more = landings.pop(height, None)
            for lower, place in landings.items():
                self.note(Alternative(lower, place), floor, waiting, landed)
            if more is None:
                break
            following = more
        if any(len(other) != len(stack) for other in stacks):
            raise Refused("alternatives capture different names")
        merged = [_merge(values) for values in zip(*(each[height:] for each in stacks))]
        return one_place(ends), stack[:height] + merged

    def branch(self, block: Block, stack: Stack) -> Tuple[Cursor, Block]:
        """(where success leads, where failure leads)"""
        if block.kind != BRANCH or not stack or stack[-1].kind != "flag":
            raise Refused("control goes elsewhere")
        self.branches += 1
        flag = stack.pop()
        then, otherwise = block.succs
        if flag.negated:
            then, otherwise = otherwise, then
        return Cursor(then, 0), otherwise

    def step(self, op: Op, stack: Stack) -> None:
        name = op.name
        if stack and stack[-1].line is None:
            stack[-1].line = op.line
        rule = RULES.get(name)
        if rule is not None:
            rule(op, stack)
        elif name in _STORES:
            stack.pop().bind(self.store(op))
        else:
            self.expression(op, stack)

    def store(self, op: Op) -> str:
        if op.name == "STORE_GLOBAL":
            self.scope.globals.add(op.arg)
        elif op.name == "STORE_DEREF" and op.arg in self.scope.code.freevars:
            self.scope.nonlocals.add(op.arg)
        return self.scope.name(op.arg)

    def expression(self, op: Op, stack: Stack) -> None:
        """Names, attributes and constants are the only expressions in a pattern."""
        if op.name not in _EXPRESSIONS:
            raise Refused(op.name)
        pops = stack_effect(op)[0]
        operands = [expr_of(value) for value in stack[len(stack) - pops :]]
        evaluator = Evaluator(self.scope, operands, pure=True)
        evaluator.run([op])
        del stack[len(stack) - pops :]
        stack.extend(Value("expr", expr) for expr in evaluator.stack)


_EXPRESSIONS = frozenset(
    (
        "LOAD_CONST LOAD_FAST LOAD_NAME LOAD_GLOBAL LOAD_DEREF LOAD_CLASSDEREF LOAD_ATTR"
        " LOAD_LOCALS LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS"
    ).split()
)


def one_place(cursors: List[Cursor]) -> Cursor:
    """The place that all of them are: the last, where the compiler copied a short ending."""
    last = max(cursors, key=lambda each: (each.block.index, each.place))
    for cursor in cursors:
        _agree(last, cursor)
    return last


def _agree(one: Cursor, two: Cursor) -> None:
    if one.key() != two.key() and not one.same_code(two):
        raise Refused("control goes to different places")


def _merge(values: Tuple[Value, ...]) -> Value:
    return Value("merged", list(values))
