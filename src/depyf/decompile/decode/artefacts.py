"""Passes over the operations that take out what only the interpreter needs.

Each works in place and leaves NOPs: the loops that drive an `await`, handlers whose only work is
to clean up, and the forms in which newer compilers spell older instructions.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Set, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import IN_GROUP, KEEPS, OF_VALUE, Op
from depyf.decompile.decode.raw import RawInstr

_KEEP = {"JUMP_IF_TRUE": "KEEP_IF_TRUE", "JUMP_IF_FALSE": "KEEP_IF_FALSE"}
_INLINED_BUILTINS = frozenset(("tuple", "all", "any"))


def _erase(ops: List[Op], *indexes: int) -> None:
    for index in indexes:
        ops[index].name = "NOP"


def _names(ops: List[Op], start: int, count: int) -> List[str]:
    return [op.name for op in ops[start : start + count]]


def name_bare_code(ops: List[Op]) -> None:
    """LOAD_CONST -> LOAD_OBJECT for code that no function is made of."""
    for place, op in enumerate(ops):
        if op.name == "LOAD_CONST" and type(op.arg) is Code:
            # Before 3.11 the qualified name stands in between.
            if "MAKE_FUNCTION" not in _names(ops, place + 1, 2):
                op.name = "LOAD_OBJECT"


def find_bare_places(
    instructions: List[RawInstr], opnames: Sequence[str]
) -> Dict[int, Tuple[int, int]]:
    """NOPs on lines that nothing before them is on: offset, line, by the offset of what follows.

    All that is left of the statement in that line may be the way out of what protects it.
    """
    nop = opnames.index("NOP")
    found: Dict[int, Tuple[int, int]] = {}
    places = [place for place, each in enumerate(instructions[1:-2], 1) if each[1] == nop]
    jumps = {(each[3], each[4]) for each in instructions if each[3] >= 0} if places else set()
    for place in places:
        offset, _opcode, _arg, _target, line = instructions[place]
        if line is None or instructions[place - 1][4] == line or (offset, line) in jumps:
            continue
        # POP_BLOCK, before 3.11, becomes no operation.
        place += 2 if opnames[instructions[place + 1][1]] == "POP_BLOCK" else 1
        found[instructions[place][0]] = (offset, line)
    return found


GIVES_NONE = frozenset(("MATCH_CLASS", "MATCH_KEYS"))
_ASKS_FOR_NONE = ["COPY", "LOAD_CONST", "COMPARE"]


def restore_jumps_on_none(ops: List[Op]) -> None:
    """COPY 1; LOAD_CONST None; COMPARE is; JUMP_IF_TRUE -> COPY 1; JUMP_IF_NONE.

    Dynamo writes the former where compilers test with the latter whether a pattern fits.
    """
    for place, op in enumerate(ops[:-4]):
        if op.name in GIVES_NONE and _names(ops, place + 1, 3) == _ASKS_FOR_NONE:
            none, test, jump = ops[place + 2 : place + 5]
            if none.arg is None and test.arg in ("is", "is not") and jump.name in _KEEP:
                when_none = (test.arg == "is") == (jump.name == "JUMP_IF_TRUE")
                jump.name = "JUMP_IF_NONE" if when_none else "JUMP_IF_NOT_NONE"
                _erase(ops, place + 2, place + 3)


def restore_value_jumps(ops: List[Op]) -> None:
    """COPY 1; JUMP_IF_X; POP_TOP -> KEEP_IF_X: how 3.12 and later spell `and` and `or`."""
    targets: Optional[Set[int]] = None
    places = [index for index in range(len(ops) - 2) if _keeps_value(ops, index)]
    for index in places:
        # 3.14 jumps right behind a test that would go the same way: nothing keeps the value.
        target = ops[index + 1].target
        if target >= 2 and ops[target].name == "POP_TOP" and _keeps_value(ops, target - 2):
            ops[index].name, ops[index].arg = ops[index + 1].name, OF_VALUE
            ops[index].target, ops[index + 1].target = target + 1, -1
            _erase(ops, index + 1, index + 2)
    for index in places:
        op = ops[index]
        if op.name != "COPY":
            continue
        keep = _KEEP[ops[index + 1].name]
        if targets is None:
            targets = {each.target for each in ops if each.target >= 0}
        if index + 2 in targets or index + 1 in targets:
            continue
        # The jump takes the place of COPY so that jumps to the pair still find it.
        op.name, op.arg, op.target = keep, None, ops[index + 1].target
        _erase(ops, index + 1, index + 2)


def mark_groups(ops: List[Op]) -> None:
    """3.14 leaves the test of `a` in `(a or b) or c` uncovered, and in `a or b or c` it does not.

    In the first it jumps to the test of the group, and is made anew when that jump is shortened.
    """
    for before, op in zip(ops, ops[1:]):
        if op.name in KEEPS or op.arg is OF_VALUE:
            op.arg = IN_GROUP if op.handler != before.handler else None


def _keeps_value(ops: List[Op], index: int) -> bool:
    return (
        ops[index].name == "COPY"
        and ops[index].arg == 1
        and ops[index + 1].name in _KEEP
        and ops[index + 2].name == "POP_TOP"
    )


def drop_class_epilogue(ops: List[Op]) -> None:
    """What a class body hands to its metaclass at the end; branches may end with copies of it."""
    for index in range(len(ops) - 1):
        store = ops[index + 1]
        if store.name == "STORE_NAME" and store.arg in _EPILOGUE_NAMES:
            if ops[index].name in ("LOAD_CONST", "LOAD_CLOSURE"):
                _erase(ops, index, index + 1)
        elif _names(ops, index, 4) == ["LOAD_CLOSURE", "COPY", "STORE_NAME", "RETURN"]:
            if ops[index + 2].arg == "__classcell__":
                ops[index].name, ops[index].arg = "LOAD_CONST", None
                _erase(ops, index + 1, index + 2)


_EPILOGUE_NAMES = frozenset(("__static_attributes__", "__classdictcell__"))


def drop_inlined_builtin_calls(ops: List[Op]) -> None:
    """3.14 tests whether `all` is the builtin and, if so, runs its loop inline: keep the call."""
    for index in range(len(ops) - 3):
        if ops[index + 1].name != "LOAD_COMMON" or ops[index + 1].arg not in _INLINED_BUILTINS:
            continue
        if _names(ops, index, 4) == ["COPY", "LOAD_COMMON", "COMPARE", "JUMP_IF_FALSE"]:
            ops[index].name, ops[index].arg = "JUMP", None
            ops[index].target = ops[index + 3].target
            ops[index + 3].target = -1
            _erase(ops, index + 1, index + 2, index + 3)
            _erase_passed_over(ops, index)


def _erase_passed_over(ops: List[Op], jump: int) -> None:
    """Drop a jump and what only it passes over: then nothing cuts the expression around in two."""
    passed = range(jump, ops[jump].target)
    others = [op for at, op in enumerate(ops) if at not in passed]
    if any(op.target in passed or op.handler in passed for op in others):
        return
    for op in ops[jump : passed.stop]:
        op.target = -1
    _erase(ops, *passed)


# In the order in which MAKE_FUNCTION takes them from the stack.
_ATTRIBUTE_FLAGS = (8, 16, 4, 2, 1)


def join_function_attributes(ops: List[Op]) -> None:
    """3.13 and later attach defaults and closures one by one: back to flags of MAKE_FUNCTION."""
    for index, op in enumerate(ops):
        if op.name != "MAKE_FUNCTION":
            continue
        flags, left = 0, list(_ATTRIBUTE_FLAGS)
        following = index + 1
        while ops[following].name == "SET_FUNCTION_ATTRIBUTE" and ops[following].arg in left:
            flag = ops[following].arg
            del left[: left.index(flag) + 1]
            flags |= flag
            _erase(ops, following)
            following += 1
        op.arg = (op.arg[0] | flags, op.arg[1])


def join_generic_calls(ops: List[Op]) -> None:
    """Defaults are on the stack before the function that makes type parameters: drop the swaps."""
    for index in range(1, len(ops) - 2):
        if ops[index].name != "MAKE_FUNCTION" or not _makes_type_parameters(ops[index - 1]):
            continue
        swap = index + 1
        while ops[swap].name == "NOP":
            swap += 1
        call = ops[swap + 1]
        if ops[swap].name != "SWAP" or call.name != "CALL":
            continue
        count = ops[swap].arg - 1
        call.name, call.arg = "CALL_GENERIC", (count, call.arg[0] + call.arg[1] - 1 - count)
        _erase(ops, swap)
        if count == 2:
            closure = ops[index - 2].arg + 1 if ops[index].arg[0] & 8 else 0
            _erase(ops, index - 2 - closure)


def _makes_type_parameters(op: Op) -> bool:
    name = getattr(op.arg, "name", "") if op.name == "LOAD_CONST" else ""
    return isinstance(name, str) and name.startswith("<generic parameters of ")


_ENTER_SEQUENCE = ["COPY", "LOAD_SPECIAL", "SWAP", "SWAP", "LOAD_SPECIAL", "CALL"]


def restore_with(ops: List[Op]) -> None:
    """3.14 spells BEFORE_WITH out as two method look-ups and a call."""
    for index in range(len(ops) - 5):
        if ops[index + 1].name == "LOAD_SPECIAL" and _names(ops, index, 6) == _ENTER_SEQUENCE:
            is_async = ops[index + 1].arg == "__aexit__"
            ops[index].name = "BEFORE_ASYNC_WITH" if is_async else "BEFORE_WITH"
            ops[index].arg = 2
            # The call may raise where the look-ups may: one handler holds for all of them.
            _erase(ops, *range(index + 1, index + 6))


def name_assertion_errors(ops: List[Op]) -> None:
    """Where `raise` looks its exception up as a name, 3.8 has that of `assert` from the globals."""
    for op in ops:
        if op.name == "LOAD_GLOBAL" and op.arg == "AssertionError":
            op.name, op.arg = "LOAD_ASSERTION_ERROR", None


def collapse_awaits(ops: List[Op]) -> None:
    """GET_AWAITABLE; None; the loop that sends -> AWAIT, and likewise `yield from`."""
    for index, op in enumerate(ops):
        if op.name in ("SEND", "YIELD_FROM") and index >= 2:
            opener = ops[index - 2]
            if op.name == "SEND":
                end = index + 3
                if _names(ops, index + 1, 2) != ["YIELD", "JUMP"]:
                    continue
            else:
                end = index + 1
            if opener.name == "GET_ANEXT":
                _collapse_async_for(ops, opener)
            elif opener.name == "GET_AWAITABLE":
                opener.name = "AWAIT"
            elif opener.name == "GET_YIELD_FROM_ITER":
                opener.name = "YIELD_FROM"
            else:
                continue
            if end < len(ops) and ops[end].name == "CLEANUP_THROW" and op.target == end + 1:
                end += 1
            if op.name == "SEND" and op.target != end:
                # The loop stands out of line: go on where it ends.
                end -= 1
                ops[end].target = op.target
            op.target = -1
            _erase(ops, *range(index - 1, end))


def _collapse_async_for(ops: List[Op], opener: Op) -> None:
    handler = ops[opener.handler] if opener.handler >= 0 else None
    if handler is not None and handler.name == "END_ASYNC_FOR":
        opener.name = "ASYNC_FOR_ITER"
        opener.target = opener.handler + 1
        opener.handler = handler.handler


_UNBINDINGS = {
    "STORE_FAST": "DELETE_FAST",
    "STORE_NAME": "DELETE_NAME",
    "STORE_GLOBAL": "DELETE_GLOBAL",
    "STORE_DEREF": "DELETE_DEREF",
}


def end_exceptions_last(ops: List[Op]) -> None:
    """POP_EXCEPT; e = None; del e -> e = None; del e; POP_EXCEPT

    `except E as e` unbinds e at its end. That belongs to the clause, which POP_EXCEPT ends; not
    so a name of `except*` around it, which unbinds without a POP_EXCEPT of its own.
    """
    places = [index for index, op in enumerate(ops) if op.name == "POP_EXCEPT"]
    bound = _names_of_clauses(ops) if places else ()
    for index in places:
        if index + 3 < len(ops):
            load, store, delete = ops[index + 1 : index + 4]
            unbinds = _UNBINDINGS.get(store.name, "") == delete.name and store.arg == delete.arg
            if unbinds and store.arg in bound and load.name == "LOAD_CONST" and load.arg is None:
                ops[index : index + 4] = [load, store, delete, ops[index]]


def _names_of_clauses(ops: List[Op]) -> Set[str]:
    """The names that `except E as e` binds."""
    found: Set[str] = set()
    for index, op in enumerate(ops):
        if op.name == "EXC_MATCH":
            # Before 3.11 the exception lies below its type.
            first = next(
                (each for each in ops[index + 2 : index + 6] if each.name != "POP_TOP"), op
            )
            if first.name in _UNBINDINGS:
                found.add(first.arg)
    return found


def drop_cleanup_handlers(ops: List[Op]) -> None:
    """Handlers that only restore the interpreter's state give way to the handler around them."""
    cleanups = {each for each in {op.handler for op in ops} if each >= 0 and _is_cleanup(ops, each)}
    throws: List[int] = []
    for index, op in enumerate(ops):
        while op.handler in cleanups:
            outer = ops[op.handler].handler
            op.handler = outer if outer != op.handler else -1
        if op.name == "CLEANUP_THROW":
            throws.append(index)
    for index in throws:
        # Nothing leads there any more, and its jump would cut a block in two.
        if index + 1 < len(ops) and ops[index + 1].name == "JUMP":
            ops[index + 1].target = -1
            _erase(ops, index, index + 1)


def _is_cleanup(ops: List[Op], start: int) -> bool:
    name = ops[start].name
    if name == "COPY":
        return _names(ops, start, 3) == ["COPY", "POP_EXCEPT", "RERAISE"] and ops[start].arg == 3
    if name == "STOPITERATION_ERROR":
        return _names(ops, start, 2) == ["STOPITERATION_ERROR", "RERAISE"]
    return name == "CLEANUP_THROW" or name == "END_ASYNC_FOR"
