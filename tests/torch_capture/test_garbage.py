"""Reading a frame sets off no garbage collection, and leaves the collector as it was."""

from __future__ import annotations

import gc
import threading
from typing import Iterator, List

import pytest

from depyf import garbage
from depyf.garbage import without_collection


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.enable()
    yield
    if not was_on:
        gc.disable()


def collections_during_work() -> int:
    """Of work that makes many objects, enough for several collections."""
    seen: List[str] = []

    def note(phase: str, _info: object) -> None:
        seen.append(phase)

    gc.callbacks.append(note)
    try:
        without_collection(lambda: [[number] for number in range(50_000)])
    finally:
        gc.callbacks.remove(note)
    return seen.count("start")


def test_no_collection_while_we_work(monkeypatch: pytest.MonkeyPatch) -> None:
    # Threads of other tests may still be about.
    monkeypatch.setattr(garbage.threading, "active_count", lambda: 1)
    assert collections_during_work() == 0
    assert gc.isenabled()


def test_the_collector_is_on_again_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage.threading, "active_count", lambda: 1)
    with pytest.raises(ZeroDivisionError):
        without_collection(lambda: 1 // 0)
    assert gc.isenabled()


def test_a_collector_that_the_program_switched_off_stays_off() -> None:
    gc.disable()
    assert without_collection(lambda: 7) == 7
    assert not gc.isenabled()


def test_with_other_threads_the_collector_is_left_alone() -> None:
    end = threading.Event()
    other = threading.Thread(target=end.wait)
    other.start()
    try:
        assert without_collection(gc.isenabled)
        assert collections_during_work() > 0
    finally:
        end.set()
        other.join()
