"""Rules of the symbolic run for what is looked up and called; torch's own timing stays silent."""

from __future__ import annotations

from typing import List, Tuple

from depyf.decompile.decode.ops import Op
from depyf.decompile.simplify.symbolic import CannotSimplify, Runner, items_of, rule
from depyf.decompile.simplify.values import NULL, Constant, Global, Null, Silent, Value


@rule("LOAD_GLOBAL")
def _load_global(run: Runner, op: Op) -> None:
    if op.arg in run.facts.silent or op.arg in run.facts.flags:
        run.push(Silent(op.arg, op))
    elif op.arg in run.facts.sequences or op.arg in run.facts.fixed:
        run.push(Global(op))
    else:
        run.add(op, [], 1)


@rule("LOAD_ATTR", "LOAD_METHOD")
def _load_attribute(run: Runner, op: Op) -> None:
    value = run.take(1)[0]
    if op.name == "LOAD_METHOD":
        # A call looks for the slot that is not empty.
        run.push(NULL)
    if isinstance(value, Silent):
        if op.arg in run.facts.silent.get(value.name, ()):
            run.push(Silent("", op))
            return
        if op.arg in run.facts.flags.get(value.name, ()):
            # Without timing there is less to read, and nothing else is different.
            run.push(Constant(False))
            return
        # Another attribute of that global is an attribute like any other.
        run.add(value.op, [], 1)
        value = run.take(1)[0]
    run.add(op, [value], 1)


def _callee(run: Runner, slots: int) -> Tuple[Value, List[Value]]:
    """The function, and the self that comes before the arguments, if any."""
    taken = run.take(slots)
    present: List[Value] = [value for value in taken if not isinstance(value, Null)]
    return present[0], present[1:]


@rule("CALL")
def _call(run: Runner, op: Op) -> None:
    count, slots, keywords = op.arg
    values = run.take(count)
    function, first = _callee(run, slots)
    if isinstance(function, Silent):
        run.push(Silent("", op))
        return
    arguments = [*first, *values]
    called = Op.of("CALL", (len(arguments), 1, keywords), op.offset, op.line)
    run.add(called, [function, *arguments], 1)


@rule("CALL_KW")
def _call_with_names(run: Runner, op: Op) -> None:
    count, slots = op.arg
    names = run.take(1)[0]
    values = run.take(count)
    function, first = _callee(run, slots)
    items = items_of(names)
    if items is None or not all(isinstance(item, Constant) for item in items):
        raise CannotSimplify("the names of keyword arguments are not known")
    keywords = tuple([item.value for item in items if isinstance(item, Constant)])
    arguments = [*first, *values]
    called = Op.of("CALL", (len(arguments), 1, keywords), op.offset, op.line)
    run.add(called, [function, *arguments], 1)


@rule("CALL_EX")
def _call_unpacked(run: Runner, op: Op) -> None:
    slots, has_keywords = op.arg
    keywords = run.take(1) if has_keywords else []
    arguments = run.take(1)[0]
    function, _none = _callee(run, slots)
    items = items_of(arguments)
    if items is not None and (not keywords or isinstance(keywords[0], Null)):
        called = Op.of("CALL", (len(items), 1, ()), op.offset, op.line)
        run.add(called, [function, *items], 1)
        return
    called = Op.of("CALL_EX", (1, has_keywords), op.offset, op.line)
    run.add(called, [function, arguments, *keywords], 1)
