"""A tree of blocks -> statements: runs the evaluator along the tree and carries the stack.

The stack holds what statements keep there (iterators, exit functions, exceptions) as markers;
at the start of every suite it is what its statement leaves, and where suites meet again their
stacks must agree, if need be through temporaries.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

from depyf.decompile.decode.ops import Op, Program
from depyf.decompile.expr import nodes
from depyf.decompile.expr.cases import CaseTest
from depyf.decompile.expr.evaluator import CannotEvaluate, Evaluator
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import COMPREHENSION, Scope
from depyf.decompile.expr.statements import Body, For, Handler, If, Match, Stmt, Try, While, With
from depyf.decompile.expr.stores import Receiver, slot
from depyf.decompile.flow.graph import EXIT, Block
from depyf.decompile.structure.tree_nodes import (
    IfTree,
    Jump,
    LoopTree,
    Tree,
    TryTree,
    gets_behind,
)

Stack = List[Expr]
_ACCUMULATORS = frozenset(("BUILD_LIST", "BUILD_SET", "BUILD_MAP"))


class Walker:
    """Walks one code object's tree."""

    def __init__(self, program: Program, scope: Scope) -> None:
        self.program = program
        self.scope = scope
        self.accumulator: Optional[Expr] = None

    def function(self, tree: Tree) -> Body:
        first = tree[0] if tree else None
        stack: Stack = []
        if self.scope.kind == COMPREHENSION and isinstance(first, Block) and first.ops:
            if first.ops[0].name in _ACCUMULATORS and not first.ops[0].arg:
                self.accumulator = nodes.marker("accumulator")
                stack.append(self.accumulator)
                del first.ops[0]
        body, _stack = self.suite(tree, stack)
        return body

    def suite(self, tree: Tree, stack: Stack) -> Tuple[Body, Optional[Stack]]:
        """Statements and the stack behind them; None when control does not get there."""
        if not tree:
            return [], list(stack)
        evaluator = Evaluator(self.scope, list(stack))
        evaluator.accumulator = self.accumulator
        alive = True
        for node in tree:
            if isinstance(node, Block):
                _evaluate(node, evaluator)
                alive = node.kind != EXIT
            elif isinstance(node, IfTree):
                alive = self.branches(node, evaluator)
            elif isinstance(node, LoopTree):
                alive = self.loop(node, evaluator)
            elif isinstance(node, TryTree):
                alive = self.protected(node, evaluator)
            else:
                assert isinstance(node, Jump)
                evaluator.out.append(Stmt(node.word, node.word))
                alive = False
        return evaluator.out, evaluator.stack if alive else None

    def branches(self, tree: IfTree, evaluator: Evaluator) -> bool:
        clauses: List[Tuple[Expr, Body]] = []
        ends: List[Tuple[Body, Optional[Stack]]] = []
        op = _last_op(tree.clauses[0][0])
        test = evaluator.pop()
        evaluator.spill(op)
        for place, (block, negated, suite) in enumerate(tree.clauses):
            if place:
                test = self.test(block, evaluator.stack)
            body, stack = self.suite(suite, evaluator.stack)
            clauses.append((nodes.negate(test) if negated else test, body))
            ends.append((body, stack))
        orelse, stack = self.suite(tree.orelse, evaluator.stack)
        ends.append((orelse, stack))
        meeting = self.meet(ends, op)
        stmt = _match(clauses, orelse) if test.kind == "case" else _plain_if(clauses, orelse)
        stmt.offset, stmt.line = op.offset, op.line
        evaluator.out.append(stmt)
        if meeting is None:
            return False
        evaluator.stack[:] = meeting
        return True

    def test(self, block: Block, stack: Stack) -> Expr:
        """The condition that a block computes and nothing else."""
        evaluator = Evaluator(self.scope, list(stack))
        evaluator.accumulator = self.accumulator
        _evaluate(block, evaluator)
        if evaluator.out:
            raise CannotEvaluate("a condition contains a statement")
        return evaluator.pop()

    def meet(self, ends: List[Tuple[Body, Optional[Stack]]], op: Op) -> Optional[Stack]:
        """One stack for all ends of suites that control leaves."""
        alive = [(body, stack) for body, stack in ends if stack is not None]
        if not alive:
            return None
        first = alive[0][1]
        if len(alive) == 1:
            return first
        if any(len(stack) != len(first) for _body, stack in alive):
            raise CannotEvaluate(f"at offset {op.offset}: stacks of different depth meet")
        result: Stack = []
        for place, value in enumerate(first):
            values = [stack[place] for _body, stack in alive]
            if all(_same(value, other) for other in values):
                result.append(value)
            else:
                result.append(self.share(alive, place))
        return result

    def share(self, ends: List[Tuple[Body, Stack]], place: int) -> Expr:
        """A temporary that every end assigns its own value to."""
        temporary = self.scope.temporary()
        for body, stack in ends:
            value = stack[place]
            if value.kind in _MARKERS:
                raise CannotEvaluate("suites end with different markers on the stack")
            body.append(Stmt("temporary", f"{temporary.text} = {value.text}"))
        return temporary

    # Loops.

    def loop(self, tree: LoopTree, evaluator: Evaluator) -> bool:
        if tree.kind == "for":
            stmt: Stmt = self.for_loop(tree, evaluator)
        else:
            stmt = self.while_loop(tree, evaluator)
        op = _last_op(tree.header)
        stmt.offset, stmt.line = op.offset, op.line
        evaluator.out.append(stmt)
        return gets_behind(tree)

    def for_loop(self, tree: LoopTree, evaluator: Evaluator) -> For:
        op = tree.header.ops[-1]
        evaluator.run(tree.header.ops[:-1])
        iterator = evaluator.pop()
        evaluator.spill(op)
        receiver = Receiver()
        inner = evaluator.stack + [nodes.marker("loop"), slot(receiver, 0)]
        body, _stack = self.suite(tree.body, inner)
        if receiver.target is None:
            raise CannotEvaluate(f"at offset {op.offset}: a loop without a target")
        orelse, _stack = self.suite(tree.orelse, evaluator.stack)
        return For(receiver.target, _iterable(iterator), body, orelse, tree.header.is_async)

    def while_loop(self, tree: LoopTree, evaluator: Evaluator) -> While:
        op = _last_op(tree.header)
        evaluator.spill(op)
        test: Optional[Expr] = None
        if tree.kind == "while":
            test = self.test(tree.header, evaluator.stack)
            test = nodes.negate(test) if tree.negated else test
        body, _stack = self.suite(tree.body, evaluator.stack)
        orelse, _stack = self.suite(tree.orelse, evaluator.stack)
        return While(test, body, orelse)

    # try and with.

    def protected(self, tree: TryTree, evaluator: Evaluator) -> bool:
        kind = tree.region.kind
        op = _first_op(tree)
        if kind in ("with", "async with"):
            return self.with_statement(tree, evaluator, op)
        evaluator.spill(op)
        body, stack = self.suite(tree.body, evaluator.stack)
        orelse: Body = []
        if tree.orelse:
            orelse, stack = self.suite(tree.orelse, stack if stack is not None else evaluator.stack)
        handler, handled = self.suite(tree.handler, self.raised(tree, evaluator.stack))
        if kind == "finally":
            _drop_reraise(handler)
            stmt = Try(body, [], [], handler)
            meeting = self.meet([(body, stack)], op)
        else:
            stmt = Try(body, _clauses(handler), orelse, [], star=kind == "star")
            # A handler that ends has taken the exception off the stack, wherever it stood.
            after = None if handled is None else list(evaluator.stack)
            meeting = self.meet([(orelse or body, stack), (handler, after)], op)
        stmt.offset, stmt.line = op.offset, op.line
        evaluator.out.append(stmt)
        if meeting is None:
            return False
        evaluator.stack[:] = meeting
        return True

    def raised(self, tree: TryTree, stack: Stack) -> Stack:
        """The stack when the handler starts."""
        count = self.program.handler_pushes.get(tree.region.handler.index, 1)
        if self.program.exception_slots == 3:
            return stack + [nodes.marker("previous")] * 3 + [nodes.marker("exception")] * 3
        return stack + [nodes.marker("lasti")] * (count - 1) + [nodes.marker("exception")]

    def with_statement(self, tree: TryTree, evaluator: Evaluator, op: Op) -> bool:
        entered = evaluator.pop()
        if entered.kind != "enter":
            raise CannotEvaluate(f"at offset {op.offset}: a context manager that was not entered")
        manager, is_async = entered.parts
        base = list(evaluator.stack)
        receiver = Receiver()
        body, _stack = self.suite(tree.body, base + [slot(receiver, 0)])
        stmt = With([(manager, receiver.target)], body, is_async)
        stmt.offset, stmt.line = op.offset, op.line
        while evaluator.stack and evaluator.stack.pop().kind != "exit":
            pass
        evaluator.out.append(stmt)
        return True


