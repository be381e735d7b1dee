"""Small programs to compile, and ways to look at the folder that comes of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Callable

import pytest
import torch

from depyf.session.json import from_json
from depyf.session.model import Session
from depyf.torch_capture import compat

needs_trace = pytest.mark.skipif(
    compat.trace_logger() is None, reason="this torch has no structured trace"
)


def toy_example(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


# What torch calls the rest of toy_example after its break; 2.2 left the line out.
RESUME = (
    "resume_in_toy_example"
    if torch.__version__.startswith("2.2.")
    else f"torch_dynamo_resume_in_toy_example_at_{toy_example.__code__.co_firstlineno + 2}"
)


def fresh(function: Callable[..., object]) -> Callable[..., object]:
    """A function of its own for each test: what torch knows of a code object outlives a reset."""
    import types

    return types.FunctionType(
        function.__code__.replace(), function.__globals__, function.__name__, function.__defaults__
    )


def run_toy(backend: object = "eager", grad: bool = False, rounds: int = 2) -> list[torch.Tensor]:
    """Both branches, with a backward pass each if `grad`."""
    compiled = torch.compile(fresh(toy_example), backend=backend)
    results = []
    for round_ in range(rounds):
        a = torch.linspace(-1, 1, 10).requires_grad_(grad)
        b = (torch.arange(10.0) * (-1) ** round_).requires_grad_(grad)
        result = compiled(a, b)
        results.append(result)
        if grad:
            result.sum().backward()
            results += [a.grad, b.grad]
    return [each.detach() for each in results]


def same(one: list[torch.Tensor], other: list[torch.Tensor]) -> bool:
    return len(one) == len(other) and all(torch.equal(a, b) for a, b in zip(one, other))


def session_of(folder: os.PathLike[str] | str) -> Session:
    return from_json((Path(folder) / "session.json").read_text(encoding="utf-8"))


def files_in(folder: os.PathLike[str] | str) -> list[str]:
    return sorted(os.listdir(folder))


def stages(session: Session) -> dict[int, list[tuple[str, str]]]:
    return {
        graph.number: sorted((stage.kind, stage.direction) for stage in graph.stages)
        for graph in session.graphs
    }
