"""Time and memory of depyf, as ratios measured in one run: `make bench`.

Ratios to `compile()` on the same source do not depend on the machine much; each line names the
bar it is held against, and the command fails when one is missed.
"""

from __future__ import annotations

import argparse
import sys

import capture
import depth
import dispatch
import import_cost
import scaling
import stdlib_ratio

PARTS = {
    "stdlib": stdlib_ratio,
    "depth": depth,
    "scaling": scaling,
    "import": import_cost,
    "dispatch": dispatch,
    "capture": capture,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="which (all)")
    parser.add_argument("--quick", action="store_true", help="fewer functions, smaller sizes")
    options = parser.parse_args()
    print("Python %d.%d" % sys.version_info[:2])
    missed = 0
    for name in options.parts or PARTS:
        for line in PARTS[name].measure(options.quick):
            missed += not line.fits
            print(line, flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
