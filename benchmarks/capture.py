"""What `prepare_debug` costs: CPU time of first calls with and without it, and of calls behind it.

Each measurement is a process of its own, since a second compilation in one process is another
thing than the first. Runs with and without capture alternate; the median of the ratios counts.
A first call is entering the block and the call; leaving it, when the folder is written, is told
beside it.
"""

from __future__ import annotations

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
from typing import Iterator, NamedTuple, Tuple

from bars import Line

PAIRS = 9
PROGRAM = """
import contextlib, sys, time, torch, depyf
torch.manual_seed(0)

def readme(backend):
    @torch.compile(backend=backend)
    def example(a, b):
        c = a.sin() + b
        if c.sum() < 0:
            c = c * -1
        return c * a
    return example, (torch.randn(10), torch.randn(10))

def layers(backend):
    blocks = [torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()) for _ in range(100)]
    model = torch.nn.Sequential(*blocks)
    return torch.compile(model, backend=backend), (torch.randn(2, 8),)

what, backend, folder, captured = sys.argv[1:]
function, arguments = {"readme": readme, "layers": layers}[what](backend)
block = depyf.prepare_debug(folder) if captured == "yes" else contextlib.nullcontext()
start = time.process_time()
with block:
    with torch.no_grad():
        function(*arguments)
    called = time.process_time()
first, leaving = called - start, time.process_time() - called
with torch.no_grad():
    later = []
    for _ in range(20):
        start = time.process_time()
        for _ in range(50):
            function(*arguments)
        later.append(time.process_time() - start)
print(first, leaving, min(later))
"""


class Seconds(NamedTuple):
    first: float
    leaving: float
    later: float


def measure(quick: bool) -> Iterator[Line]:
    if importlib.util.find_spec("torch") is None:
        print("      capture: torch is not installed, nothing to measure")
        return
    for what in ("readme", "layers"):
        for backend in ("eager", "inductor"):
            pairs = list(_pairs(what, backend, 3 if quick else PAIRS))
            first = statistics.median(with_it.first / without.first for without, with_it in pairs)
            later = statistics.median(with_it.later / without.later for without, with_it in pairs)
            leaving = statistics.median(with_it.leaving for _, with_it in pairs)
            remark = f"leaving the block: {leaving:.2f} s"
            yield Line(f"first call in prepare_debug, {what}, {backend}", first, 1.10, remark)
            yield Line(f"calls behind prepare_debug, {what}, {backend}", later, 1.05)


def _pairs(what: str, backend: str, count: int) -> Iterator[Tuple[Seconds, Seconds]]:
    for number in range(count):
        # Minutes go by with inductor: say that something happens.
        print(f"      capture, {what}, {backend}: pair {number + 1} of {count}", file=sys.stderr)
        yield _seconds(what, backend, "no"), _seconds(what, backend, "yes")


def _seconds(what: str, backend: str, captured: str) -> Seconds:
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "TORCHINDUCTOR_CACHE_DIR": os.path.join(folder, "cache"),
        }
        dump = os.path.join(folder, "dump")
        command = [sys.executable, "-c", PROGRAM, what, backend, dump, captured]
        answer = subprocess.run(
            command, capture_output=True, text=True, env=environment, check=True
        )
    return Seconds(*map(float, answer.stdout.split()[-3:]))
