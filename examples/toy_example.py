"""Six lines that torch.compile takes apart: a graph, a branch on data, two continuations."""

from __future__ import annotations

import torch


@torch.compile(backend="eager")
def toy_example(x, y):
    z = torch.sigmoid(x) + y
    if z.mean() > 1:
        z = z - y
    return z * x


def main() -> None:
    torch.manual_seed(0)
    for _ in range(20):
        toy_example(torch.randn(8), torch.randn(8) + 0.5)


if __name__ == "__main__":
    main()
