"""Rules of a dispatch loop for iterators, context managers, exceptions, patterns and `return`.

What the interpreter does in one instruction is spelled out: `iter`, the look-up of `__exit__` on
the type, raising again to compare as `except` does, a `match` for each test of a pattern.
"""

from __future__ import annotations

from typing import Dict

from depyf.decompile.decode.ops import Op
from depyf.decompile.expr import nodes
from depyf.decompile.expr.nodes import Expr
from depyf.decompile.expr.statements import Body, Handler, Match, Stmt, Try
from depyf.decompile.structure.dispatch_evaluator import (
    DEFINITIONS,
    RAISED,
    DispatchEvaluator,
    item_text,
    own,
    value_text,
)

# Iterators and context managers.


@own("GET_ITER", "GET_AITER")
def _get_iter(ev: DispatchEvaluator, op: Op) -> None:
    value = ev.pop()
    text = item_text(ev.names, value)
    if op.name == "GET_ITER":
        text = f"{ev.names.builtin('iter')}({text})"
    elif ev.version >= (3, 10):
        text = f"{ev.names.builtin('aiter')}({text})"
    else:
        text = f"{ev.names.helper('special')}({text}, '__aiter__')()"
    ev.push(Expr(text, nodes.ATOM, "iter", value))


@own("LOAD_SPECIAL")
def _load_special(ev: DispatchEvaluator, op: Op) -> None:
    owner = item_text(ev.names, ev.pop())
    ev.push(nodes.name(f"{ev.names.helper('special')}({owner}, {op.arg!r})", "call"))
    ev.push(nodes.marker("null"))


@own("BEFORE_WITH", "BEFORE_ASYNC_WITH")
def _before_with(ev: DispatchEvaluator, op: Op) -> None:
    manager = ev.pop()
    ev.spill(op)
    owner = ev.save(value_text(ev.names, manager), op)
    special = ev.names.helper("special")
    prefix = "__a" if op.name == "BEFORE_ASYNC_WITH" else "__"
    found: Dict[str, Expr] = {}
    for word in ("exit", "enter") if op.arg == 2 else ("enter", "exit"):
        found[word] = ev.save(f"{special}({owner.text}, '{prefix}{word}__')", op)
    ev.push(found["exit"])
    if op.arg == 2:
        ev.push(nodes.marker("null"))
    ev.push(nodes.call(found["enter"], []))


@own("WITH_EXCEPT_START")
def _with_except_start(ev: DispatchEvaluator, op: Op) -> None:
    stack = ev.stack
    if ev.slots == 3:
        texts = [value.text for value in (stack[-1], stack[-2], stack[-3])]
        leave = stack[-7]
    else:
        raised = stack[-1].text
        texts = [f"{ev.names.builtin('type')}({raised})", raised, f"{raised}.__traceback__"]
        leave = stack[-5 if ev.version >= (3, 14) else -4]
    ev.push(nodes.call(leave, texts))


# Exceptions.


@own("PUSH_EXC_INFO")
def _push_exc_info(ev: DispatchEvaluator, op: Op) -> None:
    value = ev.pop()
    # Where a handler starts; elsewhere nothing is handled from here on.
    entered = ev.enters and ev.at == 1
    ev.push(nodes.marker("previous", ev.level if entered else None))
    ev.push(value)


@own("POP_EXCEPT")
def _pop_except(ev: DispatchEvaluator, op: Op) -> None:
    previous = ev.pop_many(op.arg)[0]
    if previous.kind == "previous" and previous.parts is not None:
        ev.left_level = previous.parts - 1


@own("RERAISE")
def _reraise(ev: DispatchEvaluator, op: Op) -> None:
    values = ev.pop_many(op.arg)
    value = values[1] if len(values) == 3 else values[0]
    if value.kind == "raised" and value.parts == ev.level:
        ev.emit("raise", "raise", op)
        return
    # Raising a value sets its context and adds to its traceback, raising again does neither.
    # `except*` tells by both what it raised again.
    ev.spill(op)
    saved = ev.save(value_text(ev.names, value), op)
    changed = ("__context__", "__traceback__") if ev.version >= (3, 11) else ("__context__",)
    kept = [(f"{saved.text}.{name}", ev.save(f"{saved.text}.{name}", op)) for name in changed]
    restore: Body = [Stmt("assign", f"{place} = {value.text}") for place, value in kept]
    ev.add(Try([Stmt("raise", f"raise {saved.text}")], [], [], restore), op)


@own("EXC_MATCH")
def _exc_match(ev: DispatchEvaluator, op: Op) -> None:
    wanted = ev.pop()
    left = ev.pop() if op.arg == 2 else ev.stack[-1]
    ev.spill(op)
    result = ev.scope.temporary()
    if left.kind in RAISED and left.parts == ev.level:
        # Raising again what is being handled leaves traceback and context as they are, and
        # `except` compares as only `except` does.
        yes, no = ([Stmt("temporary", f"{result.text} = {word}")] for word in ("True", "False"))
        test = Expr(item_text(ev.names, wanted), nodes.ATOM, "match")
        clauses = [Handler(test, None, yes), Handler(None, None, no)]
        ev.add(Try([Stmt("raise", "raise")], clauses, [], []), op)
    else:
        function = ev.names.builtin("issubclass" if ev.slots == 3 else "isinstance")
        text = f"{function}({left.text}, {item_text(ev.names, wanted)})"
        ev.emit("temporary", f"{result.text} = {text}", op)
    ev.push(result)


