"""Reading a frame sets off no garbage collection, and leaves the collector as it was."""

from __future__ import annotations

import gc
import threading
from functools import partial
from typing import Callable, Iterator, List

import pytest

from depyf.garbage import without_collection


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    was_on, thresholds = gc.isenabled(), gc.get_threshold()
    gc.enable()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*thresholds)
    if not was_on:
        gc.disable()


def collections_during(work: Callable[[], object]) -> int:
    seen: List[str] = []

    def note(phase: str, _info: object) -> None:
        seen.append(phase)

    gc.callbacks.append(note)
    try:
        work()
    finally:
        gc.callbacks.remove(note)
    return seen.count("start")


def make_many_objects() -> object:
    """Enough for several collections."""
    return [[number] for number in range(50_000)]


def test_no_collection_while_we_work() -> None:
    assert collections_during(make_many_objects) > 0

    def work() -> None:
        assert collections_during(make_many_objects) == 0

    without_collection(work)
    assert gc.get_threshold() == (700, 10, 10)


def test_none_either_while_other_threads_run() -> None:
    end = threading.Event()
    other = threading.Thread(target=end.wait)
    other.start()
    try:
        assert without_collection(lambda: collections_during(make_many_objects)) == 0
    finally:
        end.set()
        other.join()
    assert gc.get_threshold() == (700, 10, 10)


def test_the_collector_is_as_it_was_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        without_collection(lambda: 1 // 0)
    assert gc.isenabled() and gc.get_threshold() == (700, 10, 10)


def test_one_work_inside_another() -> None:
    work = partial(without_collection, make_many_objects)
    assert without_collection(lambda: collections_during(work)) == 0
    assert gc.get_threshold() == (700, 10, 10)


def test_a_collector_that_the_program_switched_off_stays_off() -> None:
    gc.disable()
    assert without_collection(lambda: 7) == 7
    assert not gc.isenabled()


def test_a_threshold_of_nothing_stays() -> None:
    gc.set_threshold(0)
    assert without_collection(gc.get_threshold)[0] == 0
    assert gc.get_threshold()[0] == 0


def test_what_another_thread_sets_meanwhile_stays() -> None:
    without_collection(lambda: gc.set_threshold(1234, 5, 6))
    assert gc.get_threshold() == (1234, 5, 6)
