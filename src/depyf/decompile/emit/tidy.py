"""Small passes that make statements look as a person would write them; each keeps the meaning.

They run on every code object's body after evaluation, innermost suites included.
"""

from __future__ import annotations

import ast
from typing import List, Optional, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.names import is_name
from depyf.decompile.emit.deferred import restore
from depyf.decompile.emit.else_clauses import Columns, take_clauses, take_else
from depyf.decompile.emit.free_variables import is_type_parameter, mention
from depyf.decompile.expr import nodes
from depyf.decompile.expr.scope import CLASS, FUNCTION, MODULE, Scope
from depyf.decompile.expr.statements import (
    DOCSTRINGS,
    Body,
    If,
    Match,
    Return,
    Stmt,
    Try,
    With,
    is_none,
    suites,
)

_CO_OPTIMIZED = 0x01
_CO_GENERATORS = 0x20 | 0x200
_CO_HAS_DOCSTRING = 0x4000000


def tidy(body: Body, scope: Scope) -> Body:
    """All passes, in order."""
    code = scope.code
    has_columns = code.version >= (3, 11) and scope.options.facts is None
    # 3.8 calls a `finally` body, or __exit__, in one way before `return`, in another at the end.
    # And `assert False` raises the exception as the bytecode does.
    copied_finally = code.version >= (3, 9)
    _tidy_suite(body, copied_finally, Columns(code) if has_columns else None)
    if scope.kind == FUNCTION:
        _drop_final_return(body, copied_finally)
        if not code.flags & _CO_GENERATORS:
            _return_alike(body)
        _restore_docstring(body, scope)
    elif scope.kind == MODULE:
        _drop_final_return(body, copied_finally)
        _drop_prologue(body, _MODULE_PROLOGUE)
        _doc_assignment(body, scope)
        restore(body, scope)
    elif scope.kind == CLASS:
        _drop_final_return(body, copied_finally)
        _drop_prologue(body, _PROLOGUE)
        _drop_epilogue(body)
        _doc_assignment(body, scope)
        restore(body, scope)
    _declare(body, scope)
    if scope.kind == FUNCTION and code.flags & _CO_GENERATORS:
        _mark_generator(body, scope)
    return body


def _tidy_suite(body: Body, folds_assert: bool, columns: Optional[Columns]) -> None:
    """`folds_assert` tells that only `assert False` raises the exception as the bytecode does.

    3.9 still tests the constant; no other text takes AssertionError from anywhere but by name.
    """
    for place, stmt in enumerate(body):
        if type(stmt) is Stmt or type(stmt) is Return:
            if stmt.kind == "assert" and stmt.text.startswith("raise ") and folds_assert:
                stmt.text = "assert False" + _message(stmt)
            continue
        if columns is not None:
            if isinstance(stmt, If):
                take_clauses(stmt, body, place + 1, columns)
            elif isinstance(stmt, Try):
                take_else(stmt, body, place + 1, columns)
        for suite in suites(stmt):
            _tidy_suite(suite, folds_assert, columns)
        if isinstance(stmt, If):
            _join_elif(stmt)
            _split_assert(stmt)
            body[place] = _as_assert(stmt) or stmt
        elif isinstance(stmt, Try):
            _join_try(stmt)
        elif isinstance(stmt, With):
            _join_with(stmt)
    if len(body) > 1 and "pass" in [stmt.kind for stmt in body]:
        body[:] = [stmt for stmt in body if stmt.kind != "pass"]
    last = body[-1].kind if len(body) > 1 else ""
    if last in _JUMPS and isinstance(body[-2], If):
        _drop_jumps(body[-2], last)


_JUMPS = frozenset(("break", "continue"))


def _drop_jumps(stmt: If, jump: str) -> None:
    """if a: b; break / break -> if a: b / break"""
    work = [stmt]
    while work:
        stmt = work.pop()
        for suite in [*(body for _test, body in stmt.clauses if len(body) > 1), stmt.orelse]:
            if suite and suite[-1].kind == jump:
                suite.pop()
            if suite and isinstance(suite[-1], If):
                work.append(suite[-1])


def _join_elif(stmt: If) -> None:
    """else: if … -> elif"""
    while len(stmt.orelse) == 1 and isinstance(stmt.orelse[0], If):
        inner = stmt.orelse[0]
        stmt.clauses.extend(inner.clauses)
        stmt.orelse = inner.orelse


def _split_assert(stmt: If) -> None:
    """elif not a: raise AssertionError -> else: assert a"""
    while len(stmt.clauses) > 1:
        failed = _as_assert(If([stmt.clauses[-1]], []))
        if failed is None:
            return
        stmt.clauses.pop()
        stmt.orelse.insert(0, failed)


