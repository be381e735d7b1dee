"""Small programs that use depyf. Each returns what it computed."""

from __future__ import annotations

import contextlib
import io
import itertools
import logging
import pdb
import sys
import types
from pathlib import Path
from typing import Callable, Iterator, List, Sequence

import pytest
import torch
from torch._dynamo import convert_frame

import depyf
from depyf.debugger import pause

Tensors = List[torch.Tensor]


def toy_example(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def compiled(backend: str) -> Callable[..., torch.Tensor]:
    """A function of its own each time: what torch knows of a code object is for one."""
    code = toy_example.__code__.replace()
    return torch.compile(types.FunctionType(code, globals()), backend=backend)


def run(function: Callable[..., torch.Tensor], grad: bool, sizes: Sequence[int]) -> Tensors:
    """Both branches for each size, with a backward pass each if `grad`."""
    results = []
    for size, sign in itertools.product(sizes, (1, -1)):
        a = torch.linspace(-1, 1, size).requires_grad_(grad)
        b = (torch.arange(float(size)) * sign).requires_grad_(grad)
        result = function(a, b)
        results.append(result.detach())
        if grad:
            result.sum().backward()
            results += [a.grad, b.grad]
    return results


def same(one: Tensors, other: Tensors) -> bool:
    return len(one) == len(other) and all(torch.equal(a, b) for a, b in zip(one, other))


def close(one: Tensors, other: Tensors) -> bool:
    """Compiled code may round otherwise than the operations that it was made of."""
    return len(one) == len(other) and all(torch.allclose(a, b) for a, b in zip(one, other))


class Scenarios:
    """In folders of their own below `home`."""

    def __init__(self, home: Path) -> None:
        self._folders = (home / str(number) for number in itertools.count())
        self._again = next(self._folders)
        self._compiled = compiled("aot_eager")
        with depyf.prepare_debug(self._again):
            self._run_compiled()

    def _run_compiled(self) -> Tensors:
        return run(self._compiled, grad=True, sizes=[10])

    # With prepare_debug

    def compiled_before(self) -> Tensors:
        """Nothing new is compiled; all files are written again when the block is left."""
        with depyf.prepare_debug(self._again):
            return self._run_compiled()

    def aot_eager(self) -> Tensors:
        return self._prepared("aot_eager", grad=True)

    def inductor(self) -> Tensors:
        return self._prepared("inductor", grad=False)

    def _prepared(self, backend: str, grad: bool) -> Tensors:
        with depyf.prepare_debug(next(self._folders), log_bytecode=True):
            return run(compiled(backend), grad, sizes=[10])

    # With install

    def bytecode_log(self) -> Tensors:
        with logged(convert_frame.bytecode_log):
            depyf.install()
            try:
                return run(compiled("eager"), grad=False, sizes=[10])
            finally:
                depyf.uninstall()

    # With debug

    def debug_with_a_hook(self) -> Tensors:
        """The user's `breakpoint()` is a function of theirs. One call fits, the other does not."""
        other = compiled("eager")
        other(torch.ones(2), torch.ones(2))
        with hooked(lambda *args, **options: None), depyf.debug():
            found = self._run_compiled()
            misfit = run(other, grad=False, sizes=[3])
        assert close(misfit, run(toy_example, grad=False, sizes=[3]))
        return found

    def debug_with_pdb(self) -> Tensors:
        """Commands run out at last, and the program goes on."""
        with hooked(sys.__breakpointhook__), typed("n\ns\ns\ns\nn\n"), depyf.debug():
            return self._run_compiled()


@contextlib.contextmanager
def hooked(hook: Callable[..., object]) -> Iterator[None]:
    before = sys.breakpointhook
    sys.breakpointhook = hook
    try:
        yield
    finally:
        sys.breakpointhook = before


@contextlib.contextmanager
def typed(commands: str) -> Iterator[None]:
    """To Python's own debugger, in whose place pytest puts another one."""

    def set_trace() -> None:
        pdb.Pdb().set_trace(sys._getframe().f_back)

    set_trace.__module__ = "pdb"
    with pytest.MonkeyPatch.context() as patch:
        for home, name in ((pdb, "set_trace"), (pause, "_SET_TRACE")):
            patch.setattr(home, name, set_trace)
        patch.delenv("PYTHONBREAKPOINT", raising=False)
        patch.setattr(sys, "stdin", io.StringIO(commands))
        patch.setattr(sys, "stdout", io.StringIO())
        yield


@contextlib.contextmanager
def logged(logger: logging.Logger) -> Iterator[None]:
    """Awake, and heard by nobody."""
    before = logger.level, logger.propagate
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        yield
    finally:
        logger.level, logger.propagate = before
