"""Functions, lambdas and comprehensions: code objects that become part of an expression.

Their bodies come from the whole pipeline, which hands itself in through the scope's options, so
that this stage need not know the stages around it.
"""

from __future__ import annotations

import re
from typing import Dict, List, Optional, Sequence, Set, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import Op, Program
from depyf.decompile.decode.slices import holds_slice
from depyf.decompile.expr import annotated, nodes
from depyf.decompile.expr.evaluator import CannotEvaluate, Evaluator
from depyf.decompile.expr.literals import constant
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.scope import COMPREHENSION, MODULE, Scope, scope_kind
from depyf.decompile.expr.statements import Body, Element, For, If

_CO_VARARGS, _CO_VARKEYWORDS = 4, 8
_CO_COROUTINE, _CO_ASYNC_GENERATOR = 0x80, 0x200
# A comprehension: its brackets, and what its element looks like.
_Form = Tuple[str, str]
_LIST, _SET, _DICT = ("[]", "{0}"), ("{}", "{0}"), ("{}", "{0}: {0}")
_FORMS = {"<listcomp>": _LIST, "<setcomp>": _SET, "<dictcomp>": _DICT, "<genexpr>": ("()", "{0}")}
_BUILDERS = {"BUILD_LIST": _LIST, "BUILD_SET": _SET, "BUILD_MAP": _DICT}


class FunctionInfo:
    """A code object with what MAKE_FUNCTION attaches to it."""

    __slots__ = (
        "code",
        "defaults",
        "keyword_defaults",
        "annotations",
        "awaited",
        "scope",
        "body",
        "type_params",
    )

    def __init__(self, code: Code) -> None:
        self.code = code
        self.defaults: List[Expr] = []
        self.keyword_defaults: List[Tuple[str, Expr]] = []
        self.annotations: List[Tuple[str, Expr]] = []
        self.awaited: Dict[str, int] = {}
        self.scope: Optional[Scope] = None
        self.body: Optional[Body] = None
        self.type_params = ""

    @property
    def is_comprehension(self) -> bool:
        return self.code.name in _FORMS

    @property
    def is_expression(self) -> bool:
        return self.code.name == "<lambda>"

    @property
    def is_async(self) -> bool:
        return bool(self.code.flags & (_CO_COROUTINE | _CO_ASYNC_GENERATOR))


def _is_name(key: Optional[Expr]) -> bool:
    return key is not None and key.kind == "const" and type(key.parts) is str


def set_attribute(ev: Evaluator, op: Op, info: FunctionInfo, flag: int, value: Expr) -> None:
    if value.kind == "local" and value.parts in (".defaults", ".kwdefaults"):
        # Arguments of the function that makes type parameters: its call brings them.
        info.awaited[value.parts] = flag
        return
    if flag == 1:
        info.defaults = _items(ev, op, value)
    elif flag == 2:
        if value.kind != "dict" or not all(_is_name(key) for key, _default in value.parts):
            ev.fail(op, "the defaults of keyword arguments are no display of names")
        info.keyword_defaults = [(key.parts, default) for key, default in value.parts]
    elif flag == 4:
        info.annotations = [
            (name, annotated.as_written(info.code, annotation))
            for name, annotation in _annotations(ev, op, value)
        ]
    elif flag == 16:
        info.annotations = [
            (name, annotated.as_written(info.code, annotation))
            for name, annotation in annotated.of_function(ev, op, value)
        ]


def _items(ev: Evaluator, op: Op, value: Expr) -> List[Expr]:
    if value.kind in ("const", "object") and type(value.parts) is tuple:
        return [_item(ev, item) for item in value.parts]
    if value.kind == "tuple":
        items: List[Expr] = value.parts
        return items
    ev.fail(op, "the defaults are no tuple")
    return []


def _item(ev: Evaluator, value: object) -> Expr:
    """An item of a constant tuple; one that holds slices or a set has no literal of its own."""
    text = constant(value)
    if text is None or text.kind == "frozenset" or holds_slice(value):
        return ev.scope.placeholder(value)
    return text


def _annotations(ev: Evaluator, op: Op, value: Expr) -> List[Tuple[str, Expr]]:
    if value.kind == "dict":
        return [(key.parts, annotation) for key, annotation in value.parts]
    flat = _items(ev, op, value)
    return [(key.parts, annotation) for key, annotation in zip(flat[::2], flat[1::2])]


def function(ev: Evaluator, op: Op, info: FunctionInfo) -> Expr:
    if info.is_expression:
        return _lambda(ev, op, info)
    return Expr("<function>", nodes.ATOM, "func", info)


def build_body(ev: Evaluator, info: FunctionInfo) -> Body:
    """The statements of a nested code object."""
    scope = Scope(info.code, ev.scope, scope_kind(info.code, ev.scope), ev.scope.options)
    info.scope = scope
    decompile_nested = ev.scope.options.decompile_nested
    assert decompile_nested is not None
    body: Body = decompile_nested(info.code, scope)
    info.body = body
    return body


