"""Code objects as files that `dill.load` reads, for `log_bytecode=True`.

With dill they may hold anything. Without it, a plain pickle that dill reads as well; that has room
for constants which can be pickled, and says so where one cannot.
"""

from __future__ import annotations

import copyreg
import importlib
import io
import marshal
import operator
import os
import pickle
import types
from typing import Callable, Dict, List, Optional, Tuple

ORIGINAL = ".original_bytecode"
TRANSFORMED = ".transformed_bytecode"
COMPILED_BACK = ".decompiled_and_compiled_back_bytecode"
WITHOUT_DILL = (
    "dill is not installed: code objects are stored as plain pickles (dill.load reads them); one "
    "with constants that cannot be pickled is missing."
)


def write_bytecode(path: str, codes: Dict[str, Optional[types.CodeType]]) -> List[str]:
    """Write each code object beside `path`, under its ending; what could not be is returned."""
    problems = []
    for ending, code in codes.items():
        if code is None:
            continue
        try:
            with open(path + ending, "wb") as file:
                file.write(_dumped(code))
        except Exception as error:
            # Pickling runs code of any object among the constants, which may raise anything.
            problems.append(f"Could not write {os.path.basename(path) + ending}: {error}")
    return problems


def _dill() -> Optional[types.ModuleType]:
    try:
        return importlib.import_module("dill")
    except ImportError:
        return None


def has_dill() -> bool:
    return _dill() is not None


def _dumped(code: types.CodeType) -> bytes:
    dill = _dill()
    if dill is not None:
        dumped: bytes = dill.dumps(code)
        return dumped
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=4)
    pickler.dispatch_table = copyreg.dispatch_table.copy()
    pickler.dispatch_table[types.CodeType] = _reduced
    pickler.dump(code)
    return buffer.getvalue()


def _reduced(code: types.CodeType) -> Tuple[Callable[..., object], Tuple[object, ...]]:
    """As marshal has it, but for the constants: those may be objects that marshal does not know."""
    bare = marshal.dumps(code.replace(co_consts=()))
    return operator.methodcaller("replace", co_consts=code.co_consts), (_Marshalled(bare),)


class _Marshalled:
    """Is read back as the code object that was marshalled."""

    def __init__(self, dumped: bytes) -> None:
        self._dumped = dumped

    def __reduce__(self) -> Tuple[Callable[..., object], Tuple[bytes]]:
        return marshal.loads, (self._dumped,)
