"""A class that chooses itself, by the length of its input, which compiled code a call runs."""

from __future__ import annotations

from typing import Dict

import torch

from depyf.optimization import TorchCompileWrapperWithCustomDispatcher


class Mean(TorchCompileWrapperWithCustomDispatcher):
    def __init__(self) -> None:
        self.places: Dict[int, int] = {}
        # With dynamic=False each length has code of its own.
        super().__init__(torch.compile(self.forward, backend="eager", dynamic=False))

    def forward(self, x):
        return x.sum() / len(x)

    def __call__(self, x):
        length = len(x)
        if length not in self.places:
            result = self.compiled_callable(x)
            self.places[length] = len(self.compiled_codes) - 1
            return result
        with self.dispatch_to_code(self.places[length]):
            return self.forward(x)


def main() -> None:
    mean = Mean()
    for length in (2, 4):
        print("compiled:      ", mean(torch.arange(length)).item())
    for length in (4, 2):
        print("without guards:", mean(torch.arange(length)).item())
    print("compiled codes:", len(mean.compiled_codes))
    with mean.dispatch_to_code(mean.places[2]):
        print("the wrong one: ", mean.forward(torch.arange(4)).item())


if __name__ == "__main__":
    main()
