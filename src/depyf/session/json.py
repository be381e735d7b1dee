"""The session as JSON, and back without loss.

Works from the annotations of the model, so a new field needs nothing here. What differs from one
run of the same program to the next (times, paths of caches) is marked in the model and left out,
unless it is asked for: two runs give the same text.
"""

from __future__ import annotations

import dataclasses
import json
import typing
from typing import Dict, Optional, Type, TypeVar

from .model import Session

Value = TypeVar("Value")


def to_json(session: Session, with_varying: bool = False) -> str:
    plain = _to_plain(session, with_varying)
    return json.dumps(plain, indent=1, ensure_ascii=False) + "\n"


def from_json(text: str) -> Session:
    return read(Session, json.loads(text))


def _to_plain(value: object, with_varying: bool) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            part.name: _to_plain(getattr(value, part.name), with_varying)
            for part in dataclasses.fields(value)
            if with_varying or not part.metadata.get("varies")
        }
    if isinstance(value, (list, tuple)):
        return [_to_plain(item, with_varying) for item in value]
    if isinstance(value, dict):
        return {str(key): _to_plain(item, with_varying) for key, item in value.items()}
    return value


_KNOWN_HINTS: Dict[type, Dict[str, object]] = {}


def _hints(kind: type) -> Dict[str, object]:
    """Thousands of guards are read in one go, and evaluating annotations is slow."""
    if kind not in _KNOWN_HINTS:
        _KNOWN_HINTS[kind] = typing.get_type_hints(kind)
    return _KNOWN_HINTS[kind]


def read(kind: Type[Value], plain: object) -> Value:
    """The dataclass `kind` from what JSON gave; fields it does not know are passed over."""
    if not isinstance(plain, dict):
        raise ValueError(f"expected an object for {kind.__name__}, found {type(plain).__name__}")
    hints = _hints(kind)
    known: Dict[str, object] = {
        name: _value(hints[name], item) for name, item in plain.items() if name in hints
    }
    return kind(**known)


def _value(hint: object, plain: object) -> object:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    inner: Optional[object] = arguments[0] if arguments else None
    if origin is typing.Union:
        return None if plain is None else _value(inner, plain)
    if origin is list and isinstance(plain, list):
        return [_value(inner, item) for item in plain]
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return read(hint, plain)
    return plain
