"""Our work in the middle of a compilation sets off no garbage collection.

A collection takes as long as the heap of the program is large, and the program would not have had
it here: what we make while we read a frame is gone, without any collector, when it is read.
"""

from __future__ import annotations

import gc
import threading
from typing import Callable, TypeVar

Answer = TypeVar("Answer")


def without_collection(work: Callable[[], Answer]) -> Answer:
    """Other threads could switch the collector off meanwhile, and we would switch it on again."""
    if not gc.isenabled() or threading.active_count() > 1:
        return work()
    try:
        gc.disable()
        return work()
    finally:
        gc.enable()
