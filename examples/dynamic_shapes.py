"""The same six lines, called with three lengths: compiled once, compiled again, then no more."""

from __future__ import annotations

import torch


@torch.compile(backend="eager")
def toy_example(x, y):
    z = torch.sigmoid(x) + y
    if z.mean() > 1:
        z = z - y
    return z * x


def main() -> None:
    for length in (8, 12, 16):
        toy_example(torch.ones(length), torch.ones(length))


if __name__ == "__main__":
    main()
