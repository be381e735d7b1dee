"""Does what `depyf opcodes` does, with the same options: what is supported, per Python version."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

from depyf.cli import main

if __name__ == "__main__":
    sys.exit(main(["opcodes", *sys.argv[1:]]))
