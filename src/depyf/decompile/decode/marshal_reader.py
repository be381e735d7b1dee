"""Marshalled bytes of any supported Python -> values of the running Python, code as `Code`.

The running Python's own `marshal` knows the code objects of one version only and trusts its
input. This reader keeps its own stack instead of recursing, and checks each size against the
bytes that are left, so that a damaged file gives an error and nothing worse.
"""

from __future__ import annotations

import struct
from typing import Any, Callable, Dict, List, Tuple

from depyf.decompile.decode.code import Version
from depyf.decompile.decode.marshalled_code import NUMBER_FIELDS, code_from_fields, fields_of
from depyf.errors import DecompilationError

_REF_FLAG = 0x80
# CPython's own limit for nested objects.
_DEEPEST = 2000
# References let a few bytes stand for a tuple of 2**60 items; no compiler writes more than this.
_MOST_EXPANDED_ITEMS = 1_000_000
# The size of a container that goes on until its end mark.
_UNTIL_NULL = -1

_NULL = object()
_UNFINISHED = object()


class _Container:
    """An object whose items are being read; it is complete when it has `size` of them."""

    __slots__ = ("kind", "items", "size", "weight", "reference")

    def __init__(self, kind: str, reference: int) -> None:
        self.kind = kind
        self.items: List[Any] = []
        self.size = 0
        self.weight = 1
        self.reference = reference


class MarshalReader:
    """Reads one object of a given version's marshal format from `data`."""

    def __init__(self, data: bytes, version: Version, start: int = 0, where: str = "") -> None:
        self.data = data
        self.where = where
        self.version = version
        self.position = start
        self.code_fields = fields_of(version)
        self.references: List[Any] = []
        self.stack: List[_Container] = []
        # By id of a container: its number of items with all references followed, and itself,
        # which must stay alive as long as its id is in use.
        self.weights: Dict[int, Tuple[int, Any]] = {}
        self.heaviest = _MOST_EXPANDED_ITEMS + len(data)

    def read(self) -> Any:
        """The next object with everything inside it."""
        value = self._begin_object()
        while self.stack:
            if value is not _UNFINISHED:
                self._add(self.stack[-1], value)
            container = self.stack[-1]
            if len(container.items) == container.size:
                self.stack.pop()
                value = self._finish(container)
            else:
                value = self._begin_object()
        if value is _NULL:
            raise self.malformed("an end mark stands where an object should")
        return value

    def malformed(self, why: str) -> DecompilationError:
        why = f"{why} (byte {self.position})"
        return DecompilationError("Cannot read the marshalled code", self.where, why)

    def _begin_object(self) -> Any:
        """A whole simple object, or `_UNFINISHED` after putting a container on the stack."""
        tag = self.take(1)[0]
        kind = chr(tag & ~_REF_FLAG)
        is_referenced = tag & _REF_FLAG != 0
        if kind in _SINGLETONS:
            return _SINGLETONS[kind]
        if kind in _BUILDERS:
            self._open(kind, is_referenced)
            return _UNFINISHED
        reader = _SIMPLE.get(kind)
        if reader is None:
            raise self.malformed(f"{kind!r} is no known kind of object")
        value = reader(self)
        if is_referenced:
            self.references.append(value)
        return value

    def _open(self, kind: str, is_referenced: bool) -> None:
        if len(self.stack) >= _DEEPEST:
            raise self.malformed("its objects are nested too deeply")
        container = _Container(kind, len(self.references) if is_referenced else -1)
        if is_referenced:
            self.references.append(_UNFINISHED)
        container.size = self._size_of(kind)
        if kind == "c":
            self._read_numbers(container)
        self.stack.append(container)

    def _size_of(self, kind: str) -> int:
        if kind == "c":
            return len(self.code_fields)
        if kind == "{":
            return _UNTIL_NULL
        if kind == ":":
            if self.version < (3, 14):
                raise self.malformed("slices are constants only from Python 3.14 on")
            return 3
        count = self.take(1)[0] if kind == ")" else self.int32()
        # Every item takes at least a byte.
        if not 0 <= count <= len(self.data) - self.position:
            raise self.malformed("the data ends too early or a size is damaged")
        return count

    def _add(self, container: _Container, value: Any) -> None:
        if value is _NULL:
            # A dict ends where a key would stand.
            if container.size != _UNTIL_NULL or len(container.items) % 2:
                raise self.malformed("an end mark stands where an object should")
            container.size = len(container.items)
            return
        container.items.append(value)
        known = self.weights.get(id(value))
        container.weight += known[0] if known else 1
        if container.kind == "c":
            self._read_numbers(container)

    def _read_numbers(self, container: _Container) -> None:
        """Numbers of a code object stand bare between its objects."""
        items, fields = container.items, self.code_fields
        while len(items) < len(fields) and fields[len(items)] in NUMBER_FIELDS:
            items.append(self.int32())

    def _finish(self, container: _Container) -> Any:
        if container.weight > self.heaviest:
            raise self.malformed("its references expand to an absurd number of objects")
        try:
            value = _BUILDERS[container.kind](container.items, self.version)
        except TypeError:
            raise self.malformed("a set or dict holds something unhashable") from None
        except ValueError as error:
            raise self.malformed(str(error)) from None
        self.weights[id(value)] = (container.weight, value)
        if container.reference >= 0:
            self.references[container.reference] = value
        return value

    def take(self, size: int) -> bytes:
        """The next bytes, of which there must be enough."""
        start, end = self.position, self.position + size
        if size < 0 or end > len(self.data):
            raise self.malformed("the data ends too early or a size is damaged")
        self.position = end
        return self.data[start:end]

    def int32(self) -> int:
        return int.from_bytes(self.take(4), "little", signed=True)

    def int64(self) -> int:
        return int.from_bytes(self.take(8), "little", signed=True)

    def long(self) -> int:
        """Digits of 15 bits, lowest first; their number carries the sign."""
        count = self.int32()
        digits = struct.unpack("<%dH" % abs(count), self.take(2 * abs(count)))
        if any(digit >= 1 << 15 for digit in digits):
            raise self.malformed("a digit of an integer is out of range")
        # Through text in base 2, as adding digit by digit takes quadratic time.
        value = int("".join(format(digit, "015b") for digit in reversed(digits)) or "0", 2)
        return -value if count < 0 else value

    def float64(self) -> float:
        value: float = struct.unpack("<d", self.take(8))[0]
        return value

    def float_text(self) -> float:
        text = self.take(self.take(1)[0])
        try:
            return float(text)
        except ValueError:
            raise self.malformed("a floating point number is damaged") from None

    def utf8(self) -> str:
        try:
            return self.take(self.int32()).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise self.malformed("a string is not valid UTF-8") from None

    def reference(self) -> Any:
        index = self.int32()
        if not 0 <= index < len(self.references) or self.references[index] is _UNFINISHED:
            raise self.malformed("a reference leads to an object that was not read yet")
        return self.references[index]


