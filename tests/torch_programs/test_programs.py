"""Small programs, one trap each: watched, they do what they do alone, and run from our files."""

from __future__ import annotations

import functools
import inspect
import tempfile
from typing import Callable

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; these tests compile with it")
pytest.importorskip("numpy")

from . import control_flow, effects, names_and_calls, values  # noqa: E402
from .running import Outcome, Program, differences, run, run_watched  # noqa: E402

PROGRAMS: dict[str, Program] = {
    name: program
    for module in (control_flow, effects, names_and_calls, values)
    for name, program in inspect.getmembers(module, inspect.isfunction)
    if program.__module__ == module.__name__ and not name.startswith("_")
}
AT_LEAST_SWAPPED = 0.99


@functools.lru_cache(maxsize=None)
def observed(name: str) -> tuple[Outcome, list[str], list[str], list[str]]:
    """The plain outcome, what differs when watched, the frames, and those that are not swapped."""
    plain = run(PROGRAMS[name])
    with tempfile.TemporaryDirectory() as folder:
        watched, frames, problems = run_watched(PROGRAMS[name], folder)
    # Where there is nothing to compile, torch runs the function as it is: that has no code.
    compiled = [frame for frame in frames if frame.transformed is not None]
    left = [
        f"{name}: {frame.name}: {frame.transformed.reason}"
        for frame in compiled
        if not frame.swapped
    ]
    wrong = [*differences(plain, watched), *problems]
    return plain, wrong, [frame.name for frame in compiled], left


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 80


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_watched_as_alone(name: str) -> None:
    plain, wrong, frames, _ = observed(name)
    assert wrong == []
    assert sorted(frames) == sorted(plain.compiled)
    if plain.error is not None:
        pytest.skip(f"this torch does not run it: {str(plain.error).splitlines()[0][:80]}")


def test_frames_run_from_their_files(record_property: Callable[[str, object], None]) -> None:
    frames = sum(len(observed(name)[2]) for name in PROGRAMS)
    left = [reason for name in sorted(PROGRAMS) for reason in observed(name)[3]]
    assert frames >= len(PROGRAMS)
    record_property("frames", frames)
    record_property("swapped", frames - len(left))
    assert frames - len(left) >= AT_LEAST_SWAPPED * frames, "\n".join(left)