def _as_assert(stmt: If) -> Optional[Stmt]:
    """if not a: raise AssertionError(b) -> assert a, b"""
    if len(stmt.clauses) != 1:
        return None
    test, body = stmt.clauses[0]
    if stmt.orelse and not body:
        # The test could not be negated, so that its branches are swapped.
        body, condition = stmt.orelse, test
    elif stmt.orelse or not (test.kind == "negation" or nodes.can_negate(test)):
        return None
    else:
        condition = nodes.negate(test)
    if len(body) != 1 or body[0].kind != "assert":
        return None
    text = f"assert {nodes.at(condition, nodes.LAMBDA)}" + _message(body[0])
    return Stmt("assertion", text, stmt.offset, stmt.line)


def _message(stmt: Stmt) -> str:
    """`, message` of the AssertionError that a statement raises."""
    for opening in ("raise AssertionError(", "assert False, "):
        if stmt.text.startswith(opening):
            message = stmt.text[len(opening) :]
            return ", " + (message[:-1] if message.endswith(")") and opening[0] == "r" else message)
    return ""


def _join_try(stmt: Try) -> None:
    """try: try … except … finally -> one statement."""
    if stmt.final and not stmt.handlers and len(stmt.body) == 1:
        inner = stmt.body[0]
        if isinstance(inner, Try) and not inner.final and inner.handlers:
            stmt.body, stmt.handlers, stmt.orelse = inner.body, inner.handlers, inner.orelse
            stmt.star = inner.star


def _join_with(stmt: With) -> None:
    """with a: with b -> with a, b, when they stood on one line."""
    if len(stmt.body) == 1:
        inner = stmt.body[0]
        if isinstance(inner, With) and inner.is_async == stmt.is_async and inner.line == stmt.line:
            stmt.items.extend(inner.items)
            stmt.body = inner.body


def _drop_final_return(body: Body, copied_finally: bool) -> None:
    """A function that falls off its end returns None: no need to say so."""
    while body:
        last = body[-1]
        if isinstance(last, Return):
            if not is_none(last.value):
                return
            body.pop()
            continue
        ends: List[Body] = []
        if isinstance(last, If):
            ends = [*(suite for _test, suite in last.clauses), last.orelse]
        elif isinstance(last, Try) and (copied_finally or not last.final):
            # What unbinds the name of a clause is a `finally` body, too.
            clauses = [each for each in last.handlers if copied_finally or not each.name]
            ends = [*(handler.body for handler in clauses), last.orelse or last.body]
        elif isinstance(last, With) and copied_finally:
            ends = [last.body]
        elif isinstance(last, Match):
            ends = [suite for _pattern, _guard, suite in last.cases]
        for suite in ends:
            _drop_final_return(suite, copied_finally)
        if isinstance(last, Try):
            _join_try(last)
        return


def _return_alike(body: Body) -> None:
    """`return None` in a function that returns values elsewhere, a bare `return` otherwise."""
    bare: List[Return] = []
    has_values = False
    work = [body]
    for suite in work:
        for stmt in suite:
            if type(stmt) is Stmt:
                continue
            if not isinstance(stmt, Return):
                work.extend(suites(stmt))
            elif is_none(stmt.value):
                bare.append(stmt)
            else:
                has_values = True
    for stmt in bare if has_values else ():
        stmt.text = "return None"


def _restore_docstring(body: Body, scope: Scope) -> None:
    code = scope.code
    if code.version >= (3, 14) and not code.flags & _CO_HAS_DOCSTRING:
        return
    if code.consts and type(code.consts[0]) is str:
        body.insert(0, _docstring(code.consts[0], code.version))


def _docstring(text: str, version: Tuple[int, int]) -> Stmt:
    """The text between triple quotes where that reads well, a plain literal otherwise."""
    if not _reads_well(text):
        return Stmt("docstring", repr(text))
    escaped = text.replace("\\", "\\\\")
    # From 3.13 on the compiler takes the indentation off again.
    is_indented = version >= (3, 13) and _has_margin(text) and _is_clean(text)
    return Stmt("indented docstring" if is_indented else "docstring", f'"""{escaped}"""')


def _has_margin(text: str) -> bool:
    return any(line.strip(" ") for line in text.split("\n")[1:])


def _reads_well(text: str) -> bool:
    plain = text.replace("\n", "").replace("\t", "") if "\n" in text else text
    return '"""' not in text and plain.isprintable() and not text.endswith('"')


def _doc_assignment(body: Body, scope: Scope) -> None:
    if body and body[0].kind == "assign" and body[0].text.startswith("__doc__ = "):
        text = _literal_text(body[0].text[len("__doc__ = ") :])
        if text is not None and (scope.code.version < (3, 13) or _is_clean(text)):
            body[0] = _docstring(text, scope.code.version)


def _literal_text(source: str) -> Optional[str]:
    """What a string literal says; None for any other expression."""
    try:
        value = ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return None
    return value if isinstance(value, str) else None


