"""Rules for calls, functions and classes, and for the statements that end a block."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from depyf.decompile.decode.names import is_name
from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import functions, generics, nodes
from depyf.decompile.expr.evaluator import Evaluator, rule
from depyf.decompile.expr.functions import FunctionInfo
from depyf.decompile.expr.literals import constant
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import CLASS, MODULE
from depyf.decompile.expr.statements import ClassDef, Return


def argument(value: Expr) -> str:
    """A positional argument."""
    return value.text if value.level >= nodes.LAMBDA or value.kind == "star" else f"({value.text})"


def _callee(ev: Evaluator, slots: int, arguments: List[Expr]) -> Expr:
    """The function: one slot holds it, or two; the upper may be the first of the arguments."""
    upper = ev.stack.pop()
    if slots == 1:
        return upper
    lower = ev.stack.pop()
    if lower.kind == "null":
        return upper
    if upper.kind != "null":
        arguments.insert(0, upper)
    return lower


@rule("CALL")
def _call(ev: Evaluator, op: Op) -> None:
    count, slots, keywords = op.arg
    values = ev.pop_many(count)
    function = _callee(ev, slots, values)
    _finish_call(ev, op, function, values, keywords)


@rule("CALL_KW")
def _call_kw(ev: Evaluator, op: Op) -> None:
    count, slots = op.arg
    names = ev.stack.pop()
    if names.kind != "const" or type(names.parts) is not tuple:
        ev.fail(op, "the names of keyword arguments are no constant tuple")
    values = ev.pop_many(count)
    function = _callee(ev, slots, values)
    _finish_call(ev, op, function, values, names.parts)


def _finish_call(
    ev: Evaluator, op: Op, function: Expr, values: List[Expr], keywords: Tuple[str, ...]
) -> None:
    if function.kind == "build class":
        ev.stack.append(_class(ev, op, values, keywords))
        return
    if function.kind == "func":
        info = function.parts
        if not keywords and info.is_comprehension and len(values) == 1:
            ev.stack.append(functions.comprehension(ev, op, info, values[0]))
            return
        if generics.is_generic(info):
            ev.stack.append(generics.generic(ev, op, info, values))
            return
    if not values:
        ev.stack.append(nodes.call(function, []))
        return
    texts = [argument(value) for value in values]
    if keywords:
        positional = len(values) - len(keywords)
        named = zip(keywords, texts[positional:])
        texts[positional:] = [f"{name}={text}" for name, text in named]
    elif len(values) == 1:
        only = values[0]
        if only.kind == "genexpr":
            texts = [only.text[1:-1]]
        elif only.kind in _DECORATED and not (only.kind == "func" and only.parts.is_expression):
            ev.stack.append(Expr("<decorated>", nodes.ATOM, "decorated", (function, only)))
            return
    ev.stack.append(nodes.call(function, texts))


_DECORATED = frozenset(("func", "class", "decorated"))


@rule("CALL_EX")
def _call_ex(ev: Evaluator, op: Op) -> None:
    slots, has_kwargs = op.arg
    kwargs = ev.stack.pop() if has_kwargs else None
    arguments = ev.stack.pop()
    function = _callee(ev, slots, [])
    texts = _positional(arguments)
    if function.kind != "build class" and _is_one_argument(ev, arguments, kwargs):
        texts = ["*" + nodes.at(arguments, nodes.BIT_OR)]
    keywords: List[Any] = []
    if kwargs is not None and kwargs.kind != "null":
        if kwargs.kind == "dict" and not _is_one_display(ev, kwargs, texts):
            for key, value in kwargs.parts:
                texts.append(_keyword(ev, op, key, value))
            keywords = kwargs.parts
            if not keywords:
                texts.append("**{}")
        else:
            texts.append("**" + nodes.at(kwargs, nodes.BIT_OR))
    if function.kind == "build class":
        ev.stack.append(_class_with_stars(ev, op, arguments, texts))
        return
    ev.stack.append(nodes.call(function, texts))


# With more values than this to push the compiler makes a tuple and a dict of them, from 3.10 on.
_MANY_VALUES = 30


def _is_one_argument(ev: Evaluator, arguments: Expr, kwargs: Optional[Expr]) -> bool:
    """`f(*(a, b))`: plain arguments become a tuple only where they are many, or beside `**`."""
    if arguments.kind not in ("tuple", "const") or type(arguments.parts) not in (tuple, list):
        return False
    keywords: List[Any] = []
    if kwargs is not None and kwargs.kind != "null":
        if kwargs.kind != "dict" or ev.version == (3, 8):
            return False
        keywords = kwargs.parts
        if not keywords or any(key is None for key, _value in keywords):
            return False
    many = len(arguments.parts) + 2 * len(keywords) > _MANY_VALUES
    return ev.version < (3, 10) or not many


def _is_one_display(ev: Evaluator, kwargs: Expr, positional: List[str]) -> bool:
    """`f(a, **{"b": 1})` in 3.8, where nothing is merged: keywords alone need no dict."""
    plain = all(key is not None for key, _value in kwargs.parts)
    starred = any(text.startswith("*") for text in positional)
    return ev.version == (3, 8) and bool(kwargs.parts) and plain and not starred


def _positional(arguments: Expr) -> List[str]:
    if arguments.kind == "spread tuple":
        return [argument(item) for item in arguments.parts]
    if arguments.kind == "const" and type(arguments.parts) is tuple:
        items = [constant(item) for item in arguments.parts]
        return [argument(item) for item in items if item is not None]
    if arguments.kind == "tuple" and arguments.parts:
        return [argument(item) for item in arguments.parts]
    if arguments.kind == "tuple":
        return []
    return ["*" + nodes.at(arguments, nodes.BIT_OR)]


def _keyword(ev: Evaluator, op: Op, key: Any, value: Expr) -> str:
    if key is None:
        return "**" + nodes.at(value, nodes.BIT_OR)
    if key.kind == "const" and type(key.parts) is str and is_name(key.parts):
        return f"{key.parts}={argument(value)}"
    return f"**{{{key.text}: {argument(value)}}}"


@rule("LOAD_BUILD_CLASS")
def _load_build_class(ev: Evaluator, op: Op) -> None:
    ev.stack.append(Expr("<build class>", nodes.ATOM, "build class", None, True))


def _class(ev: Evaluator, op: Op, values: List[Expr], keywords: Tuple[str, ...]) -> Expr:
    if len(values) < 2 or values[0].kind != "func":
        ev.fail(op, "a class without a body")
    positional = len(values) - len(keywords)
    texts = [argument(value) for value in values[2:positional]]
    texts += [f"{name}={argument(value)}" for name, value in zip(keywords, values[positional:])]
    return _class_expr(ev, values[0].parts, texts)


def _class_with_stars(ev: Evaluator, op: Op, arguments: Expr, texts: List[str]) -> Expr:
    if arguments.kind not in ("spread tuple", "tuple") or arguments.parts[0].kind != "func":
        ev.fail(op, "a class without a body")
    return _class_expr(ev, arguments.parts[0].parts, texts[2:])


def _class_expr(ev: Evaluator, info: FunctionInfo, texts: List[str]) -> Expr:
    functions.build_body(ev, info)
    # The hidden base class of a generic class is written by the compiler.
    texts = [text for text in texts if text != ".generic_base"]
    return Expr("<class>", nodes.ATOM, "class", ClassDef(info, "", texts, [], ""))


@rule("LOAD_SUPER_ATTR", "LOAD_SUPER_METHOD")
def _load_super_attr(ev: Evaluator, op: Op) -> None:
    function, cls, instance = ev.pop_many(3)
    attr, without_arguments = op.arg
    texts = [] if without_arguments else [argument(cls), argument(instance)]
    ev.stack.append(nodes.attribute(nodes.call(function, texts), ev.scope.name(attr)))
    if op.name == "LOAD_SUPER_METHOD":
        ev.stack.append(nodes.marker("null"))


@rule("MAKE_FUNCTION")
def _make_function(ev: Evaluator, op: Op) -> None:
    flags, has_qualname = op.arg
    if has_qualname:
        ev.stack.pop()
    code = ev.stack.pop()
    if code.kind != "code":
        ev.fail(op, "a function without code")
    info = FunctionInfo(code.parts)
    for flag in (8, 16, 4, 2, 1):
        if flags & flag:
            functions.set_attribute(ev, op, info, flag, ev.stack.pop())
    ev.stack.append(functions.function(ev, op, info))


@rule("SET_FUNCTION_ATTRIBUTE")
def _set_function_attribute(ev: Evaluator, op: Op) -> None:
    function = ev.stack.pop()
    value = ev.stack.pop()
    if function.kind != "func":
        ev.fail(op, "an attribute of no function")
    functions.set_attribute(ev, op, function.parts, op.arg, value)
    ev.stack.append(functions.function(ev, op, function.parts))


@rule("INLINED_COMPREHENSION")
def _inlined_comprehension(ev: Evaluator, op: Op) -> None:
    iterator = ev.stack.pop()
    if ev.stack:
        for name in functions.assigned_inside(op.arg):
            ev.loosen_local(name)
    ev.stack.append(functions.inlined_comprehension(ev, op, op.arg, iterator))


_BELOW_A_RETURN = frozenset(("previous", "exception", "lasti", "loop", "exit"))


@rule("RETURN")
def _return(ev: Evaluator, op: Op) -> None:
    value = ev.stack.pop()
    while value.kind in _BELOW_A_RETURN:
        # The value was put below what the way out of a handler pops.
        value = ev.stack.pop()
    if ev.stack:
        ev.stack[:] = [left for left in ev.stack if not left.stable]
    ev.add(Return(value), op)


@rule("RAISE")
def _raise(ev: Evaluator, op: Op) -> None:
    values = ev.pop_many(op.arg)
    text = "raise"
    if values:
        text += " " + nodes.at(values[0], nodes.LAMBDA)
    if len(values) > 1:
        text += " from " + nodes.at(values[1], nodes.LAMBDA)
    kind = "raise"
    if len(values) == 1 and (
        _is_assertion_error(ev, values[0]) or _calls_assertion_error(ev, values[0])
    ):
        kind = "assert"
    ev.emit(kind, text, op)


def _calls_assertion_error(ev: Evaluator, value: Expr) -> bool:
    return value.kind == "call" and _is_assertion_error(ev, value.parts)


def _is_assertion_error(ev: Evaluator, value: Expr) -> bool:
    if value.kind == "assertion error":
        return True
    # In functions 3.8 looks the name up as any other: `assert` and `raise` compile the same there.
    in_function = ev.version == (3, 8) and ev.scope.kind not in (CLASS, MODULE)
    return in_function and value.kind == "name" and value.text == "AssertionError"


@rule("PRINT_EXPR")
def _print_expr(ev: Evaluator, op: Op) -> None:
    ev.emit("expression", ev.stack.pop().text, op)


# Exceptions and context managers: their values on the stack are markers.


@rule("PUSH_EXC_INFO")
def _push_exc_info(ev: Evaluator, op: Op) -> None:
    value = ev.stack.pop()
    ev.stack.append(nodes.marker("previous"))
    ev.stack.append(value)


@rule("POP_EXCEPT")
def _pop_except(ev: Evaluator, op: Op) -> None:
    # A value on its way to a `return` may lie above what is popped.
    for _slot in range(op.arg):
        place = len(ev.stack) - 1
        while place >= 0 and ev.stack[place].kind not in ("previous", "exception"):
            place -= 1
        del ev.stack[place if place >= 0 else -1]


@rule("RERAISE")
def _reraise(ev: Evaluator, op: Op) -> None:
    value = ev.stack.pop()
    if value.kind != "exception":
        ev.fail(op, "there is no exception to raise again")
    ev.emit("reraise", "raise", op)


@rule("EXC_MATCH", "EXC_GROUP_MATCH")
def _exc_match(ev: Evaluator, op: Op) -> None:
    wanted = ev.stack.pop()
    if op.arg == 2:
        ev.stack.pop()
    ev.stack.append(Expr(wanted.text, wanted.level, "exception match", wanted))


@rule("WITH_EXCEPT_START")
def _with_except_start(ev: Evaluator, op: Op) -> None:
    ev.fail(op, "a context manager is left in an unknown way")


@rule("BEFORE_WITH", "BEFORE_ASYNC_WITH")
def _before_with(ev: Evaluator, op: Op) -> None:
    manager = ev.stack.pop()
    is_async = op.name == "BEFORE_ASYNC_WITH"
    if any(not value.stable for value in ev.stack):
        ev.spill(op)
    ev.stack.append(Expr("<exit>", nodes.ATOM, "exit", (manager, is_async), True))
    if op.arg == 2:
        ev.stack.append(nodes.marker("null"))
    ev.stack.append(Expr("<enter>", nodes.ATOM, "enter", (manager, is_async), True))
