"""Which opcodes of which Python version have a meaning here, read off the tables themselves."""

from __future__ import annotations

from typing import Dict, List

from depyf.decompile.decode.by_argument import BY_ARGUMENT
from depyf.decompile.decode.code import HOST_VERSION, Version
from depyf.decompile.decode.irregular import IRREGULAR
from depyf.decompile.decode.rows import DROPPED, ROWS
from depyf.decompile.decode.tables import SUPPORTED_VERSIONS, table_for

# What the running interpreter writes over the code for itself; a code object never shows it.
_NEVER_SHOWN = ("<", "INSTRUMENTED_", "RESERVED", "ENTER_EXECUTOR")

_KNOWN = (ROWS, BY_ARGUMENT, IRREGULAR, DROPPED)


def opnames_of(version: Version) -> List[str]:
    """The opcodes that code objects of this version may hold, sorted."""
    names = table_for(version).opnames
    return sorted(name for name in set(names) if not name.startswith(_NEVER_SHOWN))


def is_supported(opname: str) -> bool:
    """Whether the normaliser knows the opcode."""
    return opname == "EXTENDED_ARG" or any(opname in known for known in _KNOWN)


def supported_opnames(version: Version = HOST_VERSION) -> List[str]:
    """The opcodes of a version that can be decompiled."""
    return [name for name in opnames_of(version) if is_supported(name)]


def coverage() -> Dict[Version, Dict[str, bool]]:
    """For every supported version: each of its opcodes, and whether it is supported."""
    return {
        version: {name: is_supported(name) for name in opnames_of(version)}
        for version in SUPPORTED_VERSIONS
    }
