"""The pass itself: simplifies the beginning of a frame, up to where control comes together.

From the entry on, every block that has one predecessor and no handler is run symbolically; where
such a block leads to any other, the locals and the stack are put in place as they would be.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op
from depyf.decompile.flow.graph import BRANCH, EXIT, JUMP, Block, Graph, reachable
from depyf.decompile.simplify.rebuild import (
    ASSIGN,
    LEAVE,
    Names,
    Writer,
    count_uses,
)
from depyf.decompile.simplify.symbolic import CannotSimplify, Runner
from depyf.decompile.simplify.values import (
    UNBOUND,
    Effect,
    Facts,
    State,
    Unbound,
    Value,
    Variable,
    meant,
)

_READS = frozenset(("LOAD_FAST", "DELETE_FAST", "LOAD_AND_CLEAR", "LOAD_CLOSURE", "LOAD_DEREF"))
# Behind these a frame only hands its values on, so that nothing is kept alive for long.
_HANDS_ON = frozenset(
    "LOAD_CONST LOAD_FAST LOAD_GLOBAL LOAD_DEREF LOAD_CLOSURE LOAD_ATTR STORE_FAST DELETE_FAST "
    "POP_TOP COPY SWAP ROT PUSH_NULL BUILD_LIST BUILD_TUPLE BUILD_SLICE LIST_EXTEND LIST_APPEND "
    "LIST_TO_TUPLE SUBSCR SLICE STORE_SUBSCR DELETE_SUBSCR BUILD_MAP BUILD_CONST_KEY_MAP "
    "TEST_NONE UNPACK RETURN".split()
)
_CALLS = frozenset(("CALL", "CALL_EX", "CALL_KW"))


def simplify(graph: Graph, facts: Facts, new_name: Callable[[], str]) -> bool:
    """Simplify the graph in place; False when there is nothing this pass can do for it."""
    try:
        frame = _Frame(graph, facts)
        frame.run()
    except CannotSimplify:
        return False
    frame.rebuild(new_name)
    return True


class _Frame:
    def __init__(self, graph: Graph, facts: Facts) -> None:
        self.graph = graph
        self.facts = facts
        self.effects: Dict[Block, List[Effect]] = {}

    def run(self) -> None:
        entry = self.graph.entry
        if not self._may_run(entry, None):
            raise CannotSimplify("the frame begins with something else")
        work: List[Tuple[Block, State]] = [(entry, State([], self._first_locals()))]
        while work:
            block, state = work.pop()
            runner = Runner(state, self.facts, lambda op, at=block: self._may_forget(at, op))
            runner.run(block.ops)
            if block.kind == BRANCH:
                runner.effects.append(
                    Effect(Op(LEAVE, None, -1, None), [runner.operand(runner.take(1)[0])], 0)
                )
            self.effects[block] = runner.effects
            for succ in reversed(list(block.succs)):
                if self._may_run(succ, block):
                    work.append((succ, state.copy()))
                else:
                    self._arrive(block, succ, Runner(state.copy(), self.facts, runner.may_forget))

    def _first_locals(self) -> Dict[str, Value]:
        code = self.graph.program.code
        stars = bool(code.flags & 0x04) + bool(code.flags & 0x08)
        count = code.argcount + code.kwonlyargcount + stars
        found: Dict[str, Value] = {name: UNBOUND for name in code.varnames}
        found.update((name, Variable(name)) for name in code.varnames[:count])
        return found

    def _may_run(self, block: Block, pred: Optional[Block]) -> bool:
        preds = [] if pred is None else [pred]
        return (
            block.handler is None
            and block.kind in (JUMP, BRANCH, EXIT)
            and block.preds == preds
            and block not in self.effects
        )

    def _may_forget(self, block: Block, op: Op) -> bool:
        """Whether all that follows `op` is to hand values on, to one last call or the caller.

        Then what a local refers to lives on as an argument or a result whether it is deleted or
        not, and the deletion is of no use to anyone.
        """
        place = next(i for i, each in enumerate(block.ops) if each is op)
        following = [block.ops[place + 1 :]]
        following += [each.ops for each in _behind(block)]
        return all(_hands_on(ops) for ops in following)

    def _arrive(self, block: Block, succ: Block, runner: Runner) -> None:
        """Put locals and stack in place on the way from `block` to `succ`."""
        read = {op.arg for each in _behind(succ) | {succ} for op in each.ops if op.name in _READS}
        state = runner.state
        changed: List[str] = []
        values: List[Value] = []
        for name, value in state.locals.items():
            value = meant(value)
            if name in read and not isinstance(value, Unbound) and not _is_at(value, name):
                changed.append(name)
                values.append(runner.operand(value))
        if changed:
            op = Op(ASSIGN, tuple(changed), -1, None)
            runner.effects.append(Effect(op, values, 0))
        stack = [runner.operand(value) for value in state.stack]
        left = Effect(Op(LEAVE, None, -1, None), stack, 0)
        left.reads = [name for name in state.locals if name in read and name not in changed]
        runner.effects.append(left)
        if block.kind == JUMP:
            self.effects[block] += runner.effects
            return
        between = self.graph.new_block(succ, [], JUMP)
        between.handler = None
        block.redirect(succ, between)
        between.set_succs([succ])
        self.effects[between] = runner.effects

    def rebuild(self, new_name: Callable[[], str]) -> None:
        blocks = list(self.effects.values())
        count_uses(blocks)
        names = Names(blocks, new_name)
        for block, effects in self.effects.items():
            block.ops = Writer(names).write(effects)


def _is_at(value: Value, name: str) -> bool:
    """Whether a value lies untouched in the local of that name."""
    return isinstance(value, Variable) and value.name == name


def _behind(block: Block) -> Set[Block]:
    found: Set[Block] = set()
    for succ in block.succs:
        found |= reachable(succ)
    return found


def _hands_on(ops: List[Op]) -> bool:
    for op, after in zip(ops, [*ops[1:], None]):
        if op.name in _CALLS:
            if after is None or after.name != "RETURN":
                return False
        elif op.name not in _HANDS_ON:
            return False
    return True
