"""What the installed torch gives: a small function is compiled and watched, for the matrix.

Prints one line of JSON: the kinds of files that a graph gets, and what depyf says is missing.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile

import torch

import depyf
from depyf.session.json import from_json
from depyf.session.model import Session


def toy_example(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def watched(folder: str) -> Session:
    with depyf.prepare_debug(folder):
        compiled = torch.compile(toy_example, backend="inductor")
        for sign in (1, -1):
            a, b = torch.ones(10, requires_grad=True), torch.full((10,), float(sign))
            compiled(a, b).sum().backward()
    with open(os.path.join(folder, "session.json"), encoding="utf-8") as file:
        return from_json(file.read())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(folder, "cache")
        session = watched(os.path.join(folder, "dump"))
    kinds = {stage.kind for graph in session.graphs for stage in graph.stages}
    print(json.dumps({"files": sorted(kinds), "missing": session.unavailable}))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