def _evaluate(block: Block, evaluator: Evaluator) -> None:
    """Run a block, unless its expression is known from the folding of conditions."""
    known = block.pure
    stack = evaluator.stack
    # `:=` in the expression would have to save the locals that lie on the stack.
    if not isinstance(known, Expr) or (stack and "local" in [value.kind for value in stack]):
        evaluator.run(block.ops)
        return
    stack.append(known)
    if block.kind == EXIT:
        evaluator.run(block.ops[-1:])


_MARKERS = frozenset(
    (
        "loop",
        "exit",
        "exception",
        "null",
        "slot",
        "previous",
        "accumulator",
        "locals",
        "lasti",
        "enter",
        "iter",
    )
)


def _iterable(iterator: Expr) -> Expr:
    if iterator.kind == "iter":
        iterable: Expr = iterator.parts
        return iterable
    if iterator.kind == "local" and iterator.parts == ".0":
        return iterator
    raise CannotEvaluate("a loop over something that is no iterator")


def _same(first: Expr, second: Expr) -> bool:
    return first is second or (
        first.stable and second.stable and first.kind == second.kind and first.text == second.text
    )


def _last_op(block: Block) -> Op:
    return block.ops[-1] if block.ops else Op.of("NOP", None, -1, None)


def _first_op(tree: TryTree) -> Op:
    for node in tree.body:
        if isinstance(node, Block) and node.ops:
            return node.ops[0]
    return Op.of("NOP", None, -1, None)


