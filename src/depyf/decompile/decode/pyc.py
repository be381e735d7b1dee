"""The bytes of a .pyc file of any supported Python -> the `Code` of its module.

The magic number says which version wrote the file; the rest of the header (flags, and time and
size or a hash of the source) says nothing about the code.
"""

from __future__ import annotations

from typing import Dict, Tuple

from depyf.decompile.decode.code import Code, Version
from depyf.decompile.decode.marshal_reader import MarshalReader
from depyf.decompile.decode.tables import unsupported_version
from depyf.errors import DecompilationError

_HEADER_SIZE = 16
_MAGIC_END = b"\r\n"
_KNOWN_FLAGS = 0b11

MAGIC_NUMBERS: Dict[int, Version] = {
    3413: (3, 8),
    3425: (3, 9),
    3439: (3, 10),
    3495: (3, 11),
    3531: (3, 12),
    3571: (3, 13),
    3627: (3, 14),
}

# Magic numbers that a version used before its final release, and those of other versions.
_OTHER_RANGES: Tuple[Tuple[int, int, str], ...] = (
    (62171, 62211, "2.7"),
    (3000, 3131, "3.0"),
    (3140, 3151, "3.1"),
    (3160, 3180, "3.2"),
    (3190, 3230, "3.3"),
    (3250, 3310, "3.4"),
    (3320, 3351, "3.5"),
    (3360, 3379, "3.6"),
    (3390, 3394, "3.7"),
    (3400, 3412, "3.8"),
    (3420, 3424, "3.9"),
    (3430, 3438, "3.10"),
    (3450, 3494, "3.11"),
    (3500, 3530, "3.12"),
    (3550, 3570, "3.13"),
    (3600, 3626, "3.14"),
    (3650, 3699, "3.15"),
)


def read_pyc(data: bytes, where: str = "") -> Code:
    """The module code in a .pyc file; `where` names the file in the error of an unreadable one."""
    version = version_of_pyc(data, where)
    if len(data) < _HEADER_SIZE:
        raise _unreadable(where, "it ends inside its header")
    if int.from_bytes(data[4:8], "little") & ~_KNOWN_FLAGS:
        raise _unreadable(where, "its header is damaged")
    code = MarshalReader(data, version, _HEADER_SIZE, where).read()
    if not isinstance(code, Code):
        raise _unreadable(where, "it holds no code")
    return code


def version_of_pyc(data: bytes, where: str = "") -> Version:
    """Which Python wrote a .pyc file."""
    if len(data) < 4 or data[2:4] != _MAGIC_END:
        holds_text = data[:_HEADER_SIZE].isascii() and b"\0" not in data[:_HEADER_SIZE]
        hint = ", it holds text" if data and holds_text else ""
        raise _unreadable(where, "it is not a .pyc file" + hint)
    magic = int.from_bytes(data[:2], "little")
    version = MAGIC_NUMBERS.get(magic)
    if version is None:
        raise _unknown_magic(magic, where)
    return version


def _unreadable(where: str, why: str) -> DecompilationError:
    return DecompilationError(f"Cannot read the .pyc file {where}".rstrip(), why=why)


def _unknown_magic(magic: int, where: str) -> DecompilationError:
    version = next((name for first, last, name in _OTHER_RANGES if first <= magic <= last), None)
    if version is None:
        return unsupported_version(f"with the unknown magic number {magic}", where)
    if version not in {"%d.%d" % supported for supported in MAGIC_NUMBERS.values()}:
        return unsupported_version(version, where)
    return _unreadable(
        where,
        f"a pre-release of Python {version} wrote it, and only the bytecode of final releases, "
        "3.8 to 3.14, is supported",
    )
