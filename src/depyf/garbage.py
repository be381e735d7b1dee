"""Our work sets off no garbage collection.

A collection takes as long as the heap is large, the program's and ours: it would go over all that
one decompilation makes, time and again. What is made is gone, without any collector, at the end.
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
