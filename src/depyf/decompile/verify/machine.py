"""A symbolic interpreter for one code object, which runs up to the next observable event.

What only moves values about (loads, stores, shuffles, tuples, jumps, tests of known values) is
done at once. Everything that could run other code, raise or be seen comes back as an Event with
its operands; the caller decides how it goes on. The rules per instruction are tables in the
`rules_` modules.
"""

from __future__ import annotations

from functools import lru_cache
from types import CodeType
from typing import Any, Callable, Dict, FrozenSet, List, Optional, Sequence, Set, Tuple, Union

from .header import argument_names
from .instructions import NOWHERE, SKIPPED, Instructions
from .opcode_kinds import EXTENDED_ARG, FAMILY_NAMES, JUMPS_WHEN_TRUE, VERSION, families_named
from .trust import NO_TRUST
from .values import LASTI, NULL, OUTER_EXCEPTION, Heap, Refused, Value, Values

# Where a side stands once an exception has left the frame; it is alone on the stack then.
PROPAGATED = -5
_SILENT_STEPS = 20_000

# Before 3.11: (kind, handler, stack level), as the interpreter keeps them.
FINALLY_BLOCK, HANDLER_BLOCK = "finally", "handler"
# And where control goes on at run time: at a handler, at what follows the call of a `finally`.
_BEGINS_HANDLER = families_named("SETUP_FINALLY SETUP_WITH SETUP_ASYNC_WITH CALL_FINALLY")
Block = Tuple[str, int, int]


class Side:
    """The state of one program: where it stands, and what its stack and variables hold."""

    __slots__ = ("blocks", "exc", "joined", "kwnames", "locals", "pc", "stack", "truth")

    def __init__(self, pc: int, locals_: Dict[str, Value]) -> None:
        self.pc = pc
        self.stack: List[Value] = []
        self.locals = locals_
        self.exc: Value = OUTER_EXCEPTION  # what sys.exc_info() tells
        self.truth: Value = NULL  # the answer of a truth test that the instruction waits for
        self.kwnames: Value = NULL
        self.blocks: Tuple[Block, ...] = ()
        self.joined = False  # whether control may have come here by more than one way

    def copy(self) -> Side:
        twin = Side(self.pc, dict(self.locals))
        twin.stack = list(self.stack)
        twin.exc, twin.truth, twin.kwnames = self.exc, self.truth, self.kwnames
        twin.blocks, twin.joined = self.blocks, self.joined
        return twin


Finish = Callable[[Side, Sequence[Value]], None]


class Event:
    """Something observable that a program is about to do.

    `outcomes` are the ways it can go on normally, each with how many results it has; a finish
    takes the results and moves the side behind the event.
    """

    __slots__ = ("inputs", "name", "operand", "outcomes", "raises", "rebinds", "shows_locals")

    def __init__(
        self,
        name: str,
        operand: object,
        inputs: Sequence[Value],
        outcomes: Sequence[Tuple[int, Finish]],
        raises: bool = True,
    ) -> None:
        self.name = name
        self.operand = operand
        self.inputs = list(inputs)
        self.outcomes = list(outcomes)
        self.raises = raises
        self.rebinds: Optional[Value] = None  # a variable proven bound by the event
        self.shows_locals = False


class Split:
    """A program branches on a truth that is not known: both ways must be looked at."""

    __slots__ = ("condition",)

    def __init__(self, condition: Value) -> None:
        self.condition = condition


Stop = Union[Event, Split]
Rule = Callable[["Machine", Side, Any], Optional[Stop]]
RULES: Dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    def register(function: Rule) -> Rule:
        for name in names:
            assert name not in RULES, f"two rules for {name}"
            RULES[name] = function
        return function

    return register


@lru_cache(maxsize=None)
def _rules_by_family() -> List[Optional[Rule]]:
    """Asked for when the first machine is made: by then all rules are there."""
    return [RULES.get(name) for name in FAMILY_NAMES]


