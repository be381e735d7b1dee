"""The conditions that guard functions in `full_code_*` files are made of.

Each answers what torch's guard of that kind answers. Torch is imported when a check needs it. What
only torch itself can answer (`torch_says`) needs the process that compiled, and says so elsewhere.
"""

from __future__ import annotations

import functools
import importlib
import json
import math
import os
import re
import sys
import threading
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

__all__ = [
    "GuardUnavailable",
    "all_different",
    "default_device_is",
    "from_float",
    "from_numpy",
    "generated_global",
    "global_state_is",
    "guard",
    "has_no_marks",
    "has_none_of",
    "imported",
    "is_exactly",
    "is_nan",
    "item",
    "key_at",
    "not_python",
    "saved_tensors_hooks_are_not_inlined",
    "tensor_matches",
    "torch_checks",
    "torch_function_modes_are",
    "torch_says",
    "tuple_iterator_item",
    "tuple_iterator_len",
    "value_at",
]

# Torch's own check of guard `number` on a value; None when the entry is gone.
Ask = Callable[[int, object], Optional[bool]]
# What a name meant when the entry was compiled; None when it is not known.
Find = Callable[[str], Optional[object]]
# By the folder, and the file of the transformed code in it.
_ENTRIES: Dict[Tuple[str, str], Tuple[Ask, Find]] = {}
_ASKING = threading.local()
# Not the number of a guard: the whole check.
ALL_GUARDS = -1


class GuardUnavailable(RuntimeError):
    """The question can only be answered by torch, in the process that compiled."""


class NotHere(RuntimeError):
    """Used, but not known in this process."""


class Missing:
    """Stands for an object that this process, or this file, does not have."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __call__(self, *args: object, **kwargs: object) -> object:
        raise NotHere(f"Not available here: {self.what}.")

    def __repr__(self) -> str:
        return f"<not available here: {self.what}>"


# --- which entry is being asked about ---------------------------------------------------------


def remember(folder: str, transformed_file: str, ask: Ask, find: Find) -> None:
    """From now on the guard functions written to `folder` can ask about this entry."""
    _ENTRIES[os.path.realpath(folder), transformed_file] = (ask, find)


def guard(
    file: str, transformed_file: str
) -> Callable[[Callable[..., object]], Callable[..., bool]]:
    """Makes a guard function of `file` answer as torch does for the entry of that code.

    Whatever goes wrong while a value is looked up or compared means "does not fit".
    """
    entry = (os.path.realpath(os.path.dirname(os.path.abspath(file))), transformed_file)

    def wrap(function: Callable[..., object]) -> Callable[..., bool]:
        @functools.wraps(function)
        def answer(*args: object, **kwargs: object) -> bool:
            _demand_values(args)
            outer = getattr(_ASKING, "entry", None)
            _ASKING.entry = entry
            try:
                return bool(function(*args, **kwargs))
            except GuardUnavailable:
                raise
            except NameError as error:
                # Not a value that is missing: the condition itself cannot be evaluated here.
                raise GuardUnavailable(str(error)) from error
            except Exception:
                return False
            finally:
                _ASKING.entry = outer

        return answer

    return wrap


def _demand_values(scopes: Tuple[object, ...]) -> None:
    """A variable of the function around has no value here until somebody gives it one."""
    scope = scopes[0] if scopes else None
    for name, value in scope.items() if isinstance(scope, dict) else ():
        if isinstance(value, Missing):
            raise GuardUnavailable(f"{name} is not available here: {value.what}")


def _live_entry() -> Optional[Tuple[Ask, Find]]:
    entry = getattr(_ASKING, "entry", None)
    return None if entry is None else _ENTRIES.get(entry)


def _said_by_torch(number: int, value: object) -> Optional[bool]:
    live = _live_entry()
    return live[0](number, value) if live else None


def torch_says(number: int, value: object) -> bool:
    """Torch's own answer for the guard of this number."""
    said = _said_by_torch(number, value)
    if said is None:
        raise GuardUnavailable(
            "Torch can only be asked in the process that compiled, and while it keeps the entry"
        )
    return said


def torch_checks(scope: object) -> bool:
    """Torch's own answer for all guards of the entry at once.

    For a condition that cannot be asked alone: the length of a dictionary whose order matters,
    which torch checks but does not show.
    """
    return torch_says(ALL_GUARDS, scope)


def not_python(text: str, scope: Optional[Dict[str, object]] = None) -> bool:
    """A guard that cannot even be asked alone: torch answers for all guards, where it can."""
    said = _said_by_torch(ALL_GUARDS, scope) if scope is not None else None
    if said is None:
        raise GuardUnavailable(f"This guard has no form in Python: {text}")
    return said


def imported(path: str) -> object:
    """What `path` meant when the entry was compiled; in another process, what it means there."""
    live = _live_entry()
    known = live[1](path) if live else None
    if known is not None:
        return known
    if path.split(".")[0] == "__main__":
        raise GuardUnavailable(f"{path} is known only in the process that compiled")
    try:
        return resolve(path)
    except (ImportError, AttributeError) as error:
        raise GuardUnavailable(f"{path} is not there: {error}") from error


def resolve(path: str) -> object:
    """The object at a dotted path: the longest module in it, then attributes."""
    parts = path.split(".")
    for split in range(len(parts), 0, -1):
        name = ".".join(parts[:split])
        if name not in sys.modules and not _can_import(name):
            continue
        found: object = sys.modules[name]
        for attribute in parts[split:]:
            found = getattr(found, attribute)
        return found
    raise ImportError(f"no module in {path}")


