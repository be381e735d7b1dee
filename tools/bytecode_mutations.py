"""Changes of a code object that change what it does, for testing the checker.

Each mutator takes a subject and a random source and gives back a changed code object, or None
where it found nothing to change. All but the jumps are changes of an instruction that control
reaches, so the trace differs for certain; for jumps and handlers the oracle decides.
"""

from __future__ import annotations

import dis
import random
from types import CodeType
from typing import Callable, Dict, List, Optional, Tuple

from bisimulation_oracle import (
    ENDS,
    SURELY_RAISES,
    VERSION,
    Graph,
    Handler,
    jump_target,
    same_traces,
)

# Operands too far away for one byte need a prefix; such instructions are left alone.
LARGEST_OPERAND = 255
# What the compiler writes about a class's place is allowed to differ.
PLACE_NAMES = ("__firstlineno__", "__static_attributes__", "__qualname__")


class Subject:
    """A code object to change, with what every mutator wants to know about it."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.graph = Graph(code)
        self.instructions = [self.graph.by_offset[offset] for offset in self.graph.reachable()]
        prefixed = {
            self.graph.next_of[i.offset]
            for i in self.graph.instructions
            if i.opname == "EXTENDED_ARG"
        }
        self.simple = [
            i for i in self.instructions
            if i.offset not in prefixed and i.opname not in ("EXTENDED_ARG", "NOP", "NOT_TAKEN")
        ]  # fmt: skip

    def named(self, *names: str) -> List[dis.Instruction]:
        return [i for i in self.simple if i.opname in names]

    def patched(self, changes: Dict[int, int], **fields: object) -> CodeType:
        raw = bytearray(self.code.co_code)
        for position, value in changes.items():
            raw[position] = value
        return self.code.replace(co_code=bytes(raw), **fields)  # type: ignore[arg-type]


Mutator = Callable[[Subject, random.Random], Optional[CodeType]]


def _pick(choices: List[dis.Instruction], chance: random.Random) -> Optional[dis.Instruction]:
    return chance.choice(choices) if choices else None


def _with_other_operand(
    subject: Subject, choices: List[dis.Instruction], count: int, chance: random.Random, shift: int
) -> Optional[CodeType]:
    """Changes the part of an operand above `shift` bits to another number below count."""
    chosen = _pick(choices, chance)
    if chosen is None or count < 2:
        return None
    now = chosen.arg >> shift
    others = [n for n in range(min(count, (LARGEST_OPERAND >> shift) + 1)) if n != now]
    if not others:
        return None
    low = chosen.arg & ((1 << shift) - 1)
    return subject.patched({chosen.offset + 1: chance.choice(others) << shift | low})


def other_local(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    choices = subject.named("LOAD_FAST", "STORE_FAST", "DELETE_FAST", "LOAD_FAST_CHECK",
                            "LOAD_FAST_BORROW")  # fmt: skip
    return _with_other_operand(subject, choices, len(subject.code.co_varnames), chance, 0)


def other_half_of_pair(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    names = ("LOAD_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST", "STORE_FAST_LOAD_FAST",
             "LOAD_FAST_BORROW_LOAD_FAST_BORROW")  # fmt: skip
    choices = [i for i in subject.named(*names) if i.arg >> 4 != i.arg & 15]
    if subject.code.co_name.startswith("<") or not choices:
        return None
    chosen = chance.choice(choices)
    return subject.patched({chosen.offset + 1: (chosen.arg & 15) << 4 | chosen.arg >> 4})


def other_name(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    flagged = {"LOAD_GLOBAL": VERSION >= (3, 11), "LOAD_ATTR": VERSION >= (3, 12)}
    names = ("LOAD_GLOBAL", "LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD", "LOAD_NAME", "STORE_NAME",
             "IMPORT_NAME", "IMPORT_FROM", "STORE_GLOBAL", "DELETE_ATTR")  # fmt: skip
    chosen = _pick(subject.named(*names), chance)
    if chosen is None:
        return None
    shift = int(flagged.get(chosen.opname, False))
    return _with_other_operand(subject, [chosen], len(subject.code.co_names), chance, shift)


def other_name_flag(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    names = [n for n, since in (("LOAD_GLOBAL", (3, 11)), ("LOAD_ATTR", (3, 12)),
                                ("LOAD_SUPER_ATTR", (3, 12))) if since <= VERSION]  # fmt: skip
    chosen = _pick(subject.named(*names), chance)
    return subject.patched({chosen.offset + 1: chosen.arg ^ 1}) if chosen else None


def other_cell(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    choices = subject.named("LOAD_DEREF", "STORE_DEREF", "LOAD_CLOSURE")
    cells = len(subject.code.co_cellvars) + len(subject.code.co_freevars)
    if VERSION >= (3, 11):
        chosen = _pick(choices, chance)
        used = sorted({i.arg for i in choices})
        if chosen is None or len(used) < 2:
            return None
        other = chance.choice([n for n in used if n != chosen.arg])
        return subject.patched({chosen.offset + 1: other})
    return _with_other_operand(subject, choices, cells, chance, 0)


def _changed_value(value: object, chance: random.Random) -> object:
    """A constant that is close to this one and not the same."""
    if isinstance(value, bool):
        return chance.choice([int(value), not value, None])
    if isinstance(value, int):
        return chance.choice([value + 1, -value - 1, float(value % 1000), str(value)])
    if isinstance(value, float):
        return -value if value == value else 0.0
    if isinstance(value, str):
        return chance.choice([value + " ", value.encode("utf-8", "replace"), None])
    if isinstance(value, bytes):
        return chance.choice([value + b"\0", value.decode("latin-1")])
    if isinstance(value, tuple) and value:
        at = chance.randrange(len(value))
        return value[:at] + (_changed_value(value[at], chance),) + value[at + 1 :]
    if isinstance(value, frozenset):
        return value | {"one more"}
    return chance.choice([False, 0, "None"])


def other_constant(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    code = subject.code
    choices = [i for i in subject.named("LOAD_CONST", "RETURN_CONST", "KW_NAMES")
               if not isinstance(code.co_consts[i.arg], CodeType)
               and not _tells_a_place(subject, i)]  # fmt: skip
    chosen = _pick(choices, chance)
    index = len(code.co_consts)
    if chosen is None or index > LARGEST_OPERAND:
        return None
    changed = _changed_value(code.co_consts[chosen.arg], chance)
    return subject.patched({chosen.offset + 1: index}, co_consts=code.co_consts + (changed,))


def _tells_a_place(subject: Subject, instruction: dis.Instruction) -> bool:
    following = subject.graph.by_offset.get(subject.graph.next_of[instruction.offset])
    return following is not None and following.argval in PLACE_NAMES


def other_small_int(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    choices = [i for i in subject.named("LOAD_SMALL_INT") if not _tells_a_place(subject, i)]
    return _with_other_operand(subject, choices, 256, chance, 0)


_SWAPPED_OPCODES = [
    ("BINARY_ADD", "BINARY_SUBTRACT"), ("BINARY_MULTIPLY", "BINARY_MODULO"),
    ("INPLACE_ADD", "BINARY_ADD"), ("BINARY_AND", "BINARY_OR"), ("UNARY_NEGATIVE", "UNARY_INVERT"),
    ("UNARY_NOT", "UNARY_INVERT"), ("BUILD_LIST", "BUILD_TUPLE"), ("LIST_APPEND", "SET_ADD"),
    ("LOAD_NAME", "STORE_NAME"), ("STORE_FAST", "DELETE_FAST"), ("ROT_TWO", "ROT_THREE"),
    ("YIELD_VALUE", "GET_ITER"), ("LIST_EXTEND", "SET_UPDATE"), ("DICT_MERGE", "DICT_UPDATE"),
    ("RETURN_VALUE", "POP_TOP"), ("FORMAT_SIMPLE", "UNARY_NEGATIVE"),
    ("GET_YIELD_FROM_ITER", "GET_ITER"), ("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP"),
    ("LOAD_CLOSURE", "LOAD_DEREF"), ("SETUP_FINALLY", "SETUP_WITH"), ("POP_EXCEPT", "POP_TOP"),
]  # fmt: skip


def other_opcode(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    partners = {one: other for pair in _SWAPPED_OPCODES for one, other in (pair, pair[::-1])}
    choices = [i for i in subject.simple if partners.get(i.opname) in dis.opmap]
    chosen = _pick(choices, chance)
    if chosen is None:
        return None
    return subject.patched({chosen.offset: dis.opmap[partners[chosen.opname]]})


def other_operator(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    return _with_other_operand(subject, subject.named("BINARY_OP"), 26, chance, 0)


def other_comparison(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    shift = 5 if VERSION >= (3, 13) else 4 if VERSION >= (3, 12) else 0
    return _with_other_operand(subject, subject.named("COMPARE_OP"), 6, chance, shift)


def inverted_test(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    chosen = _pick(subject.named("IS_OP", "CONTAINS_OP"), chance)
    return subject.patched({chosen.offset + 1: chosen.arg ^ 1}) if chosen else None


def other_count(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    names = ("CALL", "CALL_FUNCTION", "CALL_METHOD", "CALL_KW", "CALL_FUNCTION_KW", "BUILD_TUPLE",
             "BUILD_LIST", "BUILD_MAP", "BUILD_STRING", "UNPACK_SEQUENCE", "COPY", "SWAP",
             "RAISE_VARARGS", "BUILD_SLICE", "CALL_INTRINSIC_1", "UNPACK_EX", "LIST_APPEND",
             "MAP_ADD", "SET_ADD", "FORMAT_VALUE", "LOAD_COMMON_CONSTANT")  # fmt: skip
    chosen = _pick(subject.named(*names), chance)
    if chosen is None or chosen.arg >= LARGEST_OPERAND:
        return None
    return subject.patched({chosen.offset + 1: chosen.arg + 1})


def dropped_instruction(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    """One instruction becomes NOP, its caches too."""
    names = ("POP_TOP", "STORE_FAST", "LOAD_FAST", "LOAD_CONST", "ROT_TWO", "DUP_TOP", "COPY",
             "SWAP", "POP_BLOCK", "POP_EXCEPT", "UNARY_NOT", "TO_BOOL", "GET_ITER", "LIST_APPEND",
             "STORE_NAME", "STORE_ATTR", "STORE_SUBSCR", "DELETE_FAST", "PUSH_NULL",
             "SETUP_FINALLY", "END_FINALLY", "BEGIN_FINALLY", "WITH_CLEANUP_START", "PUSH_EXC_INFO",
             "YIELD_VALUE", "RETURN_VALUE", "RERAISE", "END_FOR", "POP_ITER",
             "KW_NAMES")  # fmt: skip
    chosen = _pick(subject.named(*names), chance)
    if chosen is None:
        return None
    end = subject.graph.next_of[chosen.offset]
    changed = subject.patched(dict.fromkeys(range(chosen.offset, end, 2), dis.opmap["NOP"]))
    # After the end of one path may stand the same end of another.
    return _if_semantic(subject, changed) if chosen.opname in ENDS else changed


def dropped_pair(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    """A load and the store or pop after it disappear together: the stack stays right."""
    choices = []
    for i in subject.named("LOAD_FAST", "LOAD_CONST", "LOAD_FAST_BORROW"):
        after = subject.graph.by_offset.get(subject.graph.next_of[i.offset])
        if after is not None and after.opname in ("STORE_FAST", "POP_TOP", "STORE_NAME"):
            choices.append(i)
    chosen = _pick(choices, chance)
    if chosen is None:
        return None
    nop = dis.opmap["NOP"]
    return subject.patched({chosen.offset: nop, subject.graph.next_of[chosen.offset]: nop})


def swapped_neighbours(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    """Two loads or stores in a row change places."""
    kinds = ("LOAD_FAST", "STORE_FAST", "LOAD_CONST", "STORE_NAME", "LOAD_DEREF", "POP_TOP",
             "LOAD_FAST_BORROW")  # fmt: skip
    raw = subject.code.co_code
    choices = []
    for i in subject.named(*kinds):
        after = subject.graph.by_offset.get(i.offset + 2)
        differs = after is not None and (i.opname, i.argrepr) != (after.opname, after.argrepr)
        same_load = after is not None and i.argval == after.argval and "LOAD_FAST" in after.opname
        if differs and not (same_load and "LOAD_FAST" in i.opname) and after.opname in kinds:
            choices.append(i)
    chosen = _pick(choices, chance)
    if chosen is None:
        return None
    at = chosen.offset
    return subject.patched({at: raw[at + 2], at + 1: raw[at + 3],
                            at + 2: raw[at], at + 3: raw[at + 1]})  # fmt: skip


_OPPOSITES = [("POP_JUMP_IF_TRUE", "POP_JUMP_IF_FALSE"),
              ("POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE"),
              ("POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_FORWARD_IF_FALSE"),
              ("POP_JUMP_BACKWARD_IF_TRUE", "POP_JUMP_BACKWARD_IF_FALSE"),
              ("POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_FORWARD_IF_NOT_NONE"),
              ("POP_JUMP_BACKWARD_IF_NONE", "POP_JUMP_BACKWARD_IF_NOT_NONE")]  # fmt: skip


def flipped_branch(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    opposite = {one: other for pair in _OPPOSITES for one, other in (pair, pair[::-1])}
    chosen = _pick([i for i in subject.simple if i.opname in opposite], chance)
    if chosen is None:
        return None
    changed = subject.patched({chosen.offset: dis.opmap[opposite[chosen.opname]]})
    return _if_semantic(subject, changed)


def other_target(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    """A jump goes to another instruction; also the handlers of SETUP_FINALLY and its kin."""
    choices = [i for i in subject.simple if jump_target(i) is not None]
    chosen = _pick(choices, chance)
    if chosen is None:
        return None
    starts = sorted(subject.graph.by_offset)
    wanted = chance.choice(starts)
    unit = 2 if VERSION >= (3, 10) else 1
    moved = (wanted - jump_target(chosen)) // unit  # type: ignore[operator]
    argument = chosen.arg + (-moved if "BACKWARD" in chosen.opname else moved)
    if not 0 <= argument <= LARGEST_OPERAND or argument == chosen.arg:
        return None
    return _if_semantic(subject, subject.patched({chosen.offset + 1: argument}))


def _if_semantic(subject: Subject, changed: CodeType) -> Optional[CodeType]:
    return None if same_traces(subject.code, changed) else changed


def _covers_a_call(subject: Subject, handler: Handler) -> bool:
    return any(
        handler.start <= i.offset < handler.end and i.opname in SURELY_RAISES
        for i in subject.simple
    )


def other_handler(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    """An entry of the exception table is dropped, or its depth, flag, target or range changes."""
    table = list(subject.graph.handlers)
    choices = [n for n, handler in enumerate(table) if _covers_a_call(subject, handler)]
    if not choices:
        return None
    chosen = chance.choice(choices)
    handler = table[chosen]
    change = chance.choice(["drop", "depth", "lasti", "target", "shrink"])
    if change == "drop":
        del table[chosen]
    elif change == "shrink":
        calls = [
            i.offset
            for i in subject.simple
            if handler.start <= i.offset < handler.end and i.opname in SURELY_RAISES
        ]
        after = subject.graph.next_of[chance.choice(calls)]
        table[chosen] = handler._replace(start=min(after, handler.end))
    else:
        new: Dict[str, object] = {
            "depth": handler.depth + 1, "lasti": not handler.lasti,
            "target": chance.choice(sorted(subject.graph.by_offset)),
        }  # fmt: skip
        table[chosen] = handler._replace(**{change: new[change]})
    encoded = b"".join(_encoded(h) for h in table if h.start < h.end)
    changed = subject.code.replace(co_exceptiontable=encoded)  # type: ignore[call-arg]
    return _if_semantic(subject, changed) if change == "target" else changed


def _encoded(handler: Handler) -> bytes:
    numbers = (handler.start // 2, (handler.end - handler.start) // 2, handler.target // 2,
               handler.depth * 2 + handler.lasti)  # fmt: skip
    return _varint(numbers[0], 128) + b"".join(_varint(n, 0) for n in numbers[1:])


def _varint(number: int, first_bits: int) -> bytes:
    groups = [number & 63]
    while number > 63:
        number >>= 6
        groups.append(number & 63 | 64)
    groups.reverse()
    groups[0] |= first_bits
    return bytes(groups)


def other_header(subject: Subject, chance: random.Random) -> Optional[CodeType]:
    """Arguments, names and flags: what no instruction shows."""
    code = subject.code
    count = code.co_argcount + code.co_kwonlyargcount
    changes: List[Dict[str, object]] = [
        {"co_name": code.co_name + "_"},
        {"co_flags": code.co_flags ^ chance.choice([0x20, 0x80, 0x200])},
    ]
    if code.co_argcount:
        changes.append({"co_argcount": code.co_argcount - 1,
                        "co_kwonlyargcount": code.co_kwonlyargcount + 1,
                        "co_posonlyargcount": 0})  # fmt: skip
    if count and not code.co_cellvars:
        renamed = (code.co_varnames[0] + "_",) + code.co_varnames[1:]
        changes.append({"co_varnames": renamed})
    if code.co_argcount > code.co_posonlyargcount:
        changes.append({"co_posonlyargcount": code.co_posonlyargcount + 1})
    if code.co_freevars:
        changes.append({"co_freevars": code.co_freevars[:-1] + (code.co_freevars[-1] + "_",)})
    return code.replace(**chance.choice(changes))  # type: ignore[arg-type]


MUTATORS: Dict[str, Mutator] = {
    mutator.__name__.replace("_", " "): mutator
    for mutator in (
        other_local, other_half_of_pair, other_name, other_name_flag, other_cell, other_constant,
        other_small_int, other_opcode, other_operator, other_comparison, inverted_test,
        other_count, dropped_instruction, dropped_pair, swapped_neighbours, flipped_branch,
        other_target, other_handler, other_header,
    )
}  # fmt: skip


def mutate(
    subject: Subject, chance: random.Random, name: str
) -> Optional[Tuple[CodeType, CodeType]]:
    """(original, changed) by the mutator of that name, or None."""
    try:
        changed = MUTATORS[name](subject, chance)
    except ValueError:  # the interpreter refuses to build such a code object
        return None
    return (subject.code, changed) if changed is not None else None