def _lambda(ev: Evaluator, op: Op, info: FunctionInfo) -> Expr:
    build_body(ev, info)
    return Expr(function_text(info), nodes.LAMBDA, "lambda", info)


def function_text(info: FunctionInfo) -> str:
    """The text of a lambda."""
    parameters = signature(info)
    text = f"lambda {parameters}: " if parameters else "lambda: "
    return text + value_text(info)


def value_text(info: FunctionInfo) -> str:
    """The expression whose value it returns."""
    assert info.body is not None
    value = annotated.returned(info.body)
    if value is None:
        raise CannotEvaluate(f"the lambda in line {info.code.firstlineno} is no single expression")
    return nodes.at(_beside_unread(value, info), nodes.LAMBDA)


def _beside_unread(value: Expr, info: FunctionInfo) -> Expr:
    """The value; free variables that only code out of reach reads stand in a choice never taken.

    Functions declare them nonlocal, expressions have no room for that.
    """
    scope = info.scope
    assert scope is not None
    used = scope.loaded | scope.nonlocals
    if "super" in used:
        used.add("__class__")
    unread = [
        nodes.name(scope.name(name), "name") for name in info.code.freevars if name not in used
    ]
    if not unread:
        return value
    never = unread[0] if len(unread) == 1 else nodes.tuple_of(unread)
    return nodes.ternary(nodes.name("True", "const"), value, never)


def signature(info: FunctionInfo) -> str:
    """The parameters as they are written between the parentheses."""
    code, scope = info.code, info.scope
    assert scope is not None
    names, count = code.varnames[: code.parameter_count], code.argcount
    texts = list(map(scope.name, names))
    if info.annotations or info.defaults or info.keyword_defaults:
        _complete_parameters(info, names, texts)
    extra = count + code.kwonlyargcount
    if code.flags & _CO_VARKEYWORDS:
        texts[-1] = f"**{texts[-1]}"
    if code.flags & _CO_VARARGS:
        # It stands among the variables behind those that only a keyword can give.
        texts.insert(count, f"*{texts.pop(extra)}")
    elif code.kwonlyargcount:
        texts.insert(count, "*")
    if code.posonlyargcount:
        texts.insert(code.posonlyargcount, "/")
    return ", ".join(texts)


def _complete_parameters(info: FunctionInfo, names: Sequence[str], texts: List[str]) -> None:
    """Add annotations and defaults to the names of parameters."""
    count = info.code.argcount
    annotations = dict(info.annotations)
    defaults = dict(info.keyword_defaults)
    defaults.update(zip(names[count - len(info.defaults) : count], info.defaults))
    for place, name in enumerate(names):
        annotation, default = annotations.get(name), defaults.get(name)
        if annotation is not None:
            texts[place] += f": {annotated.text(annotation)}"
        if default is not None:
            equals = "=" if annotation is None else " = "
            texts[place] += equals + nodes.at(default, nodes.LAMBDA)


# Comprehensions.

_WORD = re.compile(r"\w+")


def comprehension(ev: Evaluator, op: Op, info: FunctionInfo, iterator: Expr) -> Expr:
    body = build_body(ev, info)
    assert info.scope is not None
    _declare_around(ev.scope, info.scope)
    return _comprehension(ev, op, body, iterator, _FORMS[info.code.name], info)


def _declare_around(around: Scope, inside: Scope) -> None:
    """A comprehension has no room for declarations; what it binds in a module needs none."""
    declared = around.implicit_globals if around.kind == MODULE else around.globals
    declared.update(inside.globals)
    around.nonlocals.update(inside.nonlocals.intersection(around.code.freevars))


def comprehension_text(info: FunctionInfo) -> str:
    """The text of a comprehension alone, which only gets the iterator of what it loops over."""
    scope, code = info.scope, info.code
    assert scope is not None and info.body is not None
    named = {*code.varnames, *code.names, *code.freevars, *code.cellvars}
    outside = "iterable" if "iterable" not in named else scope.name(".0")
    op = Op.of("GET_ITER", None, 0, code.firstlineno)
    source = nodes.name(outside, "name")
    ev, form = Evaluator(scope, []), _FORMS[code.name]
    return _comprehension(ev, op, info.body, source, form, info).text


def inlined_comprehension(ev: Evaluator, op: Op, program: Program, iterator: Expr) -> Expr:
    scope = Scope(program.code, ev.scope, COMPREHENSION, ev.scope.options)
    # It runs inside the function around it: the names are that function's.
    scope.class_name = ev.scope.class_name
    decompile_nested = ev.scope.options.decompile_nested
    assert decompile_nested is not None
    body: Body = decompile_nested(program, scope)
    _declare_around(ev.scope, scope)
    ev.scope.loaded.update(scope.loaded)
    ev.scope.captured.update(scope.captured)
    own = [scope.name(name) for name in program.variables]
    return _comprehension(ev, op, body, iterator, _BUILDERS[program.ops[0].name], own=own)


