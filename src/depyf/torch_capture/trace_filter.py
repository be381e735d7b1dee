"""A handler on torch's trace that does not make torch write what nobody will read.

Torch asks `if trace_log.handlers:` and then computes the whole record: tensors described one by
one, configurations dumped, runnable copies of graphs. That is a tenth of the time of a compilation.
So the list of handlers answers for each record: as long as all in it are ours, only records that we
use count. With a handler of anyone else (TORCH_TRACE) in the list, it is an ordinary list.
"""

from __future__ import annotations

import logging
import sys
from typing import List

from depyf.session.builder import is_end_of_wanted, is_wanted

from .artifact_names import name_of
from .trace import TraceHandler


class AskedHandlers(List[logging.Handler]):
    """Handlers of torch's trace that are false for a record that nobody in the list would use."""

    def __init__(self, plain: List[logging.Handler]) -> None:
        super().__init__(plain)
        self.plain = plain

    def __bool__(self) -> bool:
        try:
            for handler in self:
                if not isinstance(handler, TraceHandler):
                    return True
            return len(self) > 0 and _asks_for_wanted(sys._getframe(1).f_locals)
        except Exception:
            # Somebody else asks, or something of ours went wrong: the plain truth will do.
            return len(self) > 0


def _asks_for_wanted(asking: object) -> bool:
    """Of the variables of trace_structured. For anybody else who asks there is an error."""
    kind = asking["name"]  # type: ignore[index]
    if kind != "artifact":
        return is_wanted(kind)
    name = name_of(asking["metadata_fn"])  # type: ignore[index]
    return is_wanted(name.end) if name.whole else is_end_of_wanted(name.end)


def attach(logger: logging.Logger, handler: TraceHandler) -> None:
    if not isinstance(logger.handlers, AskedHandlers):
        logger.handlers = AskedHandlers(logger.handlers)
    logger.addHandler(handler)


def detach(logger: logging.Logger, handler: TraceHandler) -> None:
    """Take the handler away; behind the last of ours the logger has its own list again."""
    logger.removeHandler(handler)
    asked = logger.handlers
    # A list of anybody else's stays.
    if isinstance(asked, AskedHandlers) and not any(isinstance(one, TraceHandler) for one in asked):
        asked.plain[:] = asked
        logger.handlers = asked.plain
