"""An entropy that becomes NaN for one input: the example of the page about finding NaNs."""

from __future__ import annotations

import torch


@torch.compile(backend="eager")
def entropy(scores):
    shares = scores / scores.sum()
    logs = torch.log(shares)
    parts = shares * logs
    return -parts.sum()


def main() -> None:
    print("before:", entropy(torch.tensor([1.0, 2.0, 3.0])).item())
    print("now:   ", entropy(torch.tensor([1.0, 0.0, 3.0])).item())


if __name__ == "__main__":
    main()
