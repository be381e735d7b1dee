"""From the name `__compiled_fn_<k>` that transformed code calls to the functions that do the work.

Between the two lie wrappers that every torch nests differently, so nothing here knows their names:
the references are followed (closures, methods, attributes) until functions appear whose code was
generated: by torch.fx, or by Inductor into its cache. Nothing is called, nothing is kept.
"""

from __future__ import annotations

import gc
import re
import sys
import types
from collections import deque
from typing import Deque, Dict, Iterable, Iterator, List, Set, Tuple

from depyf.torch_capture import compat, compat_debug

# Twice what the largest graph of PyTorch's own tests needs; only keeps a strange one from hanging.
MOST_STEPS = 200_000
_COMPILED = re.compile(r"__compiled_fn_(\d+)")


def running_functions() -> Dict[int, List[types.FunctionType]]:
    """The number of each graph that can be called now -> the generated functions behind it."""
    found: Dict[int, List[types.FunctionType]] = {}
    for number, entry in _entry_points():
        known = found.setdefault(number, [])
        known += [one for one in _generated_behind(entry) if one not in known]
    return found


def _entry_points() -> Iterator[Tuple[int, object]]:
    for variables in _places_of_names():
        for name, value in list(variables.items()):
            match = _COMPILED.match(name) if type(name) is str else None
            if match:
                yield int(match[1]), value


def _places_of_names() -> List[Dict[str, object]]:
    """Dynamo puts its names among the globals of the function, which may be no module's."""
    places = [vars(one) for one in list(sys.modules.values()) if type(one) is types.ModuleType]
    compiled = {id(code) for code in compat.compiled_codes()}
    for one in gc.get_objects():
        if type(one) is types.FunctionType and id(one.__code__) in compiled:
            places.append(one.__globals__)
    return list({id(place): place for place in places}.values())


def _generated_behind(entry: object) -> List[types.FunctionType]:
    found: List[types.FunctionType] = []
    # Everything seen stays alive until the end: the identity of a dead object may return.
    seen: List[object] = [entry]
    known: Set[int] = {id(entry)}
    waiting: Deque[object] = deque(seen)
    leaves = compat_debug.types_without_code()
    while waiting and len(seen) < MOST_STEPS:
        one = waiting.popleft()
        if type(one) is types.FunctionType and compat_debug.is_generated(one.__code__):
            found.append(one)
        if issubclass(type(one), leaves):
            continue
        for inner in _held_by(one):
            if id(inner) not in known:
                known.add(id(inner))
                seen.append(inner)
                waiting.append(inner)
    return found


_ENDS = (types.ModuleType, types.CodeType, types.FrameType, str)


def _held_by(one: object) -> Iterable[object]:
    """What it may call. The type is asked, never the object: that could run code of the user's."""
    kind = type(one)
    if kind is types.FunctionType:
        return _held_by_function(one)  # type: ignore[arg-type]
    if kind is types.BuiltinFunctionType:
        # `apply` of an autograd function may be one, bound to the class.
        return (one.__self__,)  # type: ignore[attr-defined]
    if issubclass(kind, type):
        # A class of the program or of a library leads everywhere; one made in a function does not.
        made = "<locals>" in str(type.__dict__["__qualname__"].__get__(one))
        return list(type.__dict__["__dict__"].__get__(one).values()) if made else ()
    if issubclass(kind, _ENDS):
        return ()
    return gc.get_referents(one)


def _held_by_function(function: types.FunctionType) -> Iterator[object]:
    """All but the globals of a module: they lead everywhere."""
    compat_debug.write_code_of_graphs_run_by(function)
    yield from function.__closure__ or ()
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield from list(function.__dict__.values())
    if _is_written_by_torch(function):
        yield from (v for k, v in list(function.__globals__.items()) if k != "__builtins__")


def _is_written_by_torch(function: types.FunctionType) -> bool:
    """AOTAutograd writes wrappers as text; what they call is among globals of their own."""
    code, variables = function.__code__, function.__globals__
    is_torchs = code.co_filename.startswith((compat_debug.torch_folder(), "<"))
    if not is_torchs or compat_debug.is_graph_code(code):
        return False
    module = sys.modules.get(str(variables.get("__name__")))
    return module is None or vars(module) is not variables