def _is_clean(text: str) -> bool:
    """Whether the compiler of 3.13, which unindents docstrings, leaves this one as it is."""
    first, *others = text.split("\n")
    margins = [len(line) - len(line.lstrip(" ")) for line in others if line.strip(" ")]
    return "\t" not in text and first[:1] != " " and (not margins or 0 in margins)


_PROLOGUE = (
    "__module__ = __name__",
    "__qualname__ = ",
    "__firstlineno__ = ",
    "__type_params__ = .type_params",
    "__classdict__ = <locals>",
    "__conditional_annotations__ = {*()}",
)
_MODULE_PROLOGUE = _PROLOGUE[-1:]
_EPILOGUE = ("__classcell__ = __class__", "__static_attributes__ = ", "__classdictcell__ = ")


def _drop_prologue(body: Body, written: Tuple[str, ...]) -> None:
    """What every class body starts with; once each, what is left somebody wrote."""
    left = list(written)
    while body and body[0].kind == "assign":
        opening = next((text for text in left if body[0].text.startswith(text)), None)
        if opening is None:
            return
        left.remove(opening)
        del body[0]


def _drop_epilogue(body: Body) -> None:
    """What every class body ends with."""
    while body and (body[-1].text.startswith(_EPILOGUE) or body[-1].kind == "return"):
        body.pop()


def _declare(body: Body, scope: Scope) -> None:
    """`global` and `nonlocal` declarations, behind the docstring and imports from the future."""
    code = scope.code
    has_cells = code.freevars or code.cellvars or scope.kind == CLASS
    if not (has_cells or scope.nonlocals or scope.globals):
        return
    place = 1 if body and body[0].kind in DOCSTRINGS else 0
    while place < len(body) and body[place].text.startswith("from __future__ "):
        place += 1
    if scope.kind == FUNCTION and has_cells:
        # Frames are compiled with all their variables, mentioned or not.
        if scope.parent is not None or scope.options.facts is None:
            _keep_cells(body, place, scope)
    if scope.kind == CLASS:
        _keep_cells_of_class(body, place, scope)
    declared = scope.globals - scope.implicit_globals
    if scope.kind in (FUNCTION, CLASS, MODULE):
        for word, names in (("nonlocal", scope.nonlocals), ("global", declared)):
            if names:
                text = ", ".join(sorted(scope.name(name) for name in names))
                body.insert(place, Stmt("declaration", f"{word} {text}"))


def _keep_cells(body: Body, place: int, scope: Scope) -> None:
    """Free variables and cells that nothing in reach uses any more."""
    code = scope.code
    for name in code.freevars:
        # `super()` uses __class__ without naming it.
        hidden = name == "__class__" and "super" in scope.loaded
        if name in scope.loaded or name in scope.nonlocals or hidden:
            continue
        if is_type_parameter(name, scope):
            body.insert(place, mention(name, scope))
        else:
            scope.nonlocals.add(name)
    unused = [scope.name(name) for name in code.cellvars if name not in scope.captured]
    if unused:
        # Bound too: what binds them may be out of reach as well.
        text = f"{' = '.join(unused)} = lambda: ({', '.join(unused)},)"
        body.insert(place, _never(Stmt("expression", text)))


def _keep_cells_of_class(body: Body, place: int, scope: Scope) -> None:
    """What the compiler has for methods, where it made none of them."""
    unused = set(scope.code.cellvars) - scope.captured
    uses = "__class__" if "__class__" in unused else "None"
    if "__classdict__" in unused and not any(map(_is_method, scope.code.consts)):
        # Type parameters need it; since 3.14 any `def` does, if annotations are deferred.
        body.insert(place, _never(Stmt("expression", f"def unreached[T](): return {uses}")))
    elif "__class__" in unused:
        body.insert(place, _never(Stmt("expression", f"lambda: {uses}")))
    unread = [name for name in scope.code.freevars if _is_unread(name, scope)]
    if unread:
        # Where the class binds the name itself, only a function in it reads the one around.
        texts = [
            f"lambda: {scope.name(name)}" if name in scope.code.names else scope.name(name)
            for name in unread
        ]
        body.insert(place, _never(Stmt("expression", ", ".join(texts))))


def _is_unread(name: str, scope: Scope) -> bool:
    """Whether only code out of reach mentions a variable of the function around a class."""
    used = name in scope.loaded or name in scope.nonlocals or name == "__classdict__"
    return not used and is_name(name)


def _is_method(constant: object) -> bool:
    if not isinstance(constant, Code):
        return False
    return bool(constant.flags & _CO_OPTIMIZED) and is_name(constant.name)


def _never(stmt: Stmt) -> If:
    return If([(nodes.name("0", "const"), [stmt])], [])


def _mark_generator(body: Body, scope: Scope) -> None:
    """A generator whose every `yield` is out of reach still has to contain one."""
    if "yield" not in scope.loaded:
        body.append(If([(nodes.name("False", "const"), [Stmt("expression", "yield")])], []))
