"""`install`: torch's own bytecode log (`TORCH_LOGS="+bytecode"`) also shows source.

Torch logs the instructions of the original and of what it made of it, then calls bytecode hooks.
Ours adds the source of both to the same log, and changes nothing.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import types
from typing import Callable

from depyf.decompile.frames import decompile_frame
from depyf.decompile.pipeline import decompile_code
from depyf.decompile.result import Decompilation

from . import bytecode_hooks, compat
from .blocks import say
from .faults import describe
from .hook import dynamos_own

_lock = threading.Lock()
_installed = False


def install() -> None:
    """Add decompiled source to torch's bytecode log (`TORCH_LOGS="+bytecode"`).

    A second time it does nothing.
    """
    global _installed
    try:
        with _lock:
            if not _installed:
                bytecode_hooks.add(_log_sources)
                _installed = True
    except Exception as error:
        _tell("install(): the bytecode log is as it was", error)


def uninstall() -> None:
    """Take it away again; without `install` it does nothing."""
    global _installed
    try:
        with _lock, contextlib.ExitStack() as undo:
            # First: then it does nothing, should it be left.
            _installed = False
            for _ in range(2):
                # If it fails the first time, it is tried once more.
                undo.callback(bytecode_hooks.discard, _log_sources)
    except Exception as error:
        _tell("uninstall(): a hook that does nothing is left", error)


def _tell(what_it_means: str, error: Exception) -> None:
    say(f"{what_it_means}: {describe(error)} (the program is not affected)")


def _log_sources(original: types.CodeType, made: types.CodeType) -> None:
    log = compat.bytecode_logger()
    if not _installed or not log.isEnabledFor(logging.DEBUG):
        return
    # In a block of prepare_debug it is ours by now; torch has logged its own.
    made = dynamos_own(made)
    _log(log, "ORIGINAL", original, lambda: decompile_code(original))
    _log(
        log,
        "MODIFIED",
        original,
        lambda: decompile_frame(original, made, original.co_name, made.co_filename).result,
    )


def _log(
    log: logging.Logger, which: str, of: types.CodeType, read: Callable[[], Decompilation]
) -> None:
    try:
        source = read().source
    except Exception as error:
        # The log is torch's, and so is the compilation that goes on.
        source = f"# Could not be decompiled: {describe(error)}"
    place = f"{of.co_name} {of.co_filename} line {of.co_firstlineno}"
    log.debug("DECOMPILED %s BYTECODE %s\n%s", which, place, source)
