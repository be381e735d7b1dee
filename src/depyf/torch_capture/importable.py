"""A name for an object: a dotted path that leads to this very object, or none."""

from __future__ import annotations

import enum
import re
import sys
import types
from typing import Iterator, List, Optional

_CLASS = re.compile(r"type=<(?:class|enum) '([\w.]+)'>")


def path_to(found: object, hint: str = "") -> Optional[str]:
    """The first candidate that leads to the object itself."""
    for path in [hint, *_candidates(found)]:
        if path and loaded(path) is found:
            return path
    return None


def _candidates(found: object) -> Iterator[str]:
    if isinstance(found, types.ModuleType):
        yield found.__name__
        return
    if isinstance(found, enum.Enum):
        yield f"{type(found).__module__}.{type(found).__qualname__}.{found.name}"
        return
    module = getattr(found, "__module__", None)
    name = getattr(found, "__qualname__", None)
    if isinstance(module, str) and isinstance(name, str):
        yield f"{module}.{name}"


def loaded(path: str) -> Optional[object]:
    """What the path leads to now. Nothing is imported, nothing of the user's runs."""
    parts = path.split(".")
    for split in range(len(parts), 0, -1):
        found: object = sys.modules.get(".".join(parts[:split]))
        if found is None:
            continue
        for attribute in parts[split:]:
            # An attribute of anything else may be computed.
            if not isinstance(found, (types.ModuleType, type, types.FunctionType)):
                return None
            found = getattr(found, attribute, None)
        return found
    return None


def by_identity(number: int, said: str) -> List[object]:
    """The object with this id, when torch's text names its class: itself, or a member of it."""
    match = _CLASS.search(said)
    named = loaded(_qualified(match.group(1))) if match else None
    members: List[object] = list(named) if isinstance(named, enum.EnumMeta) else []
    return [one for one in [named, *members] if one is not None and id(one) == number]


def _qualified(name: str) -> str:
    return name if "." in name else f"builtins.{name}"