def _plain_if(clauses: List[Tuple[Expr, Body]], orelse: Body) -> If:
    """Swap the branches when the test cannot be negated without changing its instruction."""
    test, body = clauses[0]
    if len(clauses) == 1 and test.kind == "negation" and not nodes.can_negate(test.parts):
        return If([(test.parts, orelse)], body)
    return If(clauses, orelse)


def _match(clauses: List[Tuple[Expr, Body]], orelse: Body) -> Match:
    tests: List[Tuple[CaseTest, Body]] = [(test.parts, body) for test, body in clauses]
    subject = tests[0][0].subject
    if subject is None or any(test.subject is not None for test, _body in tests[1:]):
        raise CannotEvaluate("a case outside of its statement")
    cases: List[Tuple[str, Optional[Expr], Body]] = []
    for test, body in tests:
        cases.extend((pattern, nodes.name("False", "const"), []) for pattern in test.skipped)
        cases.append((test.pattern, test.guard, body))
    if orelse and orelse[0].kind == "last case":
        cases.extend(_last_cases(orelse[0].text, orelse[1:]))
    elif orelse:
        cases.append(("_", None, orelse))
    return Match(subject, cases)


_LEAVES = frozenset(("return", "raise", "reraise", "break", "continue"))


def _last_cases(pattern: str, body: Body) -> List[Tuple[str, Optional[Expr], Body]]:
    """The case that always matches. `_` has code of its own only with a guard, before another."""
    if pattern != "_":
        return [(pattern, None, body)]
    first = body[0] if body else None
    if isinstance(first, If):
        (test, suite), *others = first.clauses
        rest = [If(others, first.orelse)] if others else first.orelse
        if len(body) == 1 or (suite and suite[-1].kind in _LEAVES):
            return [("_", test, suite), ("_", None, [*rest, *body[1:]])]
    return [("_", nodes.name("True", "const"), body), ("_", None, [])]


