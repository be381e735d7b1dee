"""Random damage to code objects and .pyc files, as lists of small edits.

An edit is a tuple (kind, numbers...) whose positions are taken modulo the size of what it changes,
so any part of a list of edits is a list of edits: a failure shrinks by leaving some out.
"""

from __future__ import annotations

import dis
import opcode
import random
import sys
import types
from typing import Any, Callable

Edit = tuple
Fields = dict  # name of a field of `Code` -> value

LINES_FIELD = "co_linetable" if sys.version_info >= (3, 10) else "co_lnotab"
FIELDS = {
    "bytecode": "co_code",
    "consts": "co_consts",
    "names": "co_names",
    "varnames": "co_varnames",
    "flags": "co_flags",
    "stacksize": "co_stacksize",
    "argcount": "co_argcount",
    "linetable": LINES_FIELD,
    "firstlineno": "co_firstlineno",
}
if sys.version_info >= (3, 11):
    FIELDS["exceptiontable"] = "co_exceptiontable"

JUMPS = frozenset(dis.hasjrel) | frozenset(dis.hasjabs)
UNBALANCING = tuple(
    opcode.opmap[name]
    for name in ("POP_TOP", "DUP_TOP", "ROT_TWO", "ROT_THREE", "COPY", "SWAP", "LOAD_CONST",
                 "RETURN_VALUE", "POP_EXCEPT", "POP_BLOCK", "PUSH_NULL", "GET_ITER", "RERAISE",
                 "PUSH_EXC_INFO", "END_FINALLY", "YIELD_VALUE", "UNPACK_SEQUENCE", "BUILD_TUPLE",
                 "SETUP_FINALLY", "SETUP_WITH", "MAKE_FUNCTION", "EXTENDED_ARG", "CALL", "PRECALL")
    if name in opcode.opmap and opcode.opmap[name] < 256
)  # fmt: skip
# Opcodes that a running interpreter writes into its own copy: a live code object that is created
# with them makes the interpreter itself crash, before depyf sees anything.
RUNTIME_ONLY = frozenset(
    number
    for name, number in opcode.opmap.items()
    if name.startswith(("INSTRUMENTED_", "ENTER_EXECUTOR"))
)


# Edits of code objects -------------------------------------------------------------------------


def _splice(field: str) -> Callable[..., None]:
    """Replaces `length` items at a position by others."""

    def apply(fields: Fields, position: int, length: int, new: Any) -> None:
        old = fields[field]
        at = position % (len(old) + 1)
        new = bytes(new) if isinstance(old, bytes) else tuple(new)
        fields[field] = old[:at] + new + old[at + length :]

    return apply


def _unit(fields: Fields, position: int, half: int, value: int) -> None:
    """Sets the opcode (half 0) or the argument (half 1) of one instruction."""
    code = bytearray(fields["bytecode"])
    if code:
        code[(position * 2 + half) % len(code)] = value
    fields["bytecode"] = bytes(code)


def _jump(fields: Fields, which: int, value: int) -> None:
    code = bytearray(fields["bytecode"])
    jumps = [at for at in range(0, len(code) - 1, 2) if code[at] in JUMPS]
    if jumps:
        code[jumps[which % len(jumps)] + 1] = value
    fields["bytecode"] = bytes(code)


def _swap(fields: Fields, one: int, other: int, length: int) -> None:
    """Exchanges two runs of instructions."""
    code = fields["bytecode"]
    units = [code[at : at + 2] for at in range(0, len(code), 2)]
    first, second = sorted((one % len(units), other % len(units))) if units else (0, 0)
    length = min(length, second - first)
    run, rest = units[first : first + length], units[second : second + length]
    units[second : second + length], units[first : first + length] = run, rest
    fields["bytecode"] = b"".join(units)


def _repeat(fields: Fields, position: int, length: int) -> None:
    code = fields["bytecode"]
    at = position * 2 % (len(code) + 1)
    fields["bytecode"] = code[: at + length * 2] + code[at:]


def _number(fields: Fields, field: str, value: int) -> None:
    fields[field] = value


EDITS: dict[str, Callable[..., None]] = {
    "bytes": _splice("bytecode"),
    "unit": _unit,
    "jump": _jump,
    "swap": _swap,
    "repeat": _repeat,
    "names": _splice("names"),
    "consts": _splice("consts"),
    "varnames": _splice("varnames"),
    "handlers": _splice("exceptiontable"),
    "lines": _splice("linetable"),
    "number": _number,
}


def random_edits(chance: random.Random, size: int) -> list[Edit]:
    """One to four edits for a code object of that many bytes."""
    kinds = [row for row in MAKERS if row[0] != "handlers" or "exceptiontable" in FIELDS]
    weights = [row[1] for row in kinds]
    chosen = chance.choices(kinds, weights, k=chance.choice((1, 1, 1, 2, 2, 3, 4)))
    return [(kind, *make(chance, size)) for kind, _, make in chosen]


def _any_bytes(chance: random.Random, most: int) -> list[int]:
    return [chance.randrange(256) for _ in range(chance.randrange(most + 1))]


def _make_bytes(chance: random.Random, size: int) -> tuple:
    if chance.random() < 0.25:  # cut off
        return chance.randrange(size + 1), 1 << 30, []
    if chance.random() < 0.5:  # whole instructions, out of balance
        new = [chance.choice(UNBALANCING), chance.randrange(4)]
        return chance.randrange(size + 1) & ~1, chance.choice((0, 0, 2)), new
    return chance.randrange(size + 1), chance.randrange(4), _any_bytes(chance, 4)