class Machine:
    """The program of one side. `heap` and `facts` are those of the state it is working on."""

    __slots__ = (
        "_rules", "code", "constant", "facts", "heap", "instructions", "invented", "joins",
        "trust", "values",
    )  # fmt: skip

    def __init__(self, instructions: Instructions, values: Values, is_original: bool) -> None:
        self.instructions = instructions
        self.code: CodeType = instructions.code
        self.values = values
        self.heap: Heap = {}
        self.facts: Dict[Value, bool] = {}
        self.joins = _joins(instructions)
        self.constant = values.constant if is_original else values.candidate_constant
        self.trust = NO_TRUST
        self.invented: FrozenSet[str] = frozenset()  # locals that the original does not have
        self._rules = _rules_by_family()

    def start(self) -> Side:
        return Side(self.instructions.start, _first_locals(self.instructions))

    def advance(self, side: Side) -> Stop:
        """Runs on to the next event or branch, where the side then stands."""
        instructions = self.instructions
        families, operands = instructions.families, instructions.operands
        deepest = max(1, self.code.co_stacksize)  # RETURN_CONST does without a stack
        for _ in range(_SILENT_STEPS):
            pc = side.pc
            if len(side.stack) > deepest:
                raise Refused("the stack grows beyond its size")
            if pc == PROPAGATED:
                return Event("leave by exception", None, side.stack, [], raises=False)
            if families[pc] == SKIPPED:
                pc = side.pc = instructions.settle(pc)
            if pc in self.joins:
                side.joined = True
            family = families[pc]
            found = self._rules[family] if family >= 0 else None
            if found is None:
                raise Refused(f"nothing is known about {instructions.describe(pc)}")
            stop = found(self, side, operands[pc])
            if stop is not None:
                return stop
        raise Refused("goes on for too long without an effect")

    def follow(self, side: Side) -> int:
        return self.instructions.follow[side.pc]

    def step(self, side: Side) -> None:
        side.pc = self.instructions.follow[side.pc]

    def target(self, side: Side) -> int:
        return self.instructions.target[side.pc]

    def jumps_when_true(self, side: Side) -> bool:
        raw, offset = self.code.co_code, side.pc
        while raw[offset] == EXTENDED_ARG:
            offset += 2
        return JUMPS_WHEN_TRUE[raw[offset]]

    def is_at(self, offset: int, family: str) -> bool:
        number = self.instructions.families[offset]
        return number >= 0 and FAMILY_NAMES[number] == family

    def event(
        self,
        side: Side,
        name: str,
        operand: object,
        pops: int,
        pushes: int,
        inputs: Optional[Sequence[Value]] = None,
        raises: bool = True,
    ) -> Event:
        """The regular kind: takes the top of the stack, leaves its results there."""
        base = len(side.stack) - pops
        if base < 0:
            raise Refused("the stack runs empty")
        taken = side.stack[base:] if inputs is None else inputs
        after = self.follow(side)

        def finish(ahead: Side, results: Sequence[Value]) -> None:
            del ahead.stack[base:]
            ahead.stack.extend(results)
            ahead.pc = after

        return Event(name, operand, taken, [(pushes, finish)], raises)

    def may_be_caught(self, side: Side) -> bool:
        handlers = self.instructions.handlers
        return bool(side.blocks) or (
            side.pc >= 0 and handlers is not None and handlers[side.pc] is not None
        )

    def unwind(self, side: Side, exception: Value) -> None:
        """Moves the side to where an exception raised at its place is handled."""
        side.truth = side.kwnames = NULL
        if VERSION < (3, 11):
            unwind_blocks(side, exception)
            return
        handlers = self.instructions.handlers
        handler = handlers[side.pc] if handlers is not None else None
        if handler is None:
            _leave(side, exception)
            return
        target, depth = handler
        if len(side.stack) < depth >> 1:
            raise Refused("an exception handler expects more on the stack than there is")
        del side.stack[depth >> 1 :]
        if depth & 1:
            side.stack.append(LASTI)
        side.stack.append(exception)
        side.pc = target


