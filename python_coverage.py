"""Prints what the decompiler supports, per Python version: the same as `depyf opcodes`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

from depyf.cli import main

if __name__ == "__main__":
    sys.exit(main(["opcodes"]))
