"""Runs one small program, plain or watched, and tells all that can be seen of it from outside."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import random
import types
from typing import Callable, Iterator

import numpy as np
import torch

import depyf
from depyf.session.json import from_json
from depyf.session.model import Frame
from depyf.torch_capture import compat

Compile = Callable[..., Callable[..., object]]
Program = Callable[[Compile], object]


@dataclasses.dataclass
class Outcome:
    """`result` or `error`, the other is None; `compiled` names each frame torch compiled."""

    result: object
    error: BaseException | None
    printed: str
    compiled: list[str]


def counted(*shape: int) -> torch.Tensor:
    """1.0, 2.0, 3.0, ... in that shape."""
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape)


def compiled_eagerly(function: Callable[..., object], **options: object) -> Callable[..., object]:
    return torch.compile(function, backend="eager", **options)


def run(program: Program) -> Outcome:
    """Everything that a program depends on is the same each time, and nothing is compiled yet."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    result, error, printed = None, None, io.StringIO()
    with _noted_frames() as compiled, contextlib.redirect_stdout(printed):
        try:
            result = _unknown_to_torch(program)(compiled_eagerly)
        except Exception as raised:
            error = raised
    torch._dynamo.reset()
    return Outcome(result, error, printed.getvalue(), compiled)


def run_watched(program: Program, folder: str) -> tuple[Outcome, list[Frame], list[str]]:
    """The outcome, the frames in the session, and what went wrong in depyf."""
    with depyf.prepare_debug(folder):
        outcome = run(program)
    with open(f"{folder}/session.json", encoding="utf-8") as file:
        session = from_json(file.read())
    return outcome, session.frames, session.problems


def differences(plain: Outcome, watched: Outcome) -> list[str]:
    found = [
        f"{what} differs: {one!r} and {other!r}"
        for what, one, other in [
            ("what was raised", _said(plain.error), _said(watched.error)),
            ("what was printed", plain.printed, watched.printed),
            ("what was compiled", plain.compiled, watched.compiled),
        ]
        if one != other
    ]
    if not same(plain.result, watched.result):
        found.append(f"the result differs: {plain.result!r} and {watched.result!r}")
    return found


def same(one: object, other: object) -> bool:
    """Of one type and one value to the last bit, through all containers."""
    if type(one).__qualname__ != type(other).__qualname__:
        return False
    if isinstance(one, torch.Tensor):
        kinds = (one.dtype, one.requires_grad) == (other.dtype, other.requires_grad)
        return kinds and torch.equal(one, other)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, dict):
        return list(one) == list(other) and same(list(one.values()), list(other.values()))
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if dataclasses.is_dataclass(one):
        return same(vars(one), vars(other))
    return one == other


@contextlib.contextmanager
def _noted_frames() -> Iterator[list[str]]:
    """The first hook of all, so that it sees torch's own code; it changes nothing."""
    names: list[str] = []

    def note(original: types.CodeType, _: types.CodeType) -> None:
        names.append(original.co_name)

    remove = compat.add_bytecode_hook(note)
    try:
        yield names
    finally:
        remove()


def _unknown_to_torch(program: Program) -> Program:
    """What torch knows of a code object outlives its reset, so each run gets code of its own."""
    assert isinstance(program, types.FunctionType)
    return types.FunctionType(_copied(program.__code__), program.__globals__, program.__name__)


def _copied(code: types.CodeType) -> types.CodeType:
    inner = (_copied(c) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=tuple(inner))


def _said(error: BaseException | None) -> str:
    return f"{type(error).__name__}: {error}" if error is not None else ""
