"""Calls without guards, in units of the compiled bytecode called as a plain function.

The model of the optimisation tutorial: many submodules, hardly any work. All ways of calling it
are timed in turns, in CPU time, and the best thousand calls of each count. Needs torch.
"""

from __future__ import annotations

import threading
import time
from contextlib import nullcontext
from types import FunctionType
from typing import Any, Callable, ContextManager, Dict, Iterator, List, Tuple

from bars import Line

Way = Tuple[Callable[..., object], Tuple[object, ...]]

SIZES = (100, 1_000)
# As many as `check_every` below: whenever they start, exactly one of them checks.
CALLS = 1_000
ROUNDS = 30
TURN_SECONDS = 0.04
THREADS = 8
CALLS_PER_THREAD = 10_000
STANCE = "torch.compile with skip_guard_eval_unsafe"

# What is measured, in units of what, at most (or at least) how much.
BARS = (
    ("wrapper", "bytecode", 1.15, False),
    ("unguarded", "bytecode", 1.02, False),
    ("torch.compile", "wrapper", 3.2, True),
    ("check_every=1000", "unguarded", 1.10, False),
)
FOR_COMPARISON = ("the graph alone", STANCE)


def measure(quick: bool) -> Iterator[Line]:
    try:
        import torch
    except ImportError:
        print("skip  calls without guards: torch is not installed (pip install torch)")
        return
    print(f"torch {torch.__version__}")
    for size in SIZES[:1] if quick else SIZES:
        yield from _model_of(size, 10 if quick else ROUNDS)
    yield Line("wrong answers of eight threads", _wrong_answers_of_threads(), 0)


def _model_of(size: int, rounds: int) -> Iterator[Line]:
    ways = _ways_to_call(size)
    best = _in_turns(ways, rounds)
    for what, other, bar, at_least in BARS:
        yield Line(
            f"{size} submodules: {what} / {other}",
            best[what] / best[other],
            bar,
            f"{best[what]:.2f} against {best[other]:.2f} µs",
            at_least,
        )
    others = (f"{name} {best[name]:.2f} µs" for name in best if name in FOR_COMPARISON)
    print("      " + ", ".join(others))
    yield _guard_costs(size, ways["torch.compile"])


def _ways_to_call(size: int) -> Dict[str, Way]:
    import torch

    from depyf.optimization import unguarded

    model, x = _model(size), torch.tensor([2])
    model(x)
    plain, code = model.compiled_callable, model.compiled_codes[0]
    graph = next(name for name in code.co_names if name.startswith("__compiled_fn_"))
    ways = {
        # As torch made it: what the others are held against.
        "bytecode": (FunctionType(code, globals(), "forward"), (model, x)),
        "wrapper": (model, (x,)),
        "unguarded": (unguarded(plain, x), (x,)),
        "check_every=1000": (unguarded(plain, x, check_every=1000), (x,)),
        "torch.compile": (plain, (x,)),
        "the graph alone": (globals()[graph], (x,)),
    }
    if hasattr(torch._C._dynamo.eval_frame, "set_skip_guard_eval_unsafe"):
        ways[STANCE] = (plain, (x,))
    return ways


def _model(size: int) -> Any:
    import torch

    from depyf.optimization import TorchCompileWrapperWithCustomDispatcher

    class Add(torch.nn.Module):  # type: ignore[misc]
        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

        def forward(self, x: Any) -> Any:
            return x + self.number

    class Model(TorchCompileWrapperWithCustomDispatcher):
        def __init__(self) -> None:
            self.parts = torch.nn.ModuleList([Add(number) for number in range(size)])
            super().__init__(torch.compile(self.forward))

        def forward(self, x: Any) -> Any:
            for part in self.parts:
                x = part(x)
            return x

        def __call__(self, x: Any) -> Any:
            if len(self.compiled_codes) == 1:
                with self.dispatch_to_code(0):
                    return self.forward(x)
            return self.compiled_callable(x)

    return Model()


def _in_turns(ways: Dict[str, Way], rounds: int) -> Dict[str, float]:
    """Microseconds of one call, the best turn of each."""
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, (function, arguments) in ways.items():
            with _stance(name):
                best[name] = min(best[name], _turn(function, arguments) * 1e6)
    return best


def _stance(name: str) -> ContextManager[object]:
    if name != STANCE:
        return nullcontext()
    import torch

    stance: ContextManager[object] = torch.compiler.set_stance(skip_guard_eval_unsafe=True)
    return stance


def _turn(function: Callable[..., object], arguments: Tuple[object, ...]) -> float:
    """Seconds of one call in a program that makes no other calls.

    The first calls find in the processor's caches what the other ways have left there. They do not
    count: reading a guard tree of megabytes from memory takes ten times as long as evaluating it.
    """
    _seconds(function, arguments)
    best, end = float("inf"), time.process_time() + TURN_SECONDS
    while best == float("inf") or time.process_time() < end:
        best = min(best, _seconds(function, arguments))
    return best


def _seconds(function: Callable[..., object], arguments: Tuple[object, ...]) -> float:
    first, rest = arguments[0], arguments[1:]
    repetitions = range(CALLS)
    if rest:
        second = rest[0]
        start = time.process_time()
        for _ in repetitions:
            function(first, second)
    else:
        start = time.process_time()
        for _ in repetitions:
            function(first)
    return (time.process_time() - start) / CALLS


def _guard_costs(size: int, plain: Way) -> Line:
    from depyf.optimization import guard_costs

    function, arguments = plain
    costs = guard_costs(function, *arguments)
    whole = costs.call_seconds - costs.unguarded_seconds
    remark = f"{costs.seconds * 1e6:.2f} of {whole * 1e6:.2f} µs in {len(costs.rows)} rows"
    return Line(f"{size} submodules: unexplained", abs(1 - costs.seconds / whole), 0.2, remark)


def _wrong_answers_of_threads() -> int:
    import torch

    models = [_model(3), _model(5)]
    expected = [int(model(torch.tensor([2]))) for model in models]
    wrong: List[int] = []

    def work(number: int) -> None:
        x = torch.tensor([2])
        for _ in range(CALLS_PER_THREAD):
            if int(models[number](x)) != expected[number]:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(n % 2,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(wrong)
