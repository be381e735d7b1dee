"""What `prepare_debug` costs: CPU time of first calls with and without it, and of calls behind it.

Runs with and without capture alternate; the median of the ratios counts. A first call is entering
the block and the call; leaving it, when the folder is written, is told beside it. What is measured
is done by `capture_program.py`, in a process for each run.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Iterator, List, NamedTuple, Tuple

from bars import Line

PROGRAM = Path(__file__).with_name("capture_program.py")
# Small programs are soon measured often; of a slow one, whose time varies less, few pairs must do.
MOST_PAIRS, LEAST_PAIRS, LONGEST = 60, 5, 60.0
MOST_PAIRS_QUICK, LONGEST_QUICK = 5, 15.0


class Seconds(NamedTuple):
    first: float
    leaving: float
    later: float


Pairs = List[Tuple[Seconds, Seconds]]


def measure(quick: bool) -> Iterator[Line]:
    if importlib.util.find_spec("torch") is None:
        print("      capture: torch is not installed, nothing to measure")
        return
    if not hasattr(os, "fork"):
        print("      capture: every run is a fork, which this system does not have")
        return
    for what in ("readme", "layers"):
        for backend in ("eager", "inductor"):
            yield from _lines(what, backend, list(_pairs(what, backend, quick)))


def _lines(what: str, backend: str, pairs: Pairs) -> Iterator[Line]:
    first = sorted(with_it.first / without.first for without, with_it in pairs)
    later = statistics.median(with_it.later / without.later for without, with_it in pairs)
    leaving = statistics.median(with_it.leaving for _, with_it in pairs)
    quarter = len(first) // 4
    remark = (
        f"{len(first)} pairs, half of them from {first[quarter]:.2f} to {first[-1 - quarter]:.2f}; "
        f"leaving the block: {leaving:.2f} s"
    )
    median = statistics.median(first)
    yield Line(f"first call in prepare_debug, {what}, {backend}", median, 1.10, remark)
    yield Line(f"calls behind prepare_debug, {what}, {backend}", later, 1.05)


def _pairs(what: str, backend: str, quick: bool) -> Iterator[Tuple[Seconds, Seconds]]:
    most, longest = (MOST_PAIRS_QUICK, LONGEST_QUICK) if quick else (MOST_PAIRS, LONGEST)
    with tempfile.TemporaryDirectory() as folder, _started(what, backend, folder) as program:
        assert program.stdin is not None
        _show(f"capture, {what}, {backend}: importing torch, compiling once")
        _ask(program, "plain")
        begin = time.monotonic()
        for number in range(most):
            spent = time.monotonic() - begin
            if number >= LEAST_PAIRS and spent > longest:
                break
            _show(f"capture, {what}, {backend}: pair {number + 1} of at most {most}, {spent:.0f} s")
            # Neither is always the first to come.
            one, other = [_ask(program, captured) for captured in _order(number)]
            yield (one, other) if number % 2 else (other, one)
        _show("")
        program.stdin.close()


def _order(number: int) -> Tuple[str, str]:
    return ("plain", "captured") if number % 2 else ("captured", "plain")


def _show(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K      {text}" if text else "\r\033[K", end="", file=sys.stderr, flush=True)
    elif text:
        print(f"      {text}", file=sys.stderr, flush=True)


def _started(what: str, backend: str, folder: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(PROGRAM), what, backend, folder]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)


def _ask(program: subprocess.Popen[str], captured: str) -> Seconds:
    assert program.stdin is not None and program.stdout is not None
    program.stdin.write(captured + "\n")
    program.stdin.flush()
    answer = program.stdout.readline().split()
    if len(answer) != 3:
        raise RuntimeError(f"the {captured} run of {program.args!r} failed")
    return Seconds(*map(float, answer))
