"""The pass itself: simplifies the beginning of a frame, up to where control comes together.

From the entry on, every block that has one predecessor and no handler is run symbolically; where
such a block leads to any other, the locals and the stack are put in place as they would be.
"""

from __future__ import annotations

from functools import partial
from typing import Callable, Dict, List, Optional, Set, Tuple

from depyf.decompile.decode.ops import Op, stack_effect
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, JUMP, Block, Graph, prune, reachable
from depyf.decompile.simplify import symbolic_calls  # noqa: F401  (registers rules)
from depyf.decompile.simplify.rebuild import (
    ASSIGN,
    LEAVE,
    Names,
    Writer,
    count_uses,
    forget_uses,
    leaves,
)
from depyf.decompile.simplify.release import Releaser
from depyf.decompile.simplify.spelling import spelled_alike
from depyf.decompile.simplify.symbolic import CannotSimplify, Runner, has_rule
from depyf.decompile.simplify.values import (
    UNBOUND,
    Constant,
    Effect,
    Facts,
    Result,
    State,
    Unbound,
    Value,
    Variable,
    meant,
)

_READS = frozenset(("LOAD_FAST", "DELETE_FAST", "LOAD_AND_CLEAR", "LOAD_CLOSURE", "LOAD_DEREF"))
_WRITES = frozenset(("STORE_FAST", "DELETE_FAST", "LOAD_AND_CLEAR"))
# Behind these a frame only hands its values on, to a last call or its caller. What that call must
# not find alive is given up before it (see `release`).
_HANDS_ON = frozenset(
    "LOAD_CONST LOAD_FAST LOAD_GLOBAL LOAD_DEREF LOAD_CLOSURE LOAD_ATTR STORE_FAST DELETE_FAST "
    "POP_TOP COPY SWAP ROT PUSH_NULL BUILD_LIST BUILD_TUPLE BUILD_SLICE LIST_EXTEND LIST_APPEND "
    "LIST_TO_TUPLE BUILD_UNPACK SUBSCR SLICE STORE_SUBSCR STORE_SLICE DELETE_SUBSCR BUILD_MAP "
    "BUILD_CONST_KEY_MAP TEST_NONE UNPACK RETURN".split()
)
_CALLS = frozenset(("CALL", "CALL_EX", "CALL_KW"))
_OF_LOCALS = frozenset(("LOAD_FAST", "STORE_FAST", "DELETE_FAST"))
_MOST_TRIALS = 1000

# Operations for each list of effects, and what stands in them for names that are yet to be made.
Written = Tuple[List[List[Op]], List[str]]


def simplify(graph: Graph, facts: Facts, new_name: Callable[[], str]) -> bool:
    """Simplify the graph in place; False when there is nothing this pass can do for it."""
    try:
        frame = _Frame(graph, facts)
        frame.run()
        frame.rebuild(new_name)
    except CannotSimplify:
        return False
    return True


