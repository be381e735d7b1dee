"""Capture that begins when the program first loads torch's compiler, and ends with the process.

A program that never uses torch never loads it because of us.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.abc
import importlib.machinery
import sys
import types
import weakref
from typing import Callable, List, Optional, Sequence

from depyf.forks import family

# Loaded by torch.compile itself, before anything is compiled.
COMPILER = "torch._dynamo"


class ImportWatcher(importlib.abc.MetaPathFinder):
    """Calls `loaded` right after the module was executed, once, and is gone then."""

    def __init__(self, name: str, loaded: Callable[[], None]) -> None:
        self._name = name
        self._loaded = loaded

    def find_spec(
        self,
        fullname: str,
        path: Optional[Sequence[str]],
        target: Optional[types.ModuleType] = None,
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname != self._name:
            return None
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        for finder in list(sys.meta_path):
            find = getattr(finder, "find_spec", None)
            spec: Optional[importlib.machinery.ModuleSpec] = (
                find(fullname, path, target) if find is not None else None
            )
            if spec is not None:
                with contextlib.suppress(Exception):
                    _call_after_execution(spec, self._loaded)
                return spec
        return None


def _call_after_execution(spec: importlib.machinery.ModuleSpec, loaded: Callable[[], None]) -> None:
    loader = spec.loader
    execute = getattr(loader, "exec_module", None)
    if loader is None or execute is None:
        return

    def execute_and_call(module: types.ModuleType) -> None:
        vars(loader).pop("exec_module", None)
        execute(module)
        with contextlib.suppress(Exception):
            loaded()

    try:
        loader.exec_module = execute_and_call  # type: ignore[method-assign]
    except AttributeError:
        # A loader of somebody's that takes no attribute: nothing is captured.
        return


class Watch:
    """One capture into a folder; `end` is called once the program is over."""

    def __init__(
        self, folder: str, bytecode: bool, began: Callable[[], None], end: Callable[[bool], None]
    ) -> None:
        self._folder = folder
        self._bytecode = bytecode
        self._began = began
        self._end = end
        self._open: List[object] = []
        self._family = family()

    def start(self) -> None:
        # Registered first, called last: after threads and the program's own exit handlers.
        atexit.register(self._finish)
        if COMPILER in sys.modules:
            self._begin()
        else:
            sys.meta_path.insert(0, ImportWatcher(COMPILER, self._begin))

    def _begin(self) -> None:
        try:
            if not self._family.is_here():
                self._family.lose()
                return
            from depyf import prepare_debug

            capture = prepare_debug(self._folder, log_bytecode=self._bytecode)
            capture.__enter__()
            self._open.append(capture)
            _before_finalizers(self._look)
            self._began()
        except Exception as error:
            tell(f"nothing is captured: {error} (the program is not affected)")

    def _look(self) -> None:
        """Leaving the block reads the guards; what exit handlers compile is still captured."""
        if self._open and self._family.is_here():
            with contextlib.suppress(Exception):
                self._open[-1].__exit__(None, None, None)  # type: ignore[attr-defined]
                self._open[-1].__enter__()  # type: ignore[attr-defined]

    def _finish(self) -> None:
        if not self._family.is_here():
            return
        captured = bool(self._open)
        try:
            while self._open:
                self._open.pop().__exit__(None, None, None)  # type: ignore[attr-defined]
            self._end(captured)
        except Exception as error:
            with contextlib.suppress(Exception):
                tell(f"no summary: {error} (the program is not affected)")


def _before_finalizers(look: Callable[[], None]) -> None:
    """Call it at exit while torch's cache still has its entries.

    Torch drops an entry when an object that its guards name is finalized, and at exit `weakref`
    finalizes everything. Its exit handler is registered with the first finalizer: so is one here.
    """
    weakref.finalize(look, int).detach()
    atexit.register(look)


def tell(sentence: str) -> None:
    """To whoever started the program, wherever it has put its own `sys.stderr`."""
    try:
        if sys.__stderr__ is not None:
            sys.__stderr__.write(f"depyf: {sentence}\n")
            sys.__stderr__.flush()
    except Exception:
        # Without stderr there is nobody to tell.
        return
