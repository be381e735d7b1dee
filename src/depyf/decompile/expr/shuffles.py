"""Rules for COPY, SWAP and ROT: what the compiler rearranges on the stack has a form in the source.

A copy is a value stored twice or the target of an augmented assignment, a swap is an assignment
of several values at once. Each is recognised by what follows; anything else gets temporaries.
"""

from __future__ import annotations

from depyf.decompile.decode.ops import Op, stack_effect
from depyf.decompile.expr import nodes
from depyf.decompile.expr.evaluator import Evaluator, rule
from depyf.decompile.expr.stores import (
    NOT_PLAIN,
    PLAIN_OPERATIONS,
    SIMPLE_STORES,
    STATEMENT_MARKERS,
    Pattern,
    slot,
)


@rule("COPY")
def _copy(ev: Evaluator, op: Op) -> None:
    value = ev.stack[-op.arg]
    if value.stable or value.kind == "chain":
        ev.stack.append(value)
        return
    if (op.arg == 1 and _stored_twice(ev)) or _augments(ev, op):
        ev.stack.append(value)
    else:
        ev.spill(op)
        ev.stack.append(ev.stack[-op.arg])


def _stored_twice(ev: Evaluator) -> bool:
    """Behind COPY 1: the copy is the value of a store that starts right here."""
    depth = 0
    ahead = 0
    while True:
        op = ev.next_op(ahead)
        if op is None:
            return False
        if op.name in SIMPLE_STORES and depth == 0:
            return True
        if op.name in ("UNPACK", "UNPACK_EX") and depth == 0:
            return True
        pops, pushes = stack_effect(op) if op.name in PLAIN_OPERATIONS else (99, 0)
        if pops > depth:
            return op.name in ("STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE") and pops == depth + 1
        depth += pushes - pops
        ahead += 1


def _augments(ev: Evaluator, op: Op) -> bool:
    """`x.y += v` and `x[i] += v` copy the owner (and index) and read the old value at once."""
    following = ev.next_op()
    if following is None:
        return False
    if op.arg == 1:
        return following.name == "LOAD_ATTR" and _inplace_follows(ev, "STORE_ATTR")
    names = [op.name, op.arg]
    if op.arg == 2:
        second = following.name == "COPY" and following.arg == 2
        first_done = following.name == "SUBSCR"
        return (second or first_done) and _inplace_follows(ev, "STORE_SUBSCR")
    return names[1] == 3 and _inplace_follows(ev, "STORE_SLICE")


def _inplace_follows(ev: Evaluator, store: str) -> bool:
    """An INPLACE in this block is directly followed by shuffles and `store`."""
    ahead = 0
    while True:
        op = ev.next_op(ahead)
        if op is None:
            return False
        if op.name == store:
            before = ahead - 1
            previous = ev.next_op(before)
            while previous is not None and previous.name in ("SWAP", "ROT") and before > 0:
                before -= 1
                previous = ev.next_op(before)
            return previous is not None and previous.name == "INPLACE"
        if op.name in SIMPLE_STORES or op.name in ("POP_TOP", "RETURN"):
            if not _walrus_store(ev, ahead):
                return False
        ahead += 1


def _walrus_store(ev: Evaluator, ahead: int) -> bool:
    previous = ev.next_op(ahead - 1) if ahead else None
    return previous is not None and previous.name == "COPY"


@rule("SWAP")
def _swap(ev: Evaluator, op: Op) -> None:
    stack = ev.stack
    count = op.arg
    if count > len(stack) or count < 1:
        raise IndexError
    top, other = stack[-1], stack[-count]
    augmented = any(value.kind == "inplace" for value in stack[-4:])
    if augmented or other.kind in STATEMENT_MARKERS or top.kind in STATEMENT_MARKERS:
        stack[-1], stack[-count] = other, top
        return
    if "import from" in (top.kind, other.kind):
        stack[-1], stack[-count] = other, top
        return
    if _assigned_together(ev, op, count):
        return
    ev.spill(op)
    stack[-1], stack[-count] = stack[-count], stack[-1]


@rule("ROT")
def _rot(ev: Evaluator, op: Op) -> None:
    stack = ev.stack
    count = op.arg
    if count > len(stack) or count < 1:
        raise IndexError
    top = stack[-1]
    quiet = top.kind == "inplace" or all(
        value.kind in STATEMENT_MARKERS for value in stack[-count:-1]
    )
    if not quiet:
        following = ev.next_op()
        if count == 3 and following is not None and following.name == "SWAP" and following.arg == 2:
            ev.at += 1
            if _assigned_together(ev, op, 3):
                return
            ev.at -= 1
        ev.spill(op)
    stack.insert(len(stack) - count, stack.pop())


def _assigned_together(ev: Evaluator, op: Op, count: int) -> bool:
    """BUILD_TUPLE n; UNPACK n is compiled to a shuffle: `a, b = c, d`."""
    values = ev.stack[-count:]
    if any(value.kind in NOT_PLAIN for value in values) or not _stores_follow(ev, count):
        return False
    del ev.stack[-count:]
    pattern = Pattern(count, -1, nodes.tuple_of(values))
    pattern.display = True
    ev.stack.extend(slot(pattern, place) for place in range(count - 1, -1, -1))
    return True


def _stores_follow(ev: Evaluator, count: int) -> bool:
    """Whether the next consumer of each of the top values is a store, one after the other."""
    depth = 0
    ahead = 0
    stored = 0
    while stored < count:
        op = ev.next_op(ahead)
        if op is None:
            return False
        ahead += 1
        if op.name in SIMPLE_STORES and depth == 0:
            stored += 1
            continue
        if op.name in ("UNPACK", "UNPACK_EX") and depth == 0:
            return True
        if op.name not in PLAIN_OPERATIONS:
            return False
        pops, pushes = stack_effect(op)
        if pops > depth:
            if op.name not in ("STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE") or pops != depth + 1:
                return False
            stored += 1
            depth = 0
            continue
        depth += pushes - pops
    return True
