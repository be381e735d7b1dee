"""The conditions that guard functions in `full_code_*` files are made of.

Each answers what torch's guard of that kind answers. Torch is imported when a check needs it. What
only torch itself can answer (`torch_says`) needs the process that compiled, and says so elsewhere.
"""

from __future__ import annotations

import functools
import os
from typing import Callable, Dict, List, Tuple

__all__ = [
    "GuardUnavailable",
    "guard",
    "has_none_of",
    "not_python",
    "torch_says",
]

GuardFunction = Callable[..., object]
# (folder of the dump, compile id) -> torch's own check of each guard, by its number.
_LIVE: Dict[Tuple[str, str], List[Callable[[object], bool]]] = {}


class GuardUnavailable(RuntimeError):
    """The question can only be answered by torch, in the process that compiled."""


def guard(function: GuardFunction) -> Callable[..., bool]:
    """As torch does it: whatever goes wrong while a value is looked up means "does not fit"."""

    @functools.wraps(function)
    def answer(*args: object, **kwargs: object) -> bool:
        try:
            return bool(function(*args, **kwargs))
        except GuardUnavailable:
            raise
        except Exception:
            return False

    return answer


def has_none_of(value: object, *attributes: str) -> bool:
    return not any(hasattr(value, name) for name in attributes)


def not_python(text: str) -> bool:
    raise GuardUnavailable(f"This guard has no form in Python: {text}")


def remember(folder: str, compile_id: str, checks: List[Callable[[object], bool]]) -> None:
    """Keep torch's own checks of an entry for the files in `folder`."""
    _LIVE[os.path.realpath(folder), compile_id] = checks


def torch_says(file: str, compile_id: str, number: int, value: object) -> bool:
    """Ask torch's own guard; `file` is the one that asks."""
    checks = _LIVE.get((os.path.realpath(os.path.dirname(file)), compile_id))
    if checks is None:
        raise GuardUnavailable(
            f"Guard {number} of {compile_id} can only be asked in the process that compiled"
        )
    return bool(checks[number](value))