_SINGLETONS: Dict[str, Any] = {
    "0": _NULL,
    "N": None,
    "T": True,
    "F": False,
    "S": StopIteration,
    ".": Ellipsis,
}

# CPython reads its ASCII strings without a check: Latin-1 takes every byte, too.
_SIMPLE: Dict[str, Callable[[MarshalReader], Any]] = {
    "i": MarshalReader.int32,
    "I": MarshalReader.int64,
    "l": MarshalReader.long,
    "g": MarshalReader.float64,
    "f": MarshalReader.float_text,
    "y": lambda reader: complex(reader.float64(), reader.float64()),
    "x": lambda reader: complex(reader.float_text(), reader.float_text()),
    "s": lambda reader: reader.take(reader.int32()),
    "u": MarshalReader.utf8,
    "t": MarshalReader.utf8,
    "a": lambda reader: reader.take(reader.int32()).decode("latin-1"),
    "A": lambda reader: reader.take(reader.int32()).decode("latin-1"),
    "z": lambda reader: reader.take(reader.take(1)[0]).decode("latin-1"),
    "Z": lambda reader: reader.take(reader.take(1)[0]).decode("latin-1"),
    "r": MarshalReader.reference,
}

_BUILDERS: Dict[str, Callable[[List[Any], Version], Any]] = {
    "(": lambda items, version: tuple(items),
    ")": lambda items, version: tuple(items),
    "[": lambda items, version: items,
    "<": lambda items, version: set(items),
    ">": lambda items, version: frozenset(items),
    "{": lambda items, version: dict(zip(items[::2], items[1::2])),
    ":": lambda items, version: slice(*items),
    "c": code_from_fields,
}
