"""Runs the corpus worker in an interpreter and survives whatever happens to it.

A worker that dies or falls silent costs the module it was at, nothing else: the rest goes to a
new worker.
"""

from __future__ import annotations

import json
import queue
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Iterator

from interpreters import Interpreter, environment

WORKER = Path(__file__).with_name("corpus_worker.py")
# Wall clock, for interpreters that cannot limit themselves.
SILENCE_LIMIT = 300.0
CHUNK = 20

Report = dict  # of what the worker says about one module


def list_modules(interpreter: Interpreter) -> list[str]:
    answer = subprocess.run(
        [*interpreter.command, str(WORKER), "--list"],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    found: list[str] = json.loads(answer.stdout)
    return found


def run_modules(interpreter: Interpreter, modules: list[str], jobs: int) -> Iterator[Report]:
    """The report on each module, as they come in. What does not compile at all is left out."""
    # Starting the WebAssembly build takes seconds: it gets all its work at once.
    size = -(-len(modules) // jobs) if interpreter.command[0] == "node" else CHUNK
    waiting: queue.Queue[list[str]] = queue.Queue()
    for start in range(0, len(modules), max(size, 1)):
        waiting.put(modules[start : start + size])
    done: queue.Queue[Report | None] = queue.Queue()
    threads = [
        threading.Thread(target=_serve, args=(interpreter, waiting, done), daemon=True)
        for _ in range(jobs)
    ]
    for thread in threads:
        thread.start()
    finished = 0
    while finished < len(threads):
        report = done.get()
        if report is None:
            finished += 1
        else:
            yield report


def _serve(
    interpreter: Interpreter,
    waiting: queue.Queue[list[str]],
    done: queue.Queue[Report | None],
) -> None:
    try:
        while True:
            modules = waiting.get_nowait()
            while modules:
                modules = _run_worker(interpreter, modules, done)
    except queue.Empty:
        pass
    finally:
        done.put(None)


def _run_worker(
    interpreter: Interpreter, modules: list[str], done: queue.Queue[Report | None]
) -> list[str]:
    """Run one worker over the modules; those that are left when it ends before its time."""
    left = list(modules)
    with tempfile.TemporaryDirectory() as folder:
        task = Path(folder) / "modules.txt"
        task.write_text("\n".join(modules), encoding="utf-8")
        messages = _Worker([*interpreter.command, str(WORKER), str(task)])
        for message in messages:
            if "begin" in message:
                continue
            left.remove(message["module"])
            if message["done"] is not None:
                done.put(message["done"])
    if left:
        done.put(_broken(left.pop(0), messages.last_words()))
    return left


def _broken(module: str, why: str) -> Report:
    return {"module": module, "compiles": False, "parts": [], "error": why, "seconds": 0.0}


class _Worker:
    """The messages of a worker process, which is ended when it says nothing for too long."""

    def __init__(self, command: list[str]) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.errors, text=True, env=environment()
        )
        self.silent = False

    def __iter__(self) -> Iterator[dict[str, Any]]:
        assert self.process.stdout is not None
        while True:
            watchdog = threading.Timer(SILENCE_LIMIT, self._give_up)
            watchdog.start()
            try:
                line = self.process.stdout.readline()
            finally:
                watchdog.cancel()
            if not line:
                break
            try:
                yield json.loads(line)
            except ValueError:
                break
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def _give_up(self) -> None:
        self.silent = True
        self.process.kill()

    def last_words(self) -> str:
        if self.silent:
            return f"no answer for {SILENCE_LIMIT:g} s"
        self.errors.seek(0)
        words = self.errors.read().decode("utf-8", "replace").strip().split("\n")[-1]
        return f"the interpreter ended with {self.process.returncode}: {words}"