class _Frame:
    def __init__(self, graph: Graph, facts: Facts) -> None:
        self.graph = graph
        self.facts = facts
        self.effects: Dict[Block, List[Effect]] = {}
        # Behind a loop that stays as it is: the block before the loop.
        self.before: Dict[Block, Block] = {}
        # Cut off, because they begin with something that has no rule.
        self.left: Set[Block] = set()

    def run(self) -> None:
        entry = self.graph.entry
        if not self._may_run(entry, None):
            raise CannotSimplify("the frame begins with something else")
        work: List[Tuple[Block, State]] = [(entry, State([], self._first_locals()))]
        while work:
            block, state = work.pop()
            self._cut(block, len(state.stack))
            runner = Runner(state, self.facts, partial(self._may_forget, block))
            runner.effects = self.effects.setdefault(block, [])
            self._check_stores(block)
            runner.run(block.ops)
            if block.kind == BRANCH and not self._is_decided(block, state):
                runner.effects.append(
                    Effect(Op.of(LEAVE, None, -1, None), [runner.operand(runner.take(1)[0])], 0)
                )
            for succ in reversed(list(block.succs)):
                if self._may_run(succ, block):
                    twin = state.copy()
                    if succ.handler is not None and succ.handler is not block.handler:
                        self._protect(block, succ.handler, twin)
                    if block.kind == JUMP and succ.handler is block.handler:
                        # Nothing but a jump stands between the two: they are one.
                        self.effects[succ] = self.effects[block]
                    work.append((succ, twin))
                elif succ.kind == FOR and self._may_go_around(block, succ):
                    self.before[succ.succs[1]] = block
                    around = Runner(state.copy(), self.facts, runner.may_forget)
                    work.append((succ.succs[1], self._go_around(block, succ, around)))
                else:
                    self._arrive(block, succ, Runner(state.copy(), self.facts, runner.may_forget))

    def _cut(self, block: Block, depth: int) -> None:
        """Leave the statement that has no rule, and all behind it, to a block that stays."""
        unknown = [place for place, op in enumerate(block.ops) if not has_rule(op)]
        if not unknown:
            return
        place = _statement_around(block.ops, unknown[0], depth)
        rest = self.graph.new_block(block, block.ops[place:], block.kind)
        rest.set_succs(list(block.succs))
        block.set_succs([rest])
        block.ops, block.kind = block.ops[:place], JUMP
        self.left.add(rest)

    def _is_decided(self, block: Block, state: State) -> bool:
        """Leave only the way that a known condition leads, if it is known."""
        condition = meant(state.stack[-1])
        if not isinstance(condition, Constant) or type(condition.value) is not bool:
            return False
        state.stack.pop()
        block.kind = JUMP
        block.set_succs([block.succs[0 if condition.value else 1]])
        prune(self.graph)
        return True

    def _may_go_around(self, block: Block, header: Block) -> bool:
        """Whether a loop minds its own business: one way in, one way out, its own stack."""
        body, after = _body(header), header.succs[1]
        return (
            block.kind == JUMP
            and block.handler is None
            and all(each.handler is None for each in body)
            and after not in body
            and after.preds == [header]
            and set(header.preds) - body == {block}
            and all(succ in body for each in body - {header} for succ in each.succs)
            and all(each.kind != EXIT for each in body)
            and _keeps_to_itself(header, body)
        )

    def _go_around(self, block: Block, header: Block, runner: Runner) -> State:
        """The state behind a loop that stays as it is."""
        body = _body(header)
        read = _names_read(body)
        written = {op.arg for each in body for op in each.ops if op.name in _WRITES}
        state = runner.state
        iterator = runner.operand(runner.take(1)[0])
        here = self.effects[block]
        for value in _still_needed(state, written):
            runner.keep(value, header.ops[0])
        changed = [n for n, value in state.locals.items() if _moves(n, value, read | written)]
        values = [runner.operand(meant(state.locals[name])) for name in changed]
        here += runner.effects
        if changed:
            self._place(Effect(Op.of(ASSIGN, tuple(changed), -1, None), values, 0), here)
        left = Effect(Op.of(LEAVE, None, -1, None), [iterator], 0)
        left.reads = [name for name in state.locals if name in read and name not in changed]
        left.writes = sorted(written)
        here.append(left)
        state.locals.update((name, Variable(name)) for name in {*changed, *written})
        left.held = state.everything()
        return state

    def _first_locals(self) -> Dict[str, Value]:
        code = self.graph.program.code
        found: Dict[str, Value] = dict.fromkeys(code.varnames, UNBOUND)
        found.update((name, Variable(name)) for name in code.varnames[: code.parameter_count])
        return found

    def _may_run(self, block: Block, pred: Optional[Block]) -> bool:
        preds = [] if pred is None else [pred]
        return (
            block not in self.left
            and (block.handler is None or _only_cleans_up(block.handler))
            and block.kind in (JUMP, BRANCH, EXIT)
            and block.preds == preds
        )

    def _protect(self, block: Block, handler: Block, state: State) -> None:
        """Put the locals in place that a handler reads, and let nothing lie on its stack."""
        if block.kind != JUMP:
            raise CannotSimplify("a branch leads into a protected block")
        runner = Runner(state, self.facts, lambda op: False)
        read = _names_read({handler} | _behind(handler))
        moved = [name for name, value in state.locals.items() if _moves(name, value, read)]
        values = [runner.operand(meant(state.locals[name])) for name in moved]
        runner.effects.append(Effect(Op.of(ASSIGN, tuple(moved), -1, None), values, 0))
        for name in moved:
            state.locals[name] = Variable(name)
        self.effects[block] += runner.effects
        self.graph.program.handler_depths[handler.index] = 0

    def _check_stores(self, block: Block) -> None:
        """What a handler reads may not change while it is in force."""
        if block.handler is None:
            return
        read = _names_read({block.handler} | _behind(block.handler))
        if any(op.name in ("STORE_FAST", "DELETE_FAST") and op.arg in read for op in block.ops):
            raise CannotSimplify("a protected block changes what its handler reads")

    def _may_forget(self, block: Block, op: Op) -> bool:
        """Whether all that follows `op` is to hand values on, to one last call or the caller.

        Then what a local refers to lives on as an argument or a result whether it is deleted or
        not, and the deletion is of no use to anyone.
        """
        following = [block.ops[block.ops.index(op) + 1 :]]
        following += [each.ops for each in _behind(block)]
        return all(_hands_on(ops) for ops in following)

    def _arrive(self, block: Block, succ: Block, runner: Runner) -> None:
        """Put locals and stack in place on the way from `block` to `succ`."""
        read = _names_read({succ} | _behind(succ))
        state = runner.state
        changed: List[str] = []
        values: List[Value] = []
        for name, value in state.locals.items():
            value = meant(value)
            if _moves(name, value, read):
                changed.append(name)
                values.append(runner.operand(value))
        stack = [runner.operand(value) for value in state.stack]
        here = self.effects[block] if block.kind == JUMP else []
        here += runner.effects
        if changed:
            self._place(Effect(Op.of(ASSIGN, tuple(changed), -1, None), values, 0), here)
        left = Effect(Op.of(LEAVE, None, -1, None), stack, 0)
        left.held = [value for name, value in state.locals.items() if _is_under(name, value)]
        left.held += map(Variable, changed)
        left.reads = [name for name in state.locals if name in read and name not in changed]
        here.append(left)
        if block.kind == JUMP:
            return
        between = self.graph.new_block(succ, [], JUMP)
        between.handler = None
        block.redirect(succ, between)
        between.set_succs([succ])
        self.effects[between] = here

    def _place(self, assignment: Effect, before: List[Effect]) -> None:
        """Assign as early as it is the same, so that what a loop iterates over comes last."""
        targets = set(assignment.op.arg)
        made_by = [
            value.effect for value in leaves(assignment.operands) if isinstance(value, Result)
        ]
        place = len(before)
        while place and before[place - 1] not in made_by:
            effect = before[place - 1]
            read = {value.name for value in leaves(effect.operands) if isinstance(value, Variable)}
            if targets & read.union(effect.reads, effect.writes, effect.wanted.values()):
                break
            if effect.op.name in (LEAVE, ASSIGN, "DELETE_FAST"):
                break
            place -= 1
        before.insert(place, assignment)

    def rebuild(self, new_name: Callable[[], str]) -> None:
        lists = {id(effects): effects for effects in self.effects.values()}
        written, stand_ins = self._released(list(lists.values()))
        _rename(written, {each: new_name() for each in stand_ins})
        ops_of = dict(zip(lists, written))
        for block, effects in self.effects.items():
            block.ops = ops_of.pop(id(effects), [])
        forget_uses(list(lists.values()))
        for block in self.graph.blocks():
            if block not in self.effects:
                block.ops = spelled_alike(block.ops)

    def _released(self, lists: List[List[Effect]]) -> Written:
        """Write the effects until no variable holds anything for longer than the frame."""
        parents: Dict[int, Optional[List[Effect]]] = {}
        for block, effects in self.effects.items():
            before = [self.before.get(block, pred) for pred in block.preds]
            found = [self.effects[each] for each in before if each in self.effects]
            parents.setdefault(id(effects), found[0] if found else None)
        releaser = Releaser([(each, parents[id(each)]) for each in lists], self.facts.scratch)
        for _ in range(_MOST_TRIALS):
            written, stand_ins = _written(lists)
            if not releaser.improve(set(stand_ins)):
                return written, stand_ins
        raise CannotSimplify("there is no end to what it holds")


