"""3.12 and later run comprehensions inside the function around them; this takes them out again.

The inlined loop becomes a `Program` of its own, the argument of one INLINED_COMPREHENSION
operation that takes the iterator and gives the collection, as the call of an outlined one does.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Set, Tuple

from depyf.decompile.decode.code import Code
from depyf.decompile.decode.ops import EXITS, LOOPS, Op, Program

_COLLECTIONS = frozenset(("BUILD_LIST", "BUILD_SET", "BUILD_MAP"))
# What the compiler may move before the stores that put the saved locals back.
_MOVED_FORWARD = frozenset(("STORE_FAST", "POP_TOP"))


def outline(code: Code, ops: List[Op]) -> None:
    """Replace every inlined comprehension, innermost first, by one operation."""
    for index in range(len(ops) - 1, -1, -1):
        if ops[index].name in _COLLECTIONS and not ops[index].arg:
            _outline_one(code, ops, index)


def _next(ops: List[Op], index: int) -> int:
    """The next operation that is still there."""
    index += 1
    while index < len(ops) and ops[index].name == "NOP":
        index += 1
    return index


def _previous(ops: List[Op], index: int) -> int:
    index -= 1
    while index > 0 and ops[index].name == "NOP":
        index -= 1
    return index


_READS_OF_OTHERS = frozenset(
    "LOAD_GLOBAL LOAD_NAME LOAD_FROM_DICT_OR_GLOBALS LOAD_FROM_DICT_OR_DEREF".split()
)


def _outline_one(code: Code, ops: List[Op], build: int) -> None:
    swap = _next(ops, build)
    head = _next(ops, swap)
    if head >= len(ops) or (ops[swap].name, ops[swap].arg) != ("SWAP", 2):
        return
    if ops[head].name not in LOOPS:
        return
    start, saved = _saved(ops, build)
    end = _landing(ops, ops[head].target)
    resume = _take_out_restores(ops, end, saved)
    if resume is None:
        return
    inside = _reached(ops, head, end)
    program = _extract(code, ops, build, sorted(inside), end)
    program.variables = _own(saved, program.ops, code)
    if ops[head].name == "ASYNC_FOR_ITER":
        # Nothing leads there any more: the end of the iteration is an edge of the loop's own.
        ops[ops[head].target - 1].name = "NOP"
    for index in [*range(start, head), *inside]:
        ops[index].name, ops[index].target = "NOP", -1
    ops[start].name, ops[start].arg = "INLINED_COMPREHENSION", program
    if _next(ops, start) != resume:
        # Something else stands in between where the compiler moved the loop out of line.
        ops[head] = Op.of(
            "JUMP", None, ops[head].offset, ops[head].line, resume, ops[start].handler
        )


def _saved(ops: List[Op], build: int) -> Tuple[int, List[str]]:
    """Where the comprehension starts and which locals it saves, in order."""
    saved: List[str] = []
    swap = _previous(ops, build)
    if ops[swap].name != "SWAP":
        return build, saved
    start = build
    index = _previous(ops, swap)
    while index >= 0 and ops[index].name == "LOAD_AND_CLEAR":
        saved.insert(0, ops[index].arg)
        start = index
        index = _previous(ops, index) if index else -1
    return (start, saved) if ops[swap].arg == len(saved) + 1 else (build, [])


def _own(saved: List[str], ops: List[Op], code: Code) -> List[str]:
    """In a class body the compiler also saves what is no variable of the comprehension."""
    others = {op.arg for op in ops if op.name in _READS_OF_OTHERS}
    others.update(op.arg for op in ops if op.name == "LOAD_DEREF" and op.arg in code.freevars)
    return [name for name in saved if name != ".0" and name not in others]


def _landing(ops: List[Op], index: int) -> int:
    """The operation that control meets at `index`."""
    index = _next(ops, index - 1)
    for _jump in ops:  # in damaged code they may lead in a circle
        if ops[index].name != "JUMP":
            break
        index = _next(ops, ops[index].target - 1)
    return index


def _take_out_restores(ops: List[Op], index: int, saved: List[str]) -> Optional[int]:
    """Erase what puts the saved locals back from `index` on; tells where to go on."""
    if not saved:
        return index
    if ops[index].name == "SWAP" and ops[index].arg == len(saved) + 1:
        resume, places = -1, [index]
    elif ops[index].name in _MOVED_FORWARD:
        resume, places = index, []
    else:
        return None
    stored: List[str] = []
    place = index
    while len(stored) < len(saved):
        place = _next(ops, place)
        if place >= len(ops) or ops[place].name != "STORE_FAST":
            return None
        stored.append(ops[place].arg)
        places.append(place)
    if sorted(stored) != sorted(saved):
        return None
    for place in places:
        ops[place].name = "NOP"
    return resume if resume >= 0 else _next(ops, place)


def _reached(ops: List[Op], head: int, end: int) -> Set[int]:
    """The operations of the loop: all that control reaches before it comes to `end`."""
    seen: Set[int] = set()
    work = [head]
    while work:
        index = work.pop()
        if index in seen or index == end or index >= len(ops):
            continue
        seen.add(index)
        op = ops[index]
        if op.target >= 0:
            work.append(op.target)
        if op.name != "JUMP" and op.name not in EXITS:
            work.append(index + 1)
    return seen


def _leads_on(ops: List[Op], index: int, behind: int) -> bool:
    """Whether a jump leads where control would go without it, as nothing is left in between."""
    return ops[index].name == "JUMP" and _landing(ops, index) == behind


def _extract(code: Code, ops: List[Op], build: int, inside: List[int], end: int) -> Program:
    """BUILD; LOAD .0; the loop; RETURN, with jumps counted from the start."""
    head = ops[inside[0]]
    taken = [ops[build], Op.of("LOAD_FAST", ".0", head.offset, head.line)]
    moved: Dict[int, int] = {}
    # A loop out of line jumps to what follows it: copies must not differ by that.
    follow = _landing(ops, end)
    ends = [end, *(i for i in inside if ops[i].name == "JUMP" and _landing(ops, i) == follow)]
    left = [index for index in inside if ops[index].name != "NOP"]
    straight = {index for index, behind in zip(left, left[1:]) if _leads_on(ops, index, behind)}
    for index in inside:
        moved[index] = len(taken)
        if ops[index].name != "NOP" and index not in ends and index not in straight:
            taken.append(ops[index])
    moved.update(dict.fromkeys(ends, len(taken)))
    result = [op.moved(moved.get(op.target, -1), -1) for op in taken]
    result.append(Op.of("RETURN", None, ops[end].offset, ops[end].line))
    return Program(code, result, frozenset([op.name for op in result]), {}, 1)