def _drop_reraise(body: Body) -> None:
    """A `finally` body ends by raising again what it was entered with."""
    if not body:
        return
    last = body[-1]
    if last.kind == "reraise":
        body.pop()
    elif isinstance(last, If):
        for _test, suite in last.clauses:
            _drop_reraise(suite)
        _drop_reraise(last.orelse)
    elif isinstance(last, Try):
        _drop_reraise(last.orelse if last.orelse else last.body)
        for handler in last.handlers:
            _drop_reraise(handler.body)
    elif isinstance(last, (With, For, While)):
        _drop_reraise(last.orelse if isinstance(last, (For, While)) else last.body)
    elif isinstance(last, Match):
        for _pattern, _guard, suite in last.cases:
            _drop_reraise(suite)


def _clauses(body: Body) -> List[Handler]:
    """The `except` clauses that a handler's tests are."""
    handlers: List[Handler] = []
    while body:
        first = body[0]
        if first.kind == "reraise" and handlers:
            return handlers
        if not (isinstance(first, If) and _is_match(first.clauses[0][0])):
            break
        rest = body[1:]
        for test, suite in first.clauses:
            if test.kind == "negation":
                handlers.append(_handler(test.parts.parts, first.orelse + rest))
                body = suite
                break
            shared = rest and rest[0].kind != "reraise" and _falls_through(suite)
            handlers.append(_handler(test.parts, suite + rest if shared else suite))
        else:
            body = first.orelse + rest
    # Whatever the tests did not match is raised again, unless there is a bare `except`.
    handlers.append(Handler(None, None, body))
    return handlers


def _falls_through(body: Body) -> bool:
    """Whether control may leave the end of `body`; rather yes than no."""
    if not body:
        return True
    last = body[-1]
    if isinstance(last, If) and last.orelse:
        return any(
            _falls_through(suite)
            for suite in [last.orelse, *(each for _test, each in last.clauses)]
        )
    if isinstance(last, Try):
        ends = [last.orelse or last.body, *(handler.body for handler in last.handlers)]
        return any(_falls_through(suite) for suite in ends)
    return last.kind not in ("return", "raise", "reraise", "break", "continue", "assert")


def _is_match(test: Expr) -> bool:
    return test.kind == "exception match" or (
        test.kind == "negation" and test.parts.kind == "exception match"
    )


def _handler(test: Expr, body: Body) -> Handler:
    if body and body[0].kind == "bind":
        name = body[0].text
        return Handler(test, name, _without_cleanup(body[1:], name))
    return Handler(test, None, body)


def _without_cleanup(body: Body, name: str) -> Body:
    """`except E as e` deletes e at its end: a `finally` of the compiler's own."""
    if body and isinstance(body[0], Try) and not body[0].handlers:
        final = [stmt.text for stmt in body[0].final]
        if final == [f"{name} = None", f"del {name}"]:
            return body[0].body + body[1:]
    # Where nothing in the clause can raise, there is no `finally` around it.
    for place in range(len(body) - 2, -1, -1):
        if body[place].text == f"{name} = None" and body[place + 1].text == f"del {name}":
            return body[:place] + body[place + 2 :]
    return body
