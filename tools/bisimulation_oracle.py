"""A slow second opinion for the mutation tests: do two code objects have the same traces?

Works by partition refinement over `dis.get_instructions`, so it has neither the reading nor the
algorithm of the checker that it helps to test. It knows nothing of nested code or headers.
"""

from __future__ import annotations

import dis
import sys
from types import CodeType
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

VERSION = sys.version_info[:2]
ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
PLAIN_JUMPS = (
    "JUMP_FORWARD", "JUMP_ABSOLUTE", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT",
)  # fmt: skip
PASSED_OVER = ("NOP", "NOT_TAKEN", "EXTENDED_ARG", "CACHE")
SURELY_RAISES = (
    "CALL", "CALL_FUNCTION", "CALL_METHOD", "CALL_KW", "CALL_FUNCTION_KW", "CALL_FUNCTION_EX",
    "LOAD_ATTR", "LOAD_METHOD", "LOAD_GLOBAL", "LOAD_NAME", "STORE_ATTR", "BINARY_OP",
    "BINARY_SUBSCR", "STORE_SUBSCR", "BINARY_ADD", "IMPORT_NAME", "GET_ITER", "FOR_ITER",
    "COMPARE_OP", "RAISE_VARARGS", "UNPACK_SEQUENCE", "LOAD_DEREF", "FORMAT_VALUE",
)  # fmt: skip

Node = Tuple[str, int]


class Handler(NamedTuple):
    start: int
    end: int
    target: int
    depth: int
    lasti: bool


def handler_table(code: CodeType) -> List[Handler]:
    if VERSION < (3, 11):
        return []
    entries = dis._parse_exception_table(code)  # type: ignore[attr-defined]
    return [Handler(e.start, e.end, e.target, e.depth, e.lasti) for e in entries]


def jump_target(instruction: dis.Instruction) -> Optional[int]:
    is_jump = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
    return instruction.argval if is_jump and instruction.opname != "END_ASYNC_FOR" else None


class Graph:
    """Instructions by offset with their successors."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.instructions = [i for i in dis.get_instructions(code) if i.opname != "CACHE"]
        self.by_offset = {i.offset: i for i in self.instructions}
        following = [i.offset for i in self.instructions[1:]] + [len(code.co_code)]
        self.next_of = {i.offset: n for i, n in zip(self.instructions, following)}
        self.handlers = handler_table(code)

    def handler_of(self, offset: int) -> Optional[Handler]:
        return next((h for h in self.handlers if h.start <= offset < h.end), None)

    def successors(self, offset: int) -> List[int]:
        """In the order: condition holds, condition fails; or next, target."""
        instruction = self.by_offset[offset]
        target, after = jump_target(instruction), self.next_of[offset]
        if instruction.opname in PLAIN_JUMPS:
            return [target] if target is not None else []
        if instruction.opname in ENDS:
            return []
        if target is None:
            return [after]
        jumps_when_true = instruction.opname.endswith(("_IF_TRUE", "_IF_NONE"))
        return [target, after] if jumps_when_true else [after, target]

    def settled(self, offset: int) -> int:
        for _ in range(len(self.instructions) + 1):
            instruction = self.by_offset.get(offset)
            if instruction is None or instruction.opname not in PASSED_OVER + PLAIN_JUMPS:
                return offset
            offset = self.successors(offset)[0]
        return -1

    def reachable(self) -> List[int]:
        """What control can reach; handlers only from instructions that raise without doubt."""
        found: Dict[int, None] = {}
        stack = [0]
        while stack:
            offset = stack.pop()
            if offset in found or offset not in self.by_offset:
                continue
            found[offset] = None
            stack.extend(self.successors(offset))
            handler = self.handler_of(offset)
            if handler is not None and self.by_offset[offset].opname in SURELY_RAISES:
                stack.append(handler.target)
        return sorted(found)

    def label(self, offset: int) -> Tuple[str, str, str]:
        instruction = self.by_offset[offset]
        name = instruction.opname.replace("_FORWARD", "").replace("_BACKWARD", "")
        for ending in ("_CHECK", "_BORROW"):
            name = name.replace("LOAD_FAST" + ending, "LOAD_FAST")
        if name.startswith("POP_JUMP"):
            name = "NONE" if name.endswith("NONE") else "TRUTH"
        if jump_target(instruction) is not None:
            return name, "", ""
        value = instruction.argval
        return name, type(value).__name__, repr(value)

    def states(self) -> Iterator[Tuple[int, Tuple[object, ...], List[int]]]:
        for offset in self.reachable():
            if self.settled(offset) != offset:
                continue
            successors = [self.settled(s) for s in self.successors(offset)]
            handler = self.handler_of(offset)
            label: Tuple[object, ...] = self.label(offset)
            if handler is not None and self.by_offset[offset].opname in SURELY_RAISES:
                label += (handler.depth, handler.lasti)
                successors.append(self.settled(handler.target))
            yield offset, label, successors


def same_traces(one: CodeType, other: CodeType) -> bool:
    """Refines the partition of both graphs' states until it is stable; compares the entries."""
    labels: Dict[Node, object] = {}
    successors: Dict[Node, List[Node]] = {}
    graphs = {"one": Graph(one), "other": Graph(other)}
    for side, graph in graphs.items():
        for offset, label, following in graph.states():
            labels[side, offset] = label
            successors[side, offset] = [(side, s) for s in following]
    numbers: Dict[object, int] = {}
    classes = {node: numbers.setdefault(label, len(numbers)) for node, label in labels.items()}
    while True:
        keys: Dict[object, int] = {}
        refined = {}
        for node in classes:
            key = (classes[node], tuple(classes.get(s, -1) for s in successors[node]))
            refined[node] = keys.setdefault(key, len(keys))
        if len(keys) == len(set(classes.values())):
            break
        classes = refined
    entries = [classes.get((side, graph.settled(0)), -1) for side, graph in graphs.items()]
    return entries[0] == entries[1]
