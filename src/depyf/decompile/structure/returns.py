"""Undoes the copying of returns: the compiler writes a short `return` at the end of every path.

Copies of one statement carry its line, and a function's implicit `return None` the line of the
statement before it. Both become one block again, where the paths meet.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

from depyf.decompile.decode.ops import LOOPS, Op, comparable, stack_effect
from depyf.decompile.flow.graph import BRANCH, EXIT, FOR, Block, Graph
from depyf.decompile.structure.copies import split
from depyf.decompile.structure.with_exits import is_quiet_return

_LONGEST = 8
_CO_OPTIMIZED = 1
_ENDS = frozenset(("RETURN", "RERAISE"))

# What the blocks of one group have in common.
Key = Tuple[Any, ...]


def has_no_return(graph: Graph) -> bool:
    """Modules and classes: every return there is the implicit one."""
    return not graph.program.code.flags & _CO_OPTIMIZED


def falls_off_end(block: Block) -> bool:
    """Whether a block ends with the implicit return, which has the line of the statement before.

    What unbinds the name of an `except` clause in between has no statement of its own.
    """
    ops = block.ops
    if block.kind != EXIT or not _returns_none(block) or ops[-1].line is None:
        return False
    before = [op for op in ops[:-2] if op.name in _ENDS_OF_STATEMENTS and op.line is not None]
    return bool(before) and before[-1].line == ops[-1].line


_ENDS_OF_STATEMENTS = frozenset("POP_TOP STORE_ATTR STORE_SUBSCR STORE_GLOBAL STORE_NAME".split())


def share_returns(graph: Graph, ends: List[Block]) -> bool:
    """Let paths that end in copies of one return end in the same block."""
    always_implicit = has_no_return(graph)
    similar = [ends] if always_implicit else alike(ends, _rough_end)
    if not similar:
        return False
    # Otherwise no `break` leads to the end of the function: what looks like one is a `return`.
    ends_with_loop = not LOOPS.isdisjoint(graph.program.kinds) and any(
        block.kind == FOR and is_quiet_return(block.succs[1]) for block in graph.blocks()
    )
    groups: Dict[Key, List[Tuple[Block, int]]] = {}
    for block in [each for blocks in similar for each in blocks]:
        found = _end(block, always_implicit, ends_with_loop)
        if found is not None:
            key, place = found
            groups.setdefault((block.context, *key), []).append((block, place))
    shared = False
    for key, copies in groups.items():
        # The end of a module or class is a place of its own: a `break` may lead there.
        if len(copies) > 1 or (always_implicit and "implicit" in key):
            _share(graph, copies)
            shared = True
    return shared


def _rough_end(block: Block) -> Optional[Key]:
    """What blocks with the same end have in common, and few others."""
    if not block.ops:
        return None
    last = block.ops[-1]
    if last.name == "RERAISE" or _returns_none(block):
        # An implicit return has the line of any statement.
        return (last.name,)
    return (last.line,)


def _returns_none(block: Block) -> bool:
    if len(block.ops) < 2:
        return False
    value, last = block.ops[-2:]
    return last.name == "RETURN" and value.name == "LOAD_CONST" and value.arg is None


def _end(block: Block, always_implicit: bool, ends_with_loop: bool) -> Optional[Tuple[Key, int]]:
    """What makes the end of a path comparable with others, and where it starts."""
    name = block.ops[-1].name if block.ops else ""
    if name == "RERAISE":
        # The end of a `finally` body, whichever path led there.
        return ("reraise",), len(block.ops) - 1
    return _tail(block, always_implicit, ends_with_loop) if name in ("RETURN", "RAISE") else None


def share_copied_ends(graph: Graph, ends: List[Block]) -> bool:
    """Let paths that end in copies of the same statements, line by line, end in the same block."""
    shared = False
    for similar in alike(ends, _rough_shape):
        for blocks in alike(similar, _shape):
            if any(op.line is None for op in blocks[0].ops[:-1]):
                continue
            shared = True
            *copies, kept = sorted(blocks, key=where_written)
            for block in copies:
                for pred in list(dict.fromkeys(block.preds)):
                    pred.redirect(block, kept)
    return shared


def where_written(block: Block) -> Tuple[bool, int]:
    """The last copy stands where the statement stood, of those that not only handlers lead to."""
    return not all(map(_ends_handler, block.preds)), block.index


def _ends_handler(block: Block) -> bool:
    return bool(block.ops) and block.ops[-1].name == "POP_EXCEPT"


def join_copied_bodies(graph: Graph) -> None:
    """Let a `try` be entered in one place: since 3.13 `try: raise E` is copied to every way there.

    Such a copy is all of what the statement protects.
    """
    if graph.program.code.version < (3, 13):
        return
    bodies = [block for block in graph.ends() if _is_whole_body(block)]
    for blocks in alike(bodies, _shape_of_body):
        for block in blocks[:-1]:
            for pred in list(dict.fromkeys(block.preds)):
                pred.redirect(block, blocks[-1])


def _is_whole_body(block: Block) -> bool:
    handler = block.handler
    return handler is not None and all(pred.handler is not handler for pred in block.preds)


def _shape_of_body(block: Block) -> Optional[Key]:
    if any(op.line is None for op in block.ops):
        return None
    # A `finally` body that raises may have a value below it which was to be returned.
    shape = [(op.name, comparable(op.arg), op.line) for op in block.ops]
    return block.handler, block.depth, tuple(shape)


def alike(blocks: List[Block], key: Callable[[Block], Optional[Key]]) -> List[List[Block]]:
    """The blocks that share their key with others, group by group; None is no key."""
    groups: Dict[Key, List[Block]] = {}
    for block in blocks:
        found = key(block)
        if found is not None:
            groups.setdefault(found, []).append(block)
    if len(groups) == len(blocks):
        return []
    return [group for group in groups.values() if len(group) > 1]


def _rough_shape(block: Block) -> Optional[Key]:
    """What blocks of the same shape have in common, and few others."""
    ops = block.ops
    if len(ops) < 3 or ops[-1].name not in _ENDS:
        return None
    return len(ops), ops[0].line, ops[-2].line


def _shape(block: Block) -> Key:
    ops = block.ops
    shape = [(op.name, comparable(op.arg), op.line) for op in ops[:-1]]
    return block.context, ops[-1].name, tuple(shape)


def _tail(block: Block, always_implicit: bool, ends_with_loop: bool) -> Optional[Tuple[Key, int]]:
    """What makes the block's return comparable with others, and where it starts."""
    ops = block.ops
    place = _start_of_return(block)
    if place is None:
        return None
    tail = ops[place:]
    if always_implicit and tail[-1].name == "RETURN":
        # A class whose methods use `super()` hands its cell over before it returns.
        return ("implicit", _values(tail)), place
    if len(tail) == 2 and _returns_none(block):
        leaves_loop = place > 0 and ops[place - 1].name == "POP_ITER"
        may_be_implicit = (ends_with_loop or not leaves_loop) and not _leaves_finally(block, place)
        if may_be_implicit and _is_implicit(block, place):
            return ("implicit",), place
    line = tail[-1].line
    if line is None or any(op.line != line for op in tail):
        return None
    return (line, _values(tail)), place


