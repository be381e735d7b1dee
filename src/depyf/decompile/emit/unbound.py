"""Locals that nothing in reach binds: an annotation, `x: int`, made them local, or dead code did.

A function's annotations of its own variables leave no trace, so the annotation itself is lost;
without any, the name would be read as a global. Modules and classes prepare for annotations even
if none is kept: `a.x: int`, or one that is out of reach.
"""

from __future__ import annotations

from typing import Iterator, List, Set

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.names import is_name
from depyf.decompile.decode.ops import Op, Program
from depyf.decompile.expr import nodes
from depyf.decompile.expr.scope import (
    CLASS,
    COMPREHENSION,
    FUNCTION,
    MODULE,
    Scope,
    scope_kind,
)
from depyf.decompile.expr.statements import DOCSTRINGS, Body, If, Stmt, suites
from depyf.decompile.flow.graph import Graph

_READS = frozenset(("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE"))
_BINDS = frozenset(("STORE_FAST", "STORE_DEREF", "DELETE_FAST", "DELETE_DEREF"))


def declare_unbound(body: Body, graph: Graph, scope: Scope) -> Body:
    """`x: ...` for every local that is read and never bound."""
    code = graph.program.code
    if scope.kind == FUNCTION and not _all_bound(code, scope):
        place = 1 if body and body[0].kind in DOCSTRINGS else 0
        body[place:place] = [
            Stmt("declaration", f"{scope.name(name)}: ...") for name in _unbound(graph)
        ]
    elif scope.kind in (CLASS, MODULE) and _prepares(graph.program) and not _annotates(body):
        never = nodes.name("False", "const")
        # In parentheses: that binds no name.
        body.append(If([(never, [Stmt("declaration", "(_): ...")])], []))
    return body


def _all_bound(code: Code, scope: Scope) -> bool:
    """Whether the evaluation alone has shown it; cells and damaged code are looked at."""
    own = code.varnames[code.parameter_count :]
    return not code.cellvars and (not own or scope.bound.issuperset(own))


def _prepares(program: Program) -> bool:
    """Whether an annotation was written somewhere; 3.14 tells only of those under a condition."""
    conditional = "__conditional_annotations__" in program.code.cellvars
    return conditional or "SETUP_ANNOTATIONS" in program.kinds


def _annotates(body: Body) -> bool:
    return any(
        stmt.kind in ("annotated", "annotation") or any(map(_annotates, suites(stmt)))
        for stmt in body
    )


def _unbound(graph: Graph) -> List[str]:
    code = graph.program.code
    bound: Set[object] = {*code.varnames[: code.parameter_count], *code.freevars}
    ops = graph.live_ops
    if "INLINED_COMPREHENSION" in graph.program.kinds:
        ops = list(_all_ops(ops))
        for op in ops:
            if isinstance(op.arg, Program):
                bound.update(op.arg.variables)
    bound.update([op.arg for op in ops if op.name in _BINDS])
    if bound.issuperset(code.varnames + code.cellvars):
        return []
    read: List[str] = [op.arg for op in ops if op.name in _READS]
    for const in code.consts:
        # `[y := x for x in z]` binds a variable of the function around it.
        if isinstance(const, Code) and scope_kind(const, None) == COMPREHENSION:
            bound.update(const.freevars)
    return [name for name in dict.fromkeys(read) if name not in bound and is_name(name)]


def _all_ops(ops: List[Op]) -> Iterator[Op]:
    for op in ops:
        yield op
        if isinstance(op.arg, Program):
            yield from _all_ops(op.arg.ops)