def _can_import(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


# --- looking things up as torch does ----------------------------------------------------------


def item(mapping: Dict[object, object], key: object) -> object:
    """`mapping[key]` without `__missing__`, which could add the key, and without overriding."""
    absent = object()
    found = dict.get(mapping, key, absent)
    if found is absent:
        raise KeyError(key)
    return found


def key_at(mapping: Dict[object, object], index: int) -> object:
    return list(dict.keys(mapping))[index]


def value_at(mapping: Dict[object, object], index: int) -> object:
    return list(dict.values(mapping))[index]


_MADE_UP = r"(?:\d+|[\da-f]{8}(?:[-_][\da-f]{4}){3}[-_][\da-f]{12})"


def generated_global(names: Dict[str, object], pattern: str) -> object:
    """The global whose name torch made up; `*` stands for the address or UUID in it."""
    matches = re.compile(re.escape(pattern).replace(r"\*", _MADE_UP))
    found = [value for name, value in list(names.items()) if matches.fullmatch(name)]
    if len(found) != 1:
        raise GuardUnavailable(f"{len(found)} globals are called {pattern}, not one")
    return found[0]


def tuple_iterator_len(iterator: Iterator[object]) -> int:
    return iterator.__length_hint__()  # type: ignore[attr-defined,no-any-return]


def tuple_iterator_item(iterator: Iterator[object], index: int) -> object:
    from torch._dynamo.utils import tuple_iterator_getitem

    found: object = tuple_iterator_getitem(iterator, index)
    return found


def from_numpy(value: object) -> object:
    from torch._dynamo.guards import from_numpy as as_tensor

    made: object = as_tensor(value)
    return made


def from_float(value: float) -> object:
    import torch

    made: object = torch._as_tensor_fullprec(value)
    return made


# --- conditions -------------------------------------------------------------------------------


def is_exactly(value: object, expected: object) -> bool:
    """Equal, and of the same type: 1, 1.0 and True are three different things."""
    return value is expected or (type(value) is type(expected) and bool(value == expected))


def is_nan(value: object, kind: type) -> bool:
    """`kind` is float or complex, and a subclass of it does not count."""
    if type(value) is not kind:
        return False
    if isinstance(value, complex):
        return math.isnan(value.real) or math.isnan(value.imag)
    return isinstance(value, float) and math.isnan(value)


# What torch._dynamo.mark_dynamic and its sisters leave on a tensor.
MARKS = (
    "_dynamo_dynamic_indices",
    "_dynamo_weak_dynamic_indices",
    "_dynamo_unbacked_indices",
    "_dynamo_strict_unbacked_indices",
    "_dynamo_static_indices",
)


def has_no_marks(tensor: object) -> bool:
    """Nobody asked torch to treat a dimension of it in a special way."""
    return has_none_of(tensor, *MARKS)


def has_none_of(value: object, *attributes: str) -> bool:
    return not any(hasattr(value, name) for name in attributes)


def all_different(*values: object) -> bool:
    """No object twice: the graph was made for inputs that are no aliases of each other."""
    return len({id(value) for value in values}) == len(values)


def tensor_matches(
    value: object,
    kind: type,
    dtype: object,
    *,
    size: Sequence[Optional[int]],
    stride: Sequence[Optional[int]],
    requires_grad: bool,
    device: Optional[int],
    keys: str,
) -> bool:
    """`keys` are torch's dispatch keys, `device` an index; None in a shape means "any"."""
    import torch

    if type(value) is not kind or not isinstance(value, torch.Tensor):
        return False
    asked = torch.is_grad_enabled() and value.requires_grad
    if (value.dtype, value.device.index, asked) != (dtype, device, requires_grad):
        return False
    if _dispatch_keys(value) != keys or value.dim() != len(size):
        return False
    return _fits(value.size(), size) and (value.is_sparse or _fits(_strides(value), stride))


def _strides(value: object) -> Sequence[int]:
    strides: Sequence[int] = value.stride()  # type: ignore[attr-defined]
    return strides


def _fits(found: Sequence[int], expected: Sequence[Optional[int]]) -> bool:
    return all(wanted is None or one == wanted for one, wanted in zip(found, expected))


def _dispatch_keys(tensor: object) -> str:
    import torch

    keys = torch._C._dispatch_keys(tensor) | torch._C._dispatch_tls_local_include_set()
    text = str(keys - torch._C._dispatch_tls_local_exclude_set())
    return text[len("DispatchKeySet(") : -1]


def global_state_is(state: Dict[str, object]) -> bool:
    """Grad mode, autocast, default dtype, threads, ...: all as they were."""
    import torch

    wanted = torch._C._dynamo.guards.GlobalStateGuard()
    wanted.__setstate__(json.dumps(state))
    return bool(wanted.check())


def default_device_is(device: object) -> bool:
    """What `torch.set_default_device` was given."""
    from torch.utils import _device

    return bool(device == _device.CURRENT_DEVICE)


def torch_function_modes_are(*modes: object) -> bool:
    """The types of the modes on the stack of `__torch_function__` modes, outermost first."""
    from torch._dynamo.utils import get_torch_function_mode_stack

    found: List[object] = [type(one) for one in get_torch_function_mode_stack()]
    return found == list(modes)


def saved_tensors_hooks_are_not_inlined() -> bool:
    """No hooks for saved tensors that could have been compiled into the graph."""
    from torch._functorch._aot_autograd import utils

    return not utils.saved_tensors_hooks_are_inlineable(utils.top_saved_tensors_hooks())
