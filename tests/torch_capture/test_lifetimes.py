"""What a program has given up is gone while it is watched, wherever it is gone without."""

from __future__ import annotations

import gc
import types
import weakref
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")

import depyf  # noqa: E402

from .programs import fresh, session_of  # noqa: E402

noted: list[tuple[str, list[bool]]] = []
watched: list[weakref.ref[torch.Tensor]] = []


@torch._dynamo.disable
def watch(*values: torch.Tensor) -> None:
    watched.extend(map(weakref.ref, values))


@torch._dynamo.disable
def note(where: str) -> None:
    noted.append((where, [reference() is not None for reference in watched]))


@torch._dynamo.disable
def tell(value: torch.Tensor) -> float:
    note("inside")
    return float(value.sum())


class Box:
    value: torch.Tensor | None = None


def one_continuation(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    watch(y)
    z = y * 2
    del y
    note("behind del")
    return z


def two_continuations(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    watch(y)
    torch._dynamo.graph_break()
    z = y * 2
    watch(z)
    del y
    note("y is gone")
    w = z.sin()
    del z
    note("z is gone")
    return w + 1


def weakly(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    watched.append(weakref.ref(y))
    torch._dynamo.graph_break()
    z = y * 2
    del y
    note("behind del")
    return z


def used_later(x: torch.Tensor) -> torch.Tensor:
    y, z = x + 1, x + 2
    watch(y, z)
    note("both")
    w = y * 2
    del y
    note("one")
    v = z * w
    del z
    note("none")
    return v


def read_before(x: torch.Tensor) -> torch.Tensor:
    y, z = x + 1, x * 3
    watch(y, z)
    number = tell(y)
    del y
    note("told")
    w = z + number
    z = w * 2
    note("another z")
    return z


def stored(x: torch.Tensor, box: Box) -> torch.Tensor:
    y = x + 1
    box.value = x * 2
    watch(y, box.value)
    box.value = None
    note("stored")
    z = y * 2
    del y
    note("behind del")
    return z


def stored_by_torch(x: torch.Tensor, box: Box) -> torch.Tensor:
    y = x + 1
    box.value = x * 2
    note_box(box)
    note("emptied")
    return y + 1


@torch._dynamo.disable
def note_box(box: Box) -> None:
    assert box.value is not None
    watch(box.value)
    box.value = None
    note("box")


def in_place(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    y.mul_(2)
    watch(y)
    y += 1
    note("changed")
    z = y.sum()
    del y
    note("behind del")
    return z


def branches(x: torch.Tensor) -> torch.Tensor:
    y, z = x + 1, x - 1
    watch(y, z)
    if y.sum() > 0:
        w = y * 2
        del y, z
        note("one way")
        return w
    w = z * 2
    del y, z
    note("other way")
    return w


def under_a_manager(x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        y = x + 1
        watch(y)
        z = y * 2
        del y
        note("behind del")
    note("outside")
    return z


def with_number(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    watch(y)
    n = y.sum().item()
    z = x * n
    del y
    note("behind del")
    return z


def inner(y: torch.Tensor) -> torch.Tensor:
    z = y * 2
    watch(z)
    w = z + 1
    del z
    note("inside a call")
    return w


def called(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    watch(y)
    w = inner(y)
    del y
    note("behind the call")
    return w * 2


def overwritten(x: torch.Tensor) -> torch.Tensor:
    y = x + 1
    watch(y)
    y = y * 2
    note("once")
    watch(y)
    y = y * 2
    note("twice")
    return y


PROGRAMS = (
    one_continuation,
    two_continuations,
    weakly,
    used_later,
    read_before,
    stored,
    stored_by_torch,
    in_place,
    branches,
    under_a_manager,
    with_number,
    called,
    overwritten,
)


def lifetimes(program: types.FunctionType, backend: str) -> list[tuple[str, list[bool]]]:
    """What was alive where, in calls that compile and in the next, both ways."""
    torch._dynamo.reset()
    found = []
    compiled = torch.compile(fresh(program), backend=backend)
    for sign in (1.0, 1.0, -5.0, -5.0):
        arguments = [torch.full((3,), sign), Box()][: program.__code__.co_argcount]
        noted.clear()
        watched.clear()
        compiled(*arguments)
        found.append(list(noted))
        gc.collect()
    return found


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_what_is_gone_is_gone(program: types.FunctionType, backend: str, tmp_path: Path) -> None:
    alone = lifetimes(program, backend)
    assert all(alone)
    with depyf.prepare_debug(tmp_path):
        seen = lifetimes(program, backend)
    assert seen == alone
    frames = [frame for frame in session_of(tmp_path).frames if frame.transformed_file]
    assert frames and all(frame.swapped for frame in frames)
