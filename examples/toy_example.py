"""Six lines that torch.compile takes apart: a graph, a branch on data, two continuations."""

from __future__ import annotations

import torch


@torch.compile(backend="eager")
def toy_example(a, b):
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def main() -> None:
    for _ in range(100):
        toy_example(torch.randn(10), torch.randn(10))


if __name__ == "__main__":
    main()