def _written(lists: List[List[Effect]]) -> Written:
    """Give every effect the variables it needs; no real name has spaces as the new ones have."""
    stand_ins: List[str] = []

    def stand_in() -> str:
        stand_ins.append(f"a new name {len(stand_ins)}")
        return stand_ins[-1]

    count_uses(lists)
    names = Names(lists, stand_in)
    return [Writer(names).write(effects) for effects in lists], stand_ins


def _rename(written: List[List[Op]], names: Dict[str, str]) -> None:
    for ops in written if names else ():
        for op in ops:
            if op.name in _OF_LOCALS:
                op.arg = names.get(op.arg, op.arg)


def _statement_around(ops: List[Op], place: int, depth: int) -> int:
    """The last place up to `place` where nothing lies on the stack; 0 if there is none."""
    found = 0
    for before, op in enumerate(ops[: place + 1]):
        if not depth:
            found = before
        pops, pushes = stack_effect(op)
        depth += pushes - pops
    return found


def _moves(name: str, value: Value, read: Set[str]) -> bool:
    """Whether the local of that name is read and does not hold the value yet."""
    value = meant(value)
    if name not in read or isinstance(value, Unbound):
        return False
    return not isinstance(value, Variable) or value.name != name


def _is_under(name: str, value: Value) -> bool:
    """Whether a value is likely to be in the variable of that name when effects are written."""
    value = meant(value)
    if isinstance(value, Result):
        return value.effect.wanted.get(value.index) == name
    return isinstance(value, Variable)


