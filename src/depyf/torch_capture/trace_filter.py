"""A handler on torch's trace that does not make torch write what nobody will read.

Torch asks `if trace_log.handlers:` and then computes the whole record: tensors described one by
one, configurations dumped, runnable copies of graphs. That is a tenth of the time of a compilation.
So the list of handlers answers for each record: as long as all in it are ours, only records that we
use count. With a handler of anyone else (TORCH_TRACE) in the list, it is an ordinary list.
"""

from __future__ import annotations

import logging
import sys
from typing import Callable, List

from depyf.session.builder import is_wanted

from .trace import TraceHandler


class AskedHandlers(List[logging.Handler]):
    """Handlers of torch's trace that are false for a record that nobody in the list would use."""

    def __bool__(self) -> bool:
        if not all(isinstance(handler, TraceHandler) for handler in self):
            return True
        return len(self) > 0 and _asks_for_wanted(sys._getframe(1).f_locals)


def _asks_for_wanted(asking: object) -> bool:
    """Of the variables of trace_structured. Anybody else who asks is told the plain truth."""
    try:
        kind = asking["name"]  # type: ignore[index]
        describe = asking["metadata_fn"]  # type: ignore[index]
        if kind == "artifact":
            kind = describe()["name"]
        return is_wanted(kind)
    except Exception:
        return True


def attach(logger: logging.Logger, handler: TraceHandler) -> Callable[[], None]:
    """Add the handler; the result takes it away and leaves the logger as it was."""
    if not isinstance(logger.handlers, AskedHandlers):
        logger.handlers = AskedHandlers(logger.handlers)
    logger.addHandler(handler)

    def detach() -> None:
        logger.removeHandler(handler)
        if not any(isinstance(other, TraceHandler) for other in logger.handlers):
            logger.handlers = list(logger.handlers)

    return detach
