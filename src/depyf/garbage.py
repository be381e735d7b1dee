"""Our work sets off no garbage collection.

A collection takes as long as the heap is large, the program's and ours: it would go over all that
one decompilation makes, time and again. What is made is gone, without any collector, at the end.
"""

from __future__ import annotations

import gc
from typing import Callable, TypeVar

# More objects than our work leaves alive at a time. The collector is not switched off: had another
# thread the same idea meanwhile, one of the two would undo what the other wants. A threshold that
# is no longer this number is somebody else's, and stays. And should this one ever stay, because
# the process was forked just now or another thread noted it: there are collections all the same.
_ENOUGH = 1_000_003

Answer = TypeVar("Answer")


def without_collection(work: Callable[[], Answer]) -> Answer:
    before = gc.get_threshold()
    # 0 means never.
    if not 0 < before[0] < _ENOUGH:
        return work()
    ours = (_ENOUGH, *before[1:])
    try:
        gc.set_threshold(*ours)
        return work()
    finally:
        if gc.get_threshold() == ours:
            gc.set_threshold(*before)
