"""What changed in torch itself, between the compilation and a call: grad mode, autocast and so on.

Newer torch writes the whole state down, as JSON; before, only the present one can be asked for.
"""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Tuple

from .dynamo import dtype_of, holds_with_other_grad_mode, state_now

Pair = Tuple[str, str]
CHECK = "___check_global_state"


def changes(names: List[str], scope: Mapping[str, object]) -> Pair:
    """The values that these parts of the state had and have, as text."""
    kept: Any = getattr(scope.get(CHECK), "__self__", None)
    before, now = _written_down(kept), _written_down(type(kept)())
    pairs = [_change(name, before, now) for name in names]
    before_and_now = [
        ", ".join(f"{name}={pair[side]}" for name, pair in zip(names, pairs)) for side in (0, 1)
    ]
    return before_and_now[0], before_and_now[1]


def unnamed_change(scope: Mapping[str, object]) -> Pair:
    """The same where torch does not name what changed: it is asked under the other grad mode."""
    check = scope.get(CHECK)
    if callable(check) and holds_with_other_grad_mode(check):
        now = state_now("grad_mode")
        return f"grad_mode={not now}", f"grad_mode={now}"
    return "the state that torch had in the compilation", "another"


def _written_down(guard: object) -> Dict[str, Any]:
    """The state that one of torch's guards was made in; no guard can be asked for it before 2.8."""
    write = getattr(guard, "dump", None) or getattr(guard, "__getstate__", None)
    text = write() if write is not None else None
    found: Dict[str, Any] = json.loads(text) if isinstance(text, str) else {}
    return found


def _change(name: str, before: Dict[str, Any], now: Dict[str, Any]) -> Pair:
    if name.startswith("autocast") and before:
        return _change_of_autocast(name, before["autocast_state"], now["autocast_state"])
    if name in before:
        return _shown(name, before[name]), _shown(name, now[name])
    present = state_now(name)
    if isinstance(present, bool):
        return str(not present), str(present)
    return "that of the compilation", "another" if present is None else str(present)


def _change_of_autocast(name: str, before: Dict[str, Any], now: Dict[str, Any]) -> Pair:
    """Both are lists with a place for each device, and the names of the devices are not told."""
    if name == "autocast_cache_enabled":
        return str(before["cached_enabled"]), str(now["cached_enabled"])
    # Torch 2.8 says `autocast`, whichever of them changed.
    key = "dtype" if name.endswith("_dtype") or before["enabled"] == now["enabled"] else "enabled"
    one, other = next((p for p in zip(before[key], now[key]) if p[0] != p[1]), ("", ""))
    return _shown(key, one), _shown(key, other)


def _shown(name: str, value: object) -> str:
    dtype = dtype_of(value) if name.endswith("dtype") and isinstance(value, int) else None
    return str(value if dtype is None else dtype)
