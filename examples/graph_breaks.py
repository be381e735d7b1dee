"""A small model that torch.compile cannot take in one piece, for two common reasons."""

from __future__ import annotations

import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(8, 8)

    def forward(self, x):
        x = torch.relu(self.inner(x))
        print("activations:", x.shape)
        if x.sum() > 10:
            x = x / 2
        return x


def main() -> None:
    torch.manual_seed(0)
    model = torch.compile(Model(), backend="eager")
    for _ in range(2):
        model(torch.randn(4, 8))


if __name__ == "__main__":
    main()
