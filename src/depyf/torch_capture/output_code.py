"""Inductor's output code, heard through its log: for a torch that has no structured trace.

The log is silent unless TORCH_LOGS asks for it. While somebody listens it is awake, but what it
says goes no further than to us, unless it would have gone further without us.
"""

from __future__ import annotations

import contextlib
import logging
from typing import Callable, Dict, Tuple

from depyf.session.events import Event

from . import compat
from .faults import Faults
from .trace import name_cache_folder

_TEXT = "Output code: "
# How a log was before the first of us listened; several may, and leave in any order.
_before: Dict[str, Tuple[int, bool, bool]] = {}


class OutputCodeHandler(logging.Handler):
    """Gives an event for every text of code."""

    def __init__(self, take: Callable[[Event], None], faults: Faults) -> None:
        super().__init__(logging.DEBUG)
        self._take = take
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(Exception), self._faults.contained("reading Inductor's log"):
            if str(record.msg).startswith(_TEXT) and isinstance(record.args, tuple):
                compile_id, attempt = compat.compiling_now()
                data: Dict[str, object] = {"aot": compat.aot_graph_now()}
                text = str(record.args[0])
                event = Event("inductor_output_code", compile_id, attempt, data, text)
                name_cache_folder(event)
                self._take(event)


def attach(logger: logging.Logger, handler: OutputCodeHandler) -> None:
    if not _is_heard(logger) and not logger.isEnabledFor(logging.DEBUG):
        _before[logger.name] = (logger.level, logger.propagate, _is_set_up(logger))
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
    logger.addHandler(handler)


def detach(logger: logging.Logger, handler: OutputCodeHandler) -> None:
    """Behind the last of ours the logger is as it was, but for what somebody else set since."""
    logger.removeHandler(handler)
    if _is_heard(logger) or logger.name not in _before:
        return
    level, propagate, was_set_up = _before.pop(logger.name)
    if logger.level == logging.DEBUG:
        logger.setLevel(level)
    if not logger.propagate and was_set_up == _is_set_up(logger):
        logger.propagate = propagate


def _is_set_up(logger: logging.Logger) -> bool:
    """Torch does that when Inductor is first loaded, and then keeps the log to itself."""
    return hasattr(logger, "artifact_name")


def _is_heard(logger: logging.Logger) -> bool:
    return any(isinstance(handler, OutputCodeHandler) for handler in logger.handlers)
