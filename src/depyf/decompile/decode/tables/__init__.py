"""What each Python version's own `opcode` module says, as data.

The modules `v3_8` to `v3_14` are written by tools/generate_opcode_tables.py; `table_for` hands
out one of them as an `OpcodeTable`, prepared for the instruction reader.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Dict, Tuple

from depyf.errors import DecompilationError

Version = Tuple[int, int]

SUPPORTED_VERSIONS: Tuple[Version, ...] = tuple((3, minor) for minor in range(8, 15))

# How an argument names a jump's target; indexes of `OpcodeTable.jump_kinds`.
NO_JUMP, JUMP_FORWARD, JUMP_BACKWARD, JUMP_ABSOLUTE = range(4)


class OpcodeTable:
    """One version's opcodes. `jump_unit` is the number of bytes one step of a jump covers."""

    __slots__ = (
        "version",
        "opnames",
        "widths",
        "plain_widths",
        "jump_kinds",
        "jump_unit",
        "have_argument",
        "extended_arg",
        "compare_ops",
        "binary_ops",
        "intrinsics_1",
        "intrinsics_2",
        "common_constants",
        "special_methods",
    )

    def __init__(self, version: Version, module: ModuleType) -> None:
        self.version = version
        self.opnames: Tuple[str, ...] = module.OPNAMES
        # The bytes that an instruction takes, its inline caches included.
        self.widths: Tuple[int, ...] = tuple([2 + 2 * count for count in module.CACHES])
        self.jump_kinds = _jump_kinds(module)
        self.jump_unit = 1 if version < (3, 10) else 2
        self.have_argument: int = module.HAVE_ARGUMENT
        self.extended_arg: int = module.OPNAMES.index("EXTENDED_ARG")
        # The same, but 0 for jumps and for the prefix: what stands alone is read at once.
        self.plain_widths: Tuple[int, ...] = tuple(
            [
                0 if kind != NO_JUMP or opcode == self.extended_arg else width
                for opcode, (width, kind) in enumerate(zip(self.widths, self.jump_kinds))
            ]
        )
        self.compare_ops: Tuple[str, ...] = module.COMPARE_OPS
        # (name, symbol) by argument of BINARY_OP, e.g. ("NB_ADD", "+").
        self.binary_ops: Tuple[Tuple[str, str], ...] = module.BINARY_OPS
        self.intrinsics_1: Tuple[str, ...] = module.INTRINSICS_1
        self.intrinsics_2: Tuple[str, ...] = module.INTRINSICS_2
        self.common_constants: Tuple[str, ...] = module.COMMON_CONSTANTS
        self.special_methods: Tuple[str, ...] = module.SPECIAL_METHODS


def _jump_kinds(module: ModuleType) -> Tuple[int, ...]:
    kinds = [NO_JUMP] * 256
    for opcodes, kind in (
        (module.FORWARD_JUMPS, JUMP_FORWARD),
        (module.BACKWARD_JUMPS, JUMP_BACKWARD),
        (module.ABSOLUTE_JUMPS, JUMP_ABSOLUTE),
    ):
        for opcode in opcodes:
            kinds[opcode] = kind
    return tuple(kinds)


_loaded: Dict[Version, OpcodeTable] = {}


def table_for(version: Version) -> OpcodeTable:
    """The table of a version, loaded on first use; `DecompilationError` if it is unsupported."""
    table = _loaded.get(version)
    if table is None:
        if version not in SUPPORTED_VERSIONS:
            raise unsupported_version("%d.%d" % version)
        module = importlib.import_module("%s.v%d_%d" % (__name__, *version))
        table = _loaded[version] = OpcodeTable(version, module)
    return table


def unsupported_version(found: str, where: str = "") -> DecompilationError:
    """The error for bytecode of a Python that has no table here."""
    first, last = ("%d.%d" % version for version in (SUPPORTED_VERSIONS[0], SUPPORTED_VERSIONS[-1]))
    return DecompilationError(
        f"Cannot read bytecode of Python {found}",
        where,
        f"the supported versions are {first} to {last}",
    )