def _names_read(blocks: Set[Block]) -> Set[str]:
    return {op.arg for block in blocks for op in block.ops if op.name in _READS}


def _body(header: Block) -> Set[Block]:
    """The blocks of a loop, its header among them."""
    found, work = {header}, [header.succs[0]]
    while work:
        block = work.pop()
        if block not in found:
            found.add(block)
            work += block.succs
    return found


def _keeps_to_itself(header: Block, body: Set[Block]) -> bool:
    """Whether a loop never touches what lies on the stack below its iterator."""
    depths = {header.succs[0]: 2}
    work = [header.succs[0]]
    while work:
        block = work.pop()
        depth = depths[block]
        for op in block.ops:
            pops, pushes = stack_effect(op)
            if depth - pops < 1 or (op.name == "FOR_ITER" and depth < 2):
                return False
            depth += pushes - pops
        if block.kind not in (JUMP, BRANCH):
            return False
        after = depth - (block.kind == BRANCH)
        for succ in block.succs:
            if succ is header:
                if after != 1:
                    return False
            elif succ not in depths:
                depths[succ] = after
                work.append(succ)
    return True


def _still_needed(state: State, written: Set[str]) -> List[Value]:
    """Values that lie in locals which are about to be written, and that others refer to as well."""
    others = State(state.stack, {n: v for n, v in state.locals.items() if n not in written})
    return [
        value
        for value in others.everything()
        if isinstance(value, Variable) and value.name in written
    ]


def _only_cleans_up(handler: Block) -> bool:
    """Whether a handler always raises again: nothing that lies below it is read any more."""
    return all(
        block.kind != EXIT or block.ops[-1].name in ("RERAISE", "RAISE")
        for block in {handler} | _behind(handler)
    )


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