@own("EXC_GROUP_MATCH")
def _exc_group_match(ev: DispatchEvaluator, op: Op) -> None:
    values = ev.pop_many(2)
    texts = ", ".join([item_text(ev.names, value) for value in values])
    rest, match = ev.scope.temporary(), ev.scope.temporary()
    helper = ev.names.helper("match_group")
    ev.emit("temporary", f"{rest.text}, {match.text} = {helper}({texts})", op)
    ev.stack.extend((rest, match))


@own("PREP_RERAISE_STAR")
def _prep_reraise_star(ev: DispatchEvaluator, op: Op) -> None:
    texts = [item_text(ev.names, value) for value in ev.pop_many(2)]
    ev.push(nodes.call(nodes.name(ev.names.helper("join_group"), "name"), texts))


@own("RETURN")
def _return(ev: DispatchEvaluator, op: Op) -> None:
    if ev.stack[-1].kind in DEFINITIONS or "slice" in ev.stack[-1].kind:
        ev.stack[-1] = ev.to_temporary(ev.stack[-1], op)
    if not ev.names.in_namespace:
        ev.usual(op)
        return
    # The body of a class or module has no `return`: its loop ends with this state.
    ev.pop()
    ev.emit("assign", f"{ev.names.state} = -1", op)


# Patterns: the interpreter's own `match` does the test.


@own("GET_LEN")
def _get_len(ev: DispatchEvaluator, op: Op) -> None:
    ev.spill(op)
    length = nodes.name(ev.names.builtin("len"), "name")
    ev.push(nodes.call(length, [item_text(ev.names, ev.stack[-1])]))


@own("MATCH_SEQUENCE", "MATCH_MAPPING")
def _match_kind(ev: DispatchEvaluator, op: Op) -> None:
    ev.spill(op)
    result = ev.scope.temporary()
    yes, no = ([Stmt("temporary", f"{result.text} = {word}")] for word in ("True", "False"))
    pattern = "[*_]" if op.name == "MATCH_SEQUENCE" else "{}"
    ev.add(Match(ev.stack[-1], [(pattern, None, yes), ("_", None, no)]), op)
    ev.push(result)


@own("MATCH_CLASS")
def _match_class(ev: DispatchEvaluator, op: Op) -> None:
    count, with_flag = op.arg
    keywords = ev.pop()
    if keywords.kind != "const" or type(keywords.parts) is not tuple:
        ev.fail(op, "the names of attributes are no constants")
    ev.spill(op)
    kind, subject = ev.pop(), ev.pop()
    kind = ev.save(value_text(ev.names, kind), op)
    found = [ev.scope.temporary() for _ in range(count + len(keywords.parts))]
    patterns = [target.text for target in found[:count]]
    patterns += [f"{key}={target.text}" for key, target in zip(keywords.parts, found[count:])]
    values, matched = ev.scope.temporary(), ev.scope.temporary()
    comma = "," if len(found) == 1 else ""
    texts = ", ".join([target.text for target in found])
    yes = [
        Stmt("temporary", f"{values.text} = ({texts}{comma})"),
        Stmt("temporary", f"{matched.text} = True"),
    ]
    otherwise = subject.text if with_flag else "None"
    no = [
        Stmt("temporary", f"{values.text} = {otherwise}"),
        Stmt("temporary", f"{matched.text} = False"),
    ]
    pattern = f"{kind.text}({', '.join(patterns)})"
    ev.add(Match(subject, [(pattern, None, yes), ("_", None, no)]), op)
    ev.push(values)
    if with_flag:
        ev.push(matched)


@own("MATCH_KEYS")
def _match_keys(ev: DispatchEvaluator, op: Op) -> None:
    ev.spill(op)
    texts = ", ".join([item_text(ev.names, value) for value in ev.stack[-2:]])
    values = ev.save(f"{ev.names.helper('match_keys')}({texts})", op)
    ev.push(values)
    if op.arg:
        ev.push(Expr(f"{values.text} is not None", nodes.COMPARE, "found"))


@own("COPY_DICT_WITHOUT_KEYS")
def _copy_dict_without_keys(ev: DispatchEvaluator, op: Op) -> None:
    ev.spill(op)
    keys = ev.pop()
    rest = ev.save(f"{{**{ev.stack[-1].text}}}", op)
    each = ev.scope.temporary()
    text = f"for {each.text} in {value_text(ev.names, keys)}: del {rest.text}[{each.text}]"
    ev.emit("expression", text, op)
    ev.push(rest)
