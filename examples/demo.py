"""What `make demo` prints: a look inside torch.compile, or without torch, bytecode as source."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections import namedtuple
from dataclasses import dataclass
from pathlib import Path

import depyf

EXAMPLE = Path(__file__).with_name("toy_example.py")
WALKTHROUGH = EXAMPLE.parents[1] / "docs" / "walkthrough.md"
# A look at an argument, into the graph, past its first line, a look there, on to the end.
TO_TYPE = ("p x", "s", "n", "p L_x_", "c")
NO_TORCH_HERE = f"""\
# PyTorch is not installed for this Python, so this is the decompiler alone. To see what
# torch.compile does, install it, and run  make demo  again:
#   {sys.executable} -m pip install torch
"""
NO_TORCH_WANTED = """\
# This is the decompiler alone.  make demo  shows what torch.compile does; it installs PyTorch.
"""


@dataclass
class Parcel:
    weight: float
    fragile: bool = False


def classify(values, limit=10):
    seen = {}
    for value in values:
        if value is None or value < 0:
            continue
        if value in seen:
            break
        try:
            seen[value] = "small" if value < limit else "large"
        except TypeError as error:
            raise ValueError(f"cannot keep {value!r}") from error
    else:
        return seen, True
    return seen, False


def show(title: str, obj: object) -> None:
    print(f"# --- {title}")
    print(depyf.decompile(obj))


def show_decompiler() -> None:
    show("written by dataclasses, no source anywhere", Parcel.__init__)
    show("the comparison that goes with it", Parcel.__eq__)
    show("written by namedtuple", namedtuple("Point", "x y").__new__)
    show("loops, else, try, f-strings", classify)
    show("a lambda", lambda a, *rest, key=None: (a, *rest) if key is None else key(a))


def show_torch_compile() -> int:
    folder = Path(tempfile.mkdtemp(prefix="depyf_demo_")) / "dump"
    command = ["-m", "depyf", "run", "-o", str(folder), str(EXAMPLE)]
    print(f"$ depyf run -o {folder} {os.path.relpath(EXAMPLE)}\n", flush=True)
    status = subprocess.run([sys.executable, *command], check=False).returncode
    if status:
        return status
    frame = folder / "__transformed_code_0_for_toy_example.py"
    print(f"\n# --- What Dynamo made of toy_example: {frame.name}")
    print(frame.read_text(encoding="utf-8").partition("\n\n\n")[0])
    print(f"\n# --- Everything that was written: {folder}")
    for path in sorted(folder.iterdir()):
        print(f"#   {path.name}")
    print(f"\n# --- Next: stop in that very file, step into the graph (type {', '.join(TO_TYPE)})")
    print(f"$ {os.path.relpath(sys.executable)} -m depyf run --debug {os.path.relpath(EXAMPLE)}")
    print(f"\n# --- What it all means, in fifteen minutes: {os.path.relpath(WALKTHROUGH)}")
    return 0


def main() -> int:
    if "--without-torch" in sys.argv[1:]:
        print(NO_TORCH_WANTED)
    elif importlib.util.find_spec("torch") is not None:
        return show_torch_compile()
    else:
        print(NO_TORCH_HERE)
    show_decompiler()
    return 0


if __name__ == "__main__":
    sys.exit(main())
