"""Compiled code called without its guards, and a test that notices when that was wrong."""

from __future__ import annotations

import torch

from depyf.optimization import GuardViolation, unguarded


class Scale(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.factor = 2.0

    def forward(self, x):
        return x * self.factor


def main() -> None:
    model = torch.compile(Scale(), backend="eager")
    x = torch.ones(3)
    fast = unguarded(model, x)
    print("without guards:", fast(x).tolist())
    careful = unguarded(model, x, check_every=1)
    model.factor = 3.0
    print("and wrong now: ", fast(x).tolist())
    try:
        careful(x)
    except GuardViolation as violation:
        print("noticed:", str(violation).partition(" (")[0])


if __name__ == "__main__":
    main()