def _make_unit(chance: random.Random, size: int) -> tuple:
    half = chance.randrange(2)
    values = (chance.randrange(256), chance.randrange(8), chance.choice(UNBALANCING), 255)
    return chance.randrange(size + 1), half, chance.choice(values)


def _make_numbers(chance: random.Random, size: int) -> tuple:
    field = chance.choice(("flags", "stacksize", "argcount", "firstlineno"))
    values = {
        "flags": chance.getrandbits(20),
        "stacksize": chance.choice((0, 1, 2, 1000)),
        "argcount": chance.randrange(4),
        "firstlineno": chance.choice((0, 1, 1 << 30)),
    }
    return field, values[field]


def _make_names(chance: random.Random, size: int) -> tuple:
    odd = ("", "class", "a b", "<lambda>", ".0", "\ud800", "é", "__class__", "x" * 300, "0")
    new = [chance.choice(odd) for _ in range(chance.randrange(2))]
    return chance.randrange(8), chance.choice((1, 1, 1 << 20)), new


def _make_consts(chance: random.Random, size: int) -> tuple:
    odd = (None, 1, "s", (), ("a",), frozenset({1}), 1e308 * 10, ..., b"", -1, (1, ("x", None)))
    new = [chance.choice(odd) for _ in range(chance.randrange(3))]
    return chance.randrange(8), chance.choice((0, 1, 1 << 20)), new


def _make_table(chance: random.Random, size: int) -> tuple:
    return chance.randrange(40), chance.choice((0, 1, 1, 2, 1 << 20)), _any_bytes(chance, 3)


MAKERS: tuple = (
    ("bytes", 5, _make_bytes),
    ("unit", 6, _make_unit),
    ("jump", 4, lambda chance, size: (chance.randrange(64), chance.randrange(256))),
    ("swap", 2, lambda chance, size: (chance.randrange(size + 1), chance.randrange(size + 1), 3)),
    ("repeat", 1, lambda chance, size: (chance.randrange(size + 1), chance.randrange(1, 9))),
    ("names", 1, _make_names),
    ("consts", 1, _make_consts),
    ("varnames", 0.5, _make_names),
    ("handlers", 2, _make_table),
    ("lines", 0.5, _make_table),
    ("number", 0.5, _make_numbers),
)


def mutated_fields(code: types.CodeType, edits: list[Edit]) -> Fields:
    fields = {name: getattr(code, attribute) for name, attribute in FIELDS.items()}
    for kind, *numbers in edits:
        EDITS[kind](fields, *numbers)
    return fields


# From fields back to something with bytecode ---------------------------------------------------


def live_code(code: types.CodeType, fields: Fields) -> types.CodeType | None:
    """A code object of the running Python, or None where the interpreter refuses or would crash."""
    fields = dict(fields, bytecode=_harmless(fields["bytecode"]))
    values = {FIELDS[name]: value for name, value in fields.items()}
    values["co_nlocals"] = len(fields["varnames"])
    try:
        return code.replace(**values)
    except (ValueError, TypeError, OverflowError, UnicodeError, SystemError):
        return None


def _harmless(bytecode: bytes) -> bytes:
    code = bytearray(bytecode)
    for at in range(0, len(code), 2):
        if code[at] in RUNTIME_ONLY or (sys.version_info >= (3, 12) and code[at] > 229):
            code[at] = opcode.opmap["NOP"]
    if sys.version_info >= (3, 11):
        # The interpreter clears the caches behind the last instruction without looking where the
        # code ends. Returns are as good as an end and have no caches.
        code += bytes((opcode.opmap["RETURN_VALUE"], 0)) * 12
    return bytes(code)


def record(code: types.CodeType, fields: Fields) -> Any:
    """The same as a `Code`, which takes any damage."""
    from depyf.decompile.decode.code import code_from_live

    made = code_from_live(code)
    consts = {id(old): new for old, new in zip(code.co_consts, made.consts)}
    for name, value in fields.items():
        if name == "consts":
            value = tuple(consts.get(id(const), const) for const in value)
        setattr(made, name, value)
    made.live = None
    return made


# .pyc files ------------------------------------------------------------------------------------


def random_pyc_edits(chance: random.Random, size: int) -> list[Edit]:
    edits: list[Edit] = []
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        roll = chance.random()
        at = chance.randrange(16, size)
        if roll < 0.08:
            edits.append((at, 1 << 30, b""))
        elif roll < 0.12:
            # The magic number of another version, or none at all.
            magic = chance.choice((3413, 3425, 3439, 3495, 3531, 3571, 3627, 3394, 3700, 0))
            edits.append((0, 2, magic.to_bytes(2, "little")))
        elif roll < 0.17:
            edits.append((chance.randrange(16), 1, bytes([chance.randrange(256)])))
        else:
            edits.append(
                (at, chance.choice((1, 1, 1, 0, 2)), bytes(_any_bytes(chance, 2) or [255]))
            )
    return edits


def mutated_pyc(data: bytes, edits: list[Edit]) -> bytes:
    for at, length, new in edits:
        at %= len(data) + 1
        data = data[:at] + new + data[at + length :]
    return data
