"""Rules for the operations that stand for a `case` once its pattern was found.

MATCH_CASE takes the subject, NEXT_CASE goes on with the subject of the case before; both leave
a condition. CASE_GUARD adds a guard to it, LAST_CASE stands before the body of a case that
always matches, and ONLY_CASE is a whole statement whose only case always matches: its body may
as well stand behind it.
"""

from __future__ import annotations

from typing import Optional, Tuple

from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import nodes
from depyf.decompile.expr.evaluator import Evaluator, rule
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.statements import Match

CONDITIONS = frozenset(("MATCH_CASE", "NEXT_CASE", "CASE_GUARD"))


class CaseTest:
    """A case as a condition. Only the first of a statement has a subject.

    `skipped` are patterns of cases before it that have the guard `False`.
    """

    __slots__ = ("subject", "pattern", "skipped", "guard")

    def __init__(
        self, subject: Optional[Expr], pattern: str, skipped: Tuple[str, ...], guard: Optional[Expr]
    ) -> None:
        self.subject = subject
        self.pattern = pattern
        self.skipped = skipped
        self.guard = guard


def _push(ev: Evaluator, test: CaseTest) -> None:
    ev.stack.append(Expr(f"<case {test.pattern}>", nodes.ATOM, "case", test))


@rule("MATCH_CASE")
def _match_case(ev: Evaluator, op: Op) -> None:
    pattern, skipped = op.arg
    _push(ev, CaseTest(ev.pop(), pattern, skipped, None))


@rule("NEXT_CASE")
def _next_case(ev: Evaluator, op: Op) -> None:
    pattern, skipped = op.arg
    _push(ev, CaseTest(None, pattern, skipped, None))


@rule("CASE_GUARD")
def _case_guard(ev: Evaluator, op: Op) -> None:
    test: CaseTest = ev.pop().parts
    guard = op.arg if test.guard is None else nodes.boolean("and", test.guard, op.arg)
    _push(ev, CaseTest(test.subject, test.pattern, test.skipped, guard))


@rule("LAST_CASE")
def _last_case(ev: Evaluator, op: Op) -> None:
    ev.emit("last case", op.arg[0], op)


@rule("ONLY_CASE")
def _only_case(ev: Evaluator, op: Op) -> None:
    subject = ev.pop()
    ev.add(Match(subject, [(op.arg[0], None, [])]), op)