def _values(ops: List[Op]) -> Key:
    return tuple([(op.name, comparable(op.arg)) for op in ops])


def _leaves_finally(block: Block, place: int) -> bool:
    """Whether the exception is thrown away that a `finally` body raises again at its end."""
    if not place or block.ops[place - 1].name != "POP_EXCEPT":
        return False
    handlers = [part.region for part in block.context if part.is_handler]
    return bool(handlers) and handlers[-1].kind == "finally"


def _start_of_return(block: Block) -> Optional[int]:
    """Where the computation of the returned value starts in the block."""
    needed = 0
    for length, op in enumerate(reversed(block.ops), 1):
        if length > _LONGEST or op.name == "INLINED_COMPREHENSION":
            return None
        pops, pushes = stack_effect(op)
        needed += pops - pushes
        if needed == 0:
            return len(block.ops) - length
    return None


def _is_implicit(block: Block, place: int) -> bool:
    line = block.ops[place].line
    if place:
        return line is None or block.ops[place - 1].line == line
    for pred in block.preds:
        last = pred.ops[-1].line if pred.ops else None
        if line is not None and not (last == line and not _chooses(pred, block)):
            return False
    return True


def _chooses(pred: Block, block: Block) -> bool:
    """Whether a test leads to the block as to its own body, which stands right behind it."""
    if pred.kind != BRANCH or pred.succs[1] is block:
        return False
    return block.index < pred.succs[1].index


def _share(graph: Graph, copies: List[Tuple[Block, int]]) -> None:
    shared: Optional[Block] = None
    for block, place in sorted(copies, key=lambda copy: where_written(copy[0]), reverse=True):
        if place == 0 and block is not graph.entry:
            tail = block
        else:
            tail = split(block, place)
        if shared is None:
            shared = tail
            continue
        for pred in list(dict.fromkeys(tail.preds)):
            pred.redirect(tail, shared)


def same_lines(first: List[Op], second: List[Op]) -> bool:
    """Whether operations are copies of the same statements, line by line."""
    # A return whose `finally` was taken out has no line of its own.
    return [shape_of(op) for op in first] == [shape_of(op) for op in second] and all(
        op.line is not None for op in first[:-1] or first
    )


def shape_of(op: Op) -> Tuple[Any, ...]:
    """What the copies of one operation have in common."""
    return op.name, comparable(op.arg), op.line
