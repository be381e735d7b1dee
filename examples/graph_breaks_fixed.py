"""The model of graph_breaks.py in one graph: a tensor makes the choice, the print moved out."""

from __future__ import annotations

import torch


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(8, 8)

    def forward(self, x):
        x = torch.relu(self.inner(x))
        return torch.where(x.sum() > 10, x / 2, x)


def main() -> None:
    torch.manual_seed(0)
    model = torch.compile(Model(), backend="eager", fullgraph=True)
    for _ in range(2):
        print("activations:", model(torch.randn(4, 8)).shape)


if __name__ == "__main__":
    main()
