"""Annotations and everything else that newer compilers evaluate only when somebody asks.

They move `x: T` into a function `__annotate__`, and bounds and values of type parameters and
type aliases into functions of their own. Here the expressions are taken out of those functions.
"""

from __future__ import annotations

import ast
import re
from typing import List, Optional, Set, Tuple

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
        written = _unfolded(value.parts) if code.version == (3, 8) else value.parts
        return Expr(written, nodes.LAMBDA, kind, None, True)
    return value


# What 3.8 writes for these constants in a tuple that it folded before it wrote the annotation.
_IN_FOLDED_TUPLES = {"Ellipsis": b"...", "inf": b"1e309"}
# Before a bracket that opens an index and no list.
_BEHIND_OWNER = re.compile(rb"[\w\])\x80-\xff]\[$")


def _unfolded(annotation: str) -> str:
    """The annotation, its tuples of constants as a person writes them: `Callable[..., None]`."""
    raw = annotation.encode()
    if b"(" not in raw:
        return annotation
    for start, end, text in sorted(_replacements(raw, _parsed(annotation)), reverse=True):
        raw = raw[:start] + text + raw[end:]
    return raw.decode()


def _replacements(raw: bytes, tree: ast.AST) -> Set[Tuple[int, int, bytes]]:
    """What to write between two places. Only a tuple that was folded has parentheses."""
    found: Set[Tuple[int, int, bytes]] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Tuple) or not node.elts or not _is_folded(node):
            continue
        start, end = node.col_offset, node.end_col_offset or 0
        if start == node.elts[0].col_offset:
            continue
        if _BEHIND_OWNER.search(raw, 0, start) and raw[end : end + 1] == b"]":
            found |= {(start, start + 1, b""), (end - 1, end, b"")}
        for name in ast.walk(node):
            if isinstance(name, ast.Name):
                literal = _IN_FOLDED_TUPLES[name.id]
                found.add((name.col_offset, name.col_offset + len(name.id), literal))
    return found


def _parsed(annotation: str) -> ast.AST:
    try:
        return ast.parse(annotation, mode="eval")
    except (SyntaxError, ValueError):  # bytecode that no compiler made
        return ast.Tuple([], ast.Load())


def _is_folded(node: ast.expr) -> bool:
    """Whether this may be the text of a constant."""
    if isinstance(node, ast.Tuple):
        return all(_is_folded(item) for item in node.elts)
    if isinstance(node, ast.UnaryOp):
        return _is_folded(node.operand)
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.Name) and node.id in _IN_FOLDED_TUPLES
    )


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
    ev.scope.annotates = True
    stmt = Annotation("", None)
    stmt.number = number.parts
    ev.stack[-op.arg] = nodes.marker("null")
    ev.add(stmt, op)
