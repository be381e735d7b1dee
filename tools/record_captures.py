"""Record what torch tells while small programs compile, as `tests/captures/<program>.json`.

The recordings are the events from which a session is built, so that everything behind the capture
is tested without torch. Run it with a Python that has torch: `python tools/record_captures.py`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Callable

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from depyf.session.events import events_to_json  # noqa: E402
from depyf.torch_capture.capture import Capture  # noqa: E402


def toy_training() -> None:
    @torch.compile(backend="aot_eager")
    def toy_example(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        x = a / (torch.abs(a) + 1)
        if b.sum() < 0:
            b = b * -1
        return x * b

    for sign in (1, -1):
        a, b = torch.ones(10, requires_grad=True), torch.full((10,), float(sign))
        toy_example(a, b.requires_grad_()).sum().backward()


def recompilations() -> None:
    @torch.compile(backend="eager", dynamic=False)
    def grows(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    with torch._dynamo.config.patch(recompile_limit=3):
        for size in range(2, 7):
            grows(torch.ones(size))


def failures() -> None:
    def refuses(graph: object, inputs: object) -> object:
        raise RuntimeError("the backend refuses")

    @torch.compile(backend="eager")
    def breaks_inside_try(x: torch.Tensor) -> torch.Tensor:
        try:
            x = x + 1
            torch._dynamo.graph_break()
        finally:
            x = x * 2
        return x

    breaks_inside_try(torch.ones(2))
    for options in ({"backend": refuses}, {"backend": "eager", "fullgraph": True}):
        try:
            torch.compile(lambda x: x.sum().item() and x.tolist(), **options)(torch.ones(2))
        except Exception as error:
            print("as expected:", type(error).__name__)


PROGRAMS: list[Callable[[], None]] = [toy_training, recompilations, failures]


def record(program: Callable[[], None]) -> str:
    torch._dynamo.reset()
    with tempfile.TemporaryDirectory() as folder:
        capture = Capture(folder)
        capture.start()
        program()
        capture.stop()
        capture.write()
        text = events_to_json(capture.all_events())
    # The same on every machine.
    places = {folder: "/home/user/dump", str(ROOT): "/home/user"}
    places[str(Path(torch.__file__).parent.parent)] = "/site-packages"
    for place, name in places.items():
        text = text.replace(json.dumps(place)[1:-1], name)
    return text


def main() -> None:
    for program in PROGRAMS:
        path = ROOT / "tests" / "captures" / f"{program.__name__}.json"
        path.write_text(record(program), encoding="utf-8")
        print(path.relative_to(ROOT), path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
