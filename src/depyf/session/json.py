"""The session as JSON, and back without loss.

Works from the annotations of the model, so a new field needs nothing here. What differs from one
run of the same program to the next (times, paths of caches) is marked in the model and left out,
unless it is asked for: two runs give the same text.
"""

from __future__ import annotations

import dataclasses
import json
import typing
from json.encoder import encode_basestring as quoted
from typing import Dict, Iterable, List, Optional, Tuple, Type, TypeVar

from .model import Session

Value = TypeVar("Value")


def to_json(session: Session, with_varying: bool = False) -> str:
    """As `json.dumps(..., indent=1)`, which takes several times as long for the same text."""
    pieces: List[str] = []
    _write(session, "\n", pieces, with_varying)
    return "".join(pieces) + "\n"


def from_json(text: str) -> Session:
    return read(Session, json.loads(text))


def _write(value: object, margin: str, pieces: List[str], with_varying: bool) -> None:
    if isinstance(value, str):
        pieces.append(quoted(value))
    elif dataclasses.is_dataclass(value):
        names = _parts(type(value), with_varying)
        fields = ((name, getattr(value, name)) for name in names)
        _write_object(fields, margin, pieces, with_varying)
    elif isinstance(value, dict):
        items = ((str(key), item) for key, item in value.items())
        _write_object(items, margin, pieces, with_varying)
    elif isinstance(value, (list, tuple)):
        _write_list(value, margin, pieces, with_varying)
    else:
        pieces.append(json.dumps(value))


def _write_object(
    items: Iterable[Tuple[str, object]], margin: str, pieces: List[str], with_varying: bool
) -> None:
    inner = margin + " "
    before = "{" + inner
    for name, item in items:
        pieces.append(f"{before}{quoted(name)}: ")
        _write(item, inner, pieces, with_varying)
        before = "," + inner
    pieces.append(margin + "}" if before[0] == "," else "{}")


def _write_list(
    items: Iterable[object], margin: str, pieces: List[str], with_varying: bool
) -> None:
    inner = margin + " "
    before = "[" + inner
    for item in items:
        pieces.append(before)
        _write(item, inner, pieces, with_varying)
        before = "," + inner
    pieces.append(margin + "]" if before[0] == "," else "[]")


_KNOWN_PARTS: Dict[Tuple[type, bool], List[str]] = {}


def _parts(kind: type, with_varying: bool) -> List[str]:
    known = _KNOWN_PARTS.get((kind, with_varying))
    if known is None:
        parts = dataclasses.fields(kind)
        known = [one.name for one in parts if with_varying or not one.metadata.get("varies")]
        _KNOWN_PARTS[kind, with_varying] = known
    return known


_KNOWN_HINTS: Dict[type, Dict[str, object]] = {}


def _hints(kind: type) -> Dict[str, object]:
    """Thousands of guards are read in one go, and evaluating annotations is slow."""
    if kind not in _KNOWN_HINTS:
        _KNOWN_HINTS[kind] = typing.get_type_hints(kind)
    return _KNOWN_HINTS[kind]


def read(kind: Type[Value], plain: object) -> Value:
    """The dataclass `kind` from what JSON gave; fields it does not know are passed over.

    What is one already is taken as it is.
    """
    if isinstance(plain, kind):
        return plain
    if not isinstance(plain, dict):
        raise ValueError(f"expected an object for {kind.__name__}, found {type(plain).__name__}")
    hints = _hints(kind)
    known: Dict[str, object] = {
        name: _value(hints[name], item) for name, item in plain.items() if name in hints
    }
    return kind(**known)


def _value(hint: object, plain: object) -> object:
    if hint is str:
        return plain
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    inner: Optional[object] = arguments[0] if arguments else None
    if origin is typing.Union:
        return None if plain is None else _value(inner, plain)
    if origin is list and isinstance(plain, list):
        return [_value(inner, item) for item in plain]
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return read(hint, plain)
    return plain