def _leave(side: Side, exception: Value) -> None:
    side.stack = [exception]
    side.pc = PROPAGATED


def exception_triple(exception: Value) -> List[Value]:
    """How an exception stands on the stack before 3.11, bottom first."""
    return [("tb", exception), ("val", exception), ("type", exception)]


def pop_triple(side: Side) -> Value:
    kind, value, traceback = side.stack.pop(), side.stack.pop(), side.stack.pop()
    tags = (kind[0], value[0], traceback[0])
    if tags != ("type", "val", "tb") or not kind[1] == value[1] == traceback[1]:
        raise Refused("what is raised again is not an exception that was caught")
    exception: Value = kind[1]
    return exception


def leave_handler(side: Side, level: int) -> None:
    """Ends an except block before 3.11: the stack shrinks, the previous exception is back."""
    if len(side.stack) < level + 3:
        raise Refused("the end of a handler expects more on the stack than there is")
    del side.stack[level + 3 :]
    side.exc = pop_triple(side)


def unwind_blocks(side: Side, exception: Value) -> None:
    while side.blocks:
        kind, handler, level = side.blocks[-1]
        side.blocks = side.blocks[:-1]
        if kind == HANDLER_BLOCK:
            leave_handler(side, level)
            continue
        if len(side.stack) < level:
            raise Refused("an exception handler expects more on the stack than there is")
        del side.stack[level:]
        side.blocks = (*side.blocks, (HANDLER_BLOCK, NOWHERE, level))
        side.stack += exception_triple(side.exc) + exception_triple(exception)
        side.exc = exception
        side.pc = handler
        return
    _leave(side, exception)


def _joins(instructions: Instructions) -> Set[int]:
    """Places that control can reach by more than one way: every loop has one."""
    families, follow, target = instructions.families, instructions.follow, instructions.target
    # The last one counts what leads nowhere.
    ways = [0] * (len(families) + 1)
    for after in follow:
        ways[after] += 1
    for after in target:
        ways[after] += 1
    ways[-1] = 0
    ways[instructions.start] += 1
    found = {offset for offset, count in enumerate(ways) if count > 1}
    if instructions.handlers is not None:
        found.update(handler[0] for handler in instructions.handlers if handler is not None)
    if VERSION < (3, 11):
        entering = [offset for offset, family in enumerate(families) if family in _BEGINS_HANDLER]
        found.update(target[offset] for offset in entering)
        found.update(follow[offset] for offset in entering)
    return {
        instructions.settle(offset) if families[offset] == SKIPPED else offset
        for offset in found
        if offset >= 0
    }


def cell_slot(code: CodeType, name: str) -> str:
    """Where the cell of a variable is kept: since 3.11 in the slot of the variable, if any."""
    if name.startswith("cell ") or (VERSION >= (3, 11) and name in code.co_varnames):
        return name
    return "cell " + name


def _first_locals(instructions: Instructions) -> Dict[str, Value]:
    code = instructions.code
    if set(code.co_cellvars) & set(code.co_freevars):
        raise Refused("a variable is a cell and free at once")
    found: Dict[str, Value] = dict.fromkeys(code.co_varnames, NULL)
    found.update((name, ("param", name)) for name in argument_names(code))
    made, copied = instructions.cells_made
    if VERSION >= (3, 11):
        if copied != len(code.co_freevars):
            raise Refused("the free variables are not all taken over")
        found.update((cell_slot(code, name), NULL) for name in code.co_cellvars)
        found.update((cell_slot(code, name), ("cell", name)) for name in made)
    else:
        found.update((name, NULL) for name in code.co_cellvars if name in found)
        found.update(("cell " + name, ("cell", name)) for name in code.co_cellvars)
    found.update(("cell " + name, ("cell", name)) for name in code.co_freevars)
    return found
