"""Annotations and everything else that newer compilers evaluate only when somebody asks.

They move `x: T` into a function `__annotate__`, and bounds and values of type parameters and
type aliases into functions of their own. Here the expressions are taken out of those functions.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import nodes
from depyf.decompile.expr.evaluator import Evaluator
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import ANNOTATION, Scope
from depyf.decompile.expr.statements import Annotation, Body, If, Return

CONDITIONAL = "__conditional_annotations__"
_CO_FUTURE_ANNOTATIONS = 0x1000000


def as_written(code: Code, value: Expr) -> Expr:
    """The annotation `value`; where annotations are kept as strings, what the string says."""
    kept_as_text = code.flags & _CO_FUTURE_ANNOTATIONS
    if kept_as_text and value.kind == "const" and type(value.parts) is str:
        kind = "star" if value.parts.startswith("*") else "annotation"
        return Expr(value.parts, nodes.LAMBDA, kind, None, True)
    return value


def text(value: Expr) -> str:
    """What stands behind the colon."""
    return value.text if value.kind == "star" else nodes.at(value, nodes.LAMBDA)


def _evaluated(ev: Evaluator, code: Code) -> Body:
    """The statements of a function that is run on demand, without the check of its argument."""
    scope = Scope(code, ev.scope, ANNOTATION, ev.scope.options)
    decompile_nested = ev.scope.options.decompile_nested
    assert decompile_nested is not None
    body: Body = decompile_nested(code, scope)
    if body and isinstance(body[0], If) and _refuses(body[0]):
        return body[0].orelse + body[1:]
    return body


def _refuses(stmt: If) -> bool:
    inside = stmt.clauses[0][1]
    return len(inside) == 1 and inside[0].text == "raise NotImplementedError"


def deferred_value(ev: Evaluator, op: Op, function: Expr) -> Expr:
    """The expression that a function evaluates on demand."""
    if function.kind != "func":
        ev.fail(op, "what is evaluated later is no function")
    value = returned(_evaluated(ev, function.parts.code))
    if value is None:
        ev.fail(op, "what is evaluated later is no single expression")
        raise AssertionError
    return value


def returned(body: Body) -> Optional[Expr]:
    """The expression that a body returns; branches that return become conditional again."""
    if not body:
        return None
    first = body[0]
    if isinstance(first, Return) and len(body) == 1:
        return first.value
    if isinstance(first, If):
        return _returned_by_if(first, body[1:])
    return None


def _returned_by_if(stmt: If, rest: Body) -> Optional[Expr]:
    value = returned(stmt.orelse or rest)
    if value is None:
        return None
    for test, body in reversed(stmt.clauses):
        if_true = returned(body)
        if if_true is None:
            return None
        value = nodes.ternary(test, if_true, value)
    return value


def of_function(ev: Evaluator, op: Op, annotate: Expr) -> List[Tuple[str, Expr]]:
    """The annotations of parameters, by name."""
    value = deferred_value(ev, op, annotate)
    if value.kind != "dict":
        ev.fail(op, "the annotations are no dict")
    return [(key.parts, annotation) for key, annotation in value.parts]


# Modules and classes.


def define(ev: Evaluator, op: Op, function: Expr) -> bool:
    """Keep the annotations of a module or class for later; False for other functions."""
    code = function.parts.code
    if op.arg not in ("__annotate__", "__annotate_func__") or code.name != "__annotate__":
        return False
    if code.posonlyargcount != 1:
        return False
    found: List[Annotation] = []
    for stmt in _evaluated(ev, code):
        if isinstance(stmt, Annotation):
            found.append(stmt)
        elif isinstance(stmt, If) and len(stmt.clauses) == 1 and not stmt.orelse:
            found.extend(_conditional(stmt))
        elif not isinstance(stmt, Return):
            return False
    ev.scope.deferred = found
    return True


def _conditional(stmt: If) -> List[Annotation]:
    """`if 3 in __conditional_annotations__`: the annotation's number is 3."""
    test, body = stmt.clauses[0]
    number = test.parts[0].parts if test.kind == "compare" else None
    inside = [each for each in body if isinstance(each, Annotation)]
    for each in inside:
        each.number = number
    return inside


def reach(ev: Evaluator, op: Op, number: Expr) -> None:
    """Control comes to the conditional annotation `number`."""
    stmt = Annotation("", None)
    stmt.number = number.parts
    ev.stack[-op.arg] = nodes.marker("null")
    ev.add(stmt, op)
