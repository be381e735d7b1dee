"""Type parameters and type aliases: rules for the code that makes them.

A generic function or class is made by a hidden function, `<generic parameters of …>`, that is
called at once: it makes the type parameters, then the function or class, and returns it.
"""

from __future__ import annotations

from typing import List, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import functions, nodes
from depyf.decompile.expr.annotated import deferred_value
from depyf.decompile.expr.evaluator import Evaluator, rule
from depyf.decompile.expr.functions import FunctionInfo
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import MODULE, TYPE_PARAMETERS, Options, Scope
from depyf.decompile.expr.statements import Body, ClassDef, FunctionDef, Return, Stmt

_STARS = {"INTRINSIC_TYPEVAR": "", "INTRINSIC_TYPEVARTUPLE": "*", "INTRINSIC_PARAMSPEC": "**"}


def _type_param(text: str) -> Expr:
    return Expr(text, nodes.ATOM, "type param", None, True)


@rule("INTRINSIC_1")
def _intrinsic_1(ev: Evaluator, op: Op) -> None:
    value = ev.pop()
    if op.arg in _STARS:
        ev.stack.append(_type_param(_STARS[op.arg] + ev.scope.name(value.parts)))
    elif op.arg == "INTRINSIC_SUBSCRIPT_GENERIC":
        ev.stack.append(nodes.marker("generic base"))
    elif op.arg == "INTRINSIC_TYPEALIAS":
        ev.stack.append(_alias(ev, op, value))
    else:
        ev.fail(op, f"{op.arg} cannot stand here")


@rule("INTRINSIC_2")
def _intrinsic_2(ev: Evaluator, op: Op) -> None:
    first, second = ev.pop_many(2)
    if op.arg in ("INTRINSIC_TYPEVAR_WITH_BOUND", "INTRINSIC_TYPEVAR_WITH_CONSTRAINTS"):
        bound = deferred_value(ev, op, second)
        name = ev.scope.name(first.parts)
        ev.stack.append(_type_param(f"{name}: {nodes.at(bound, nodes.LAMBDA)}"))
    elif op.arg == "INTRINSIC_SET_TYPEPARAM_DEFAULT":
        default = deferred_value(ev, op, second)
        text = default.text if default.kind == "star" else nodes.at(default, nodes.LAMBDA)
        ev.stack.append(_type_param(f"{first.text} = {text}"))
    elif op.arg == "INTRINSIC_SET_FUNCTION_TYPE_PARAMS" and first.kind == "func":
        first.parts.type_params = second.text
        ev.stack.append(first)
    else:
        ev.fail(op, f"{op.arg} cannot stand here")


def parameter_list(items: List[Expr]) -> Expr:
    """`[T, *Ts]`, on the stack until the function or class is there."""
    text = ", ".join([item.text for item in items])
    return Expr(f"[{text}]", nodes.ATOM, "type params", None, True)


def _alias(ev: Evaluator, op: Op, value: Expr) -> Expr:
    if value.kind != "tuple" or len(value.parts) != 3:
        ev.fail(op, "a type alias without its parts")
    name, parameters, function = value.parts
    text = nodes.at(deferred_value(ev, op, function), nodes.LAMBDA)
    head = ev.scope.name(name.parts)
    if parameters.kind == "type params":
        head += parameters.text
    return Expr(f"type {head} = {text}", nodes.YIELD, "type alias", name.parts)


_PREFIX = "<generic parameters of "


def makes_type_parameters(code: Code) -> bool:
    return code.name.startswith(_PREFIX)


def is_generic(info: FunctionInfo) -> bool:
    return makes_type_parameters(info.code)


def generic(ev: Evaluator, op: Op, info: FunctionInfo, values: List[Expr]) -> Expr:
    """What the hidden function returns; `values` are the defaults that it is called with."""
    value, scope = _returned(ev, op, info)
    if value.kind == "func":
        for name, default in zip(info.code.varnames, values):
            flag = value.parts.awaited.get(name)
            if flag is None:
                ev.fail(op, "a default that no parameter has")
            functions.set_attribute(ev, op, value.parts, flag, default)
        functions.build_body(Evaluator(scope, []), value.parts)
    return value


def definition(code: Code, options: Options) -> Tuple[Stmt, bool]:
    """The statement whose hidden function `code` is, and whether its defaults are known.

    The call would bring the defaults; without it only those that there must be are shown.
    """
    ev, op = Evaluator(Scope(code, None, MODULE, options), []), Op.of("CALL", None, -1, None)
    value, scope = _returned(ev, op, FunctionInfo(code))
    name = ev.scope.name(code.name[len(_PREFIX) : -1])
    if value.kind == "type alias":
        return Stmt("type alias", value.text), True
    if value.kind == "class":
        value.parts.name = name
        made: ClassDef = value.parts
        return made, True
    info: FunctionInfo = value.parts
    last = info.code.argcount + info.code.kwonlyargcount - 1
    for flag in info.awaited.values():
        if flag == 1:
            info.defaults = [_UNKNOWN]
        else:
            info.keyword_defaults = [(info.code.varnames[last], _UNKNOWN)]
    functions.build_body(Evaluator(scope, []), info)
    return FunctionDef(info, name, []), not info.awaited


_UNKNOWN = Expr("...", nodes.ATOM, "const", ..., True)


def _returned(ev: Evaluator, op: Op, info: FunctionInfo) -> Tuple[Expr, Scope]:
    """The function, class or alias that the hidden function makes, and its scope."""
    scope = Scope(info.code, ev.scope, TYPE_PARAMETERS, ev.scope.options)
    decompile_nested = ev.scope.options.decompile_nested
    assert decompile_nested is not None
    body: Body = decompile_nested(info.code, scope)
    stmt = body[0] if len(body) == 1 else None
    if not isinstance(stmt, Return) or stmt.value.kind not in ("func", "class", "type alias"):
        ev.fail(op, "type parameters of nothing")
        raise AssertionError
    value = stmt.value
    if value.kind == "class":
        value.parts.type_params = scope.type_params
    return value, scope


@rule("CALL_GENERIC")
def _call_generic(ev: Evaluator, op: Op) -> None:
    count, nulls = op.arg
    function = ev.pop()
    values = ev.pop_many(count)
    ev.pop_many(nulls)
    ev.stack.append(generic(ev, op, function.parts, values))
