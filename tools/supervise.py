"""Runs a worker over a range of seeds and survives whatever happens to it.

A worker prints `@<seed>` before each case and JSON objects for what it found. When it dies or
falls silent the case it was at is reported as a failure, and a new worker takes the rest.
"""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Iterator

from interpreters import Interpreter, environment

SILENCE_LIMIT = 90.0
CHUNK = 500
CHUNK_WHERE_STARTING_IS_SLOW = 4000

Event = dict  # one JSON object of a worker


def run_seeds(
    interpreter: Interpreter, worker: Path, arguments: list[str], start: int, count: int, jobs: int
) -> Iterator[Event]:
    """What the workers report, as it comes in; `jobs` of them run at the same time."""
    longest = CHUNK if len(interpreter.command) == 1 else CHUNK_WHERE_STARTING_IS_SLOW
    chunk = max(1, min(longest, -(-count // jobs)))
    chunks: queue.Queue[tuple[int, int]] = queue.Queue()
    for first in range(start, start + count, chunk):
        chunks.put((first, min(first + chunk, start + count)))
    events: queue.Queue[Event | None] = queue.Queue()
    for _ in range(jobs):
        task = (interpreter, worker, arguments, chunks, events)
        threading.Thread(target=_work_off, args=task, daemon=True).start()
    running = jobs
    while running:
        event = events.get()
        if event is None:
            running -= 1
        else:
            yield event


def _work_off(
    interpreter: Interpreter,
    worker: Path,
    arguments: list[str],
    chunks: queue.Queue[tuple[int, int]],
    events: queue.Queue[Any],
) -> None:
    try:
        while True:
            first, end = chunks.get_nowait()
            while first < end:
                command = [*interpreter.command, str(worker), *arguments]
                first = _one_worker(command, first, end, events)
    except queue.Empty:
        pass
    finally:
        events.put(None)


def _one_worker(command: list[str], first: int, end: int, events: queue.Queue[Any]) -> int:
    """Runs one worker to its end, natural or not; returns the seed to go on with."""
    command = [*command, "--start", str(first), "--count", str(end - first)]
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=environment(),
        )
        seed, finished, silent = _listen(process, first - 1, events)
        complaints.seek(0)
        detail = "".join(complaints.readlines()[-12:])
    if finished:
        return end
    seed = max(seed, first)
    kind = f"silent for {SILENCE_LIMIT:g} s" if silent else f"exit {process.returncode}"
    events.put({"failure": {"seed": seed, "kind": kind, "detail": detail}})
    return seed + 1


def _listen(
    process: subprocess.Popen[str], seed: int, events: queue.Queue[Any]
) -> tuple[int, bool, bool]:
    """The last seed begun, whether the worker came to its end, whether it had to be killed."""
    watchdog = Watchdog(process)
    finished = False
    assert process.stdout is not None
    for line in process.stdout:
        watchdog.heard()
        if line.startswith("@"):
            seed = int(line[1:])
            continue
        event = json.loads(line)
        finished = finished or "summary" in event
        events.put(event)
    process.wait()
    return seed, finished, watchdog.killed


class Watchdog:
    """Kills a process that says nothing for too long."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.killed = False
        self.last_heard = time.monotonic()
        threading.Thread(target=self._watch, daemon=True).start()

    def heard(self) -> None:
        self.last_heard = time.monotonic()

    def _watch(self) -> None:
        while self.process.poll() is None:
            time.sleep(0.5)
            if time.monotonic() - self.last_heard > SILENCE_LIMIT:
                self.killed = True
                self.process.kill()
                return