def assigned_inside(program: Program) -> Set[str]:
    """Locals of the function that an inlined comprehension changes, by `:=`."""
    found = {op.arg for op in program.ops if op.name == "STORE_FAST"}
    for op in program.ops:
        if op.name == "INLINED_COMPREHENSION":
            found |= assigned_inside(op.arg)
    return found.difference(program.variables)


def _comprehension(
    ev: Evaluator,
    op: Op,
    body: Body,
    iterator: Expr,
    form: _Form,
    outlined: Optional[FunctionInfo] = None,
    own: Sequence[str] = (),
) -> Expr:
    brackets, unreached = form
    clauses: List[str] = []
    source: Optional[Expr] = iterator.parts if iterator.kind == "iter" else iterator
    element = _clauses(ev, op, body, source, clauses, outlined)
    if not element:
        element = unreached.format(_stand_in(outlined, clauses))
        own = own if outlined is None else _read_variables(outlined, clauses)
        free = {ev.scope.name(name) for name in ev.scope.code.freevars}
        clauses += ["if False", *_unreached_names(own, clauses, free)]
    kind = "genexpr" if brackets == "()" else "comprehension"
    return Expr(f"{brackets[0]}{element} {' '.join(clauses)}{brackets[1]}", nodes.ATOM, kind)


def _stand_in(outlined: Optional[FunctionInfo], clauses: List[str]) -> str:
    """A value for an element of which nothing is left but what its code object tells."""
    if outlined is None:
        return "None"
    assert outlined.scope is not None
    names = [outlined.scope.name(name) for name in outlined.code.freevars]
    value = f"({', '.join(names)})" if len(names) > 1 else "".join(names) or "None"
    awaits = outlined.is_async and not any(clause.startswith("async") for clause in clauses)
    return f"await {value}" if awaits else value


def _read_variables(outlined: FunctionInfo, clauses: List[str]) -> List[str]:
    """Variables of its own that the clauses mention."""
    assert outlined.scope is not None
    read = set(_WORD.findall(" ".join(clauses)))
    own = dict.fromkeys((*outlined.code.varnames[1:], *outlined.code.cellvars))
    return [name for name in map(outlined.scope.name, own) if name in read]


def _unreached_names(own: Sequence[str], clauses: List[str], free: Set[str]) -> List[str]:
    """What a clause that is never reached binds: read before, it is not a global for all that.

    Free variables are none of its own: a class has them if it only mentions them there.
    """
    targets = [each.partition(" in ")[0] for each in clauses if not each.startswith("if ")]
    bound = set(_WORD.findall(" ".join(targets)))
    missing = [name for name in own if name not in bound]
    return [f"if {name}" if name in free else f"for {name} in ()" for name in missing]


def _clauses(
    ev: Evaluator,
    op: Op,
    body: Body,
    source: Optional[Expr],
    clauses: List[str],
    outlined: Optional[FunctionInfo],
) -> str:
    """Collect `for` and `if` clauses down to the element; returns its text, "" for none."""
    while True:
        stmt = body[0] if body else None
        if isinstance(stmt, For) and not stmt.orelse:
            iterable = source if source is not None else stmt.iterable
            source = None
            word = "async for" if stmt.is_async else "for"
            clauses.append(f"{word} {stmt.target.text} in {nodes.at(iterable, nodes.OR)}")
            body = stmt.body
        elif isinstance(stmt, If) and len(stmt.clauses) == 1 and not stmt.orelse:
            test, inside = stmt.clauses[0]
            if len(body) > 1 and inside:
                ev.fail(op, "the comprehension goes on behind a condition")
            # Of a condition that is always true in the end the compiler leaves what it computes.
            always = " or True" if len(body) > 1 else ""
            clauses.append(f"if {nodes.at(test, nodes.OR)}{always}")
            body = inside or body[1:]
        elif stmt is not None and stmt.kind == "assign":
            # The compiler stores x rather than looping over [x].
            target, _equals, value = stmt.text.partition(" = ")
            clauses.append(f"for {target} in [{f'({value})' if ',' in value else value}]")
            body = body[1:]
        elif isinstance(stmt, Element) and len(body) == 1:
            *key, element = stmt.values
            if outlined is not None:
                element = _beside_unread(element, outlined)
            return ": ".join([nodes.at(each, nodes.LAMBDA) for each in (*key, element)])
        elif clauses and not body:
            # A condition that is never true, and the element behind it, leave nothing.
            return ""
        else:
            ev.fail(op, "the comprehension has an unknown form")
