"""Ten times the instructions should take about ten times the time and the memory.

Every measurement has a process of its own, so that no size profits from an earlier one.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from types import CodeType
from typing import Iterator

from bars import Line

TIME_BAR = 12.0
MEMORY_BAR = 12.0
SIZES = (1_000, 10_000, 100_000)

# A shape: one repetition of the body, by its number; what stands before and behind them all is
# in FRAMES.
SHAPES = {
    "straight line": "    x = f(x, {0}) + y\n",
    "many ifs": "    if x == {0}:\n        y += x\n",
    "loops": "    for i in range({0}):\n        if i == x:\n            break\n        y += i\n",
    "try blocks": "    try:\n        y = f(x, {0})\n    except ValueError:\n        y = {0}\n",
    "finally": "    try:\n        y = f({0})\n    finally:\n        f(x)\n",
    "with": "    with f({0}) as z:\n        y = f(z)\n",
    "while": "    while x < {0}:\n        x = f(x)\n",
    "conditional expressions": "    y = f({0}) if x else y\n",
    "early returns": "    if x == {0}:\n        return f({0})\n",
    "list display": "f({0}), ",
    "dict display": "{0}: f({0}), ",
    "ifs in a try": "        if x == {0}:\n            y = f(x)\n",
}
FRAMES = {
    "list display": ("    y = [", "]\n"),
    "dict display": ("    y = {", "}\n"),
    "ifs in a try": ("    try:\n", "    except ValueError:\n        pass\n"),
}


def measure(quick: bool) -> Iterator[Line]:
    sizes = SIZES[:2] if quick else SIZES
    for shape in SHAPES:
        figures = [_in_a_process(shape, size) for size in sizes]
        for (size, seconds, memory), (less, before, memory_before) in zip(figures[1:], figures):
            remark = f"{seconds:.2f} s, {memory / 1024:.0f} MB for {size} instructions"
            # The sizes are only about ten times each other.
            tenfold = 10 * less / size
            yield Line(f"{shape}: time, tenfold", tenfold * seconds / before, TIME_BAR, remark)
            yield Line(f"{shape}: memory, tenfold", tenfold * memory / memory_before, MEMORY_BAR)


def _in_a_process(shape: str, size: int) -> tuple[int, float, int]:
    """Instructions, CPU seconds and kilobytes of one measurement."""
    command = [sys.executable, __file__, shape, str(size)]
    answer = subprocess.run(command, capture_output=True, text=True, env=_environment())
    if answer.returncode != 0:
        raise SystemExit(f"{shape}, {size}: {answer.stderr.strip().splitlines()[-1]}")
    count, seconds, memory = answer.stdout.split()
    return int(count), float(seconds), int(memory)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def _function(shape: str, size: int) -> tuple[CodeType, int]:
    """A function of about so many instructions."""
    few = _compiled(shape, 20)
    count = 20 * size // _instructions(few)
    code = _compiled(shape, count)
    return code, _instructions(code)


def _compiled(shape: str, count: int) -> CodeType:
    body = "".join(SHAPES[shape].format(number) for number in range(count))
    before, behind = FRAMES.get(shape, ("", ""))
    text = f"def big(f, x, y):\n{before}{body}{behind}    return y\n"
    module = compile(text, "big", "exec")
    return next(const for const in module.co_consts if isinstance(const, CodeType))


def _instructions(code: CodeType) -> int:
    from depyf.decompile.decode.code import code_from_live
    from depyf.decompile.decode.raw import read_instructions

    return len(read_instructions(code_from_live(code)))


def _measure_one(shape: str, size: int) -> None:
    import tracemalloc

    from depyf.decompile.pipeline import decompile_code

    code, count = _function(shape, size)
    decompile_code(_compiled(shape, 2))
    seconds = math.inf
    # Other programs disturb a short measurement more: it gets more chances.
    for _ in range(2 if count > 50_000 else 7):
        start = time.process_time()
        result = decompile_code(code)
        seconds = min(seconds, time.process_time() - start)
    assert result.verdict != "unverified", f"{shape} of {count} instructions is not proven"
    # Again, as watching the memory costs time.
    tracemalloc.start()
    decompile_code(code)
    print(count, seconds, tracemalloc.get_traced_memory()[1] // 1024)


if __name__ == "__main__":
    _measure_one(sys.argv[1], int(sys.argv[2]))
