"""The same six lines in a training loop: AOTAutograd makes a backward graph, Inductor kernels."""

from __future__ import annotations

import torch


@torch.compile
def toy_example(x, y):
    z = torch.sigmoid(x) + y
    if z.mean() > 1:
        z = z - y
    return z * x


def main() -> None:
    x = torch.linspace(-1, 1, 8).requires_grad_()
    y = torch.ones(8)
    for step in range(3):
        loss = toy_example(x, y).square().sum()
        loss.backward()
        with torch.no_grad():
            x -= 0.1 * x.grad
            x.grad = None
        print(f"step {step}: loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
