"""One first call of a compiled function for each line on stdin: `plain` or `captured`.

Torch and depyf are imported once; each run is a fork, so that it compiles for the first time in
its life. All caches of torch are empty, but for what the C++ compiler made: that is time of
another process. Answers with the seconds of CPU time of the first call, of leaving the block, and
of the fastest of many later calls.
"""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import sys
import time
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, Tuple

import torch
import torch._dynamo

from depyf import prepare_debug

ROUNDS, CALLS = 40, 10
# Below Inductor's folder: graphs that were compiled before.
CACHES_OF_GRAPHS = ("fxgraph", "aotautograd")

Compiled = Tuple[Callable[..., Any], Tuple[torch.Tensor, ...]]


def readme(backend: str) -> Compiled:
    @torch.compile(backend=backend)
    def example(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        c = a.sin() + b
        if c.sum() < 0:
            c = c * -1
        return c * a

    return example, (torch.randn(10), torch.randn(10))


def layers(backend: str) -> Compiled:
    blocks = [torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()) for _ in range(100)]
    model = torch.nn.Sequential(*blocks)
    return torch.compile(model, backend=backend), (torch.randn(2, 8),)


PROGRAMS: Dict[str, Callable[[str], Compiled]] = {"readme": readme, "layers": layers}


def run(what: str, backend: str, dump: Path, captured: bool) -> None:
    torch.manual_seed(0)
    function, arguments = PROGRAMS[what](backend)
    block: Any = prepare_debug(dump) if captured else contextlib.nullcontext()
    # When the garbage is collected next must not depend on what happened before.
    gc.collect()
    start = time.process_time()
    with block:
        with torch.no_grad():
            function(*arguments)
        called = time.process_time()
    left = time.process_time()
    print(called - start, left - called, fastest(function, arguments), flush=True)


def in_child(what: str, backend: str, dump: Path, captured: bool) -> None:
    """Nothing of the process that was forked is cleaned up here."""
    try:
        run(what, backend, dump, captured)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def fastest(function: Callable[..., Any], arguments: Tuple[torch.Tensor, ...]) -> float:
    seconds = []
    with torch.no_grad():
        for _ in range(ROUNDS):
            start = time.process_time()
            for _ in range(CALLS):
                function(*arguments)
            seconds.append(time.process_time() - start)
    return min(seconds)


def main() -> None:
    what, backend, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder / "cache")
    gc.collect()
    for number, line in enumerate(sys.stdin):
        for cache in CACHES_OF_GRAPHS:
            shutil.rmtree(folder / "cache" / cache, ignore_errors=True)
        child = os.fork()
        if child == 0:
            in_child(what, backend, folder / f"dump_{number}", line.strip() == "captured")
        if os.waitpid(child, 0)[1] != 0:
            print("failed", flush=True)


if __name__ == "__main__":
    main()
