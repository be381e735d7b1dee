"""Calling what torch.compile made without its guards: fast, and checked when asked to.

`unguarded` for a callable, the wrapper class for a custom dispatcher, `check_every` and
`GuardViolation` to test the assumption, `guard_costs` to see whether it is worth it.
"""

from __future__ import annotations

from .costs import GuardCost, GuardCosts, guard_costs
from .unguarded import UnguardedError, unguarded
from .violation import GuardViolation
from .wrapper import TorchCompileWrapperWithCustomDispatcher

__all__ = [
    "GuardCost",
    "GuardCosts",
    "GuardViolation",
    "TorchCompileWrapperWithCustomDispatcher",
    "UnguardedError",
    "guard_costs",
    "unguarded",
]
