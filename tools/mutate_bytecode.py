"""Damaged code objects and .pyc files through the decompiler, in every Python found.

Each must end in source or a DecompilationError within two seconds of CPU time; nothing damaged is
ever executed. Prints a table of outcomes and, for each failure, its seed and the fewest edits.

Example: python tools/mutate_bytecode.py --count 20000 --jobs 2 --versions 3.8,3.13
To look at one failure again: --versions 3.8 --seed 167 --count 1
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from typing import Any

from interpreters import ROOT, Interpreter, find_interpreters, missing_versions
from supervise import run_seeds

WORKER = ROOT / "tests" / "fuzz" / "mutated.py"
COLUMNS = "{:<8}{:>8}{:>9}{:>15}{:>20}{:>10}{:>14}{:>9}"
OUTCOMES = ("source", "invalid source", "DecompilationError")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20000, help="cases a version (20000)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--jobs", type=int, default=1, help="workers at the same time (1)")
    parser.add_argument("--versions", help="e.g. 3.8,3.13; all that are found without it")
    parser.add_argument("--only-decode", action="store_true", help="stop after the first stage")
    parser.add_argument("--per-kind", type=int, default=2, help="failures of a kind to show (2)")
    parser.add_argument("--stop-after", type=int, default=200, help="failures a worker stops at")
    return parser.parse_args()


class Result:
    """What one version's run came to."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.outcomes: Counter[str] = Counter()
        self.failures: list[dict[str, Any]] = []
        self.slowest = [0.0, -1]
        self.wall = 0.0

    def add(self, event: dict[str, Any]) -> None:
        if "failure" in event:
            self.failures.append(event["failure"])
            return
        self.outcomes.update(event["summary"]["outcomes"])
        self.slowest = max(self.slowest, event["summary"]["slowest"])

    def kinds(self) -> Counter[str]:
        return Counter(failure["kind"] for failure in self.failures)


def mutate(interpreter: Interpreter, options: argparse.Namespace) -> Result:
    result = Result(interpreter.version)
    started = time.monotonic()
    arguments = ["--stop-after", str(options.stop_after)]
    arguments += ["--only-decode"] * options.only_decode
    for event in run_seeds(
        interpreter, WORKER, arguments, options.seed, options.count, options.jobs
    ):
        result.add(event)
        if "summary" in event:
            done, failed = sum(result.outcomes.values()), len(result.failures)
            print(f"{interpreter.version}: {done} cases, {failed} failures", file=sys.stderr)
        elif result.kinds()[event["failure"]["kind"]] <= options.per_kind:
            failure = event["failure"]
            print(f"\n=== {interpreter.version}, seed {failure['seed']}: {failure['kind']}")
            print(failure["detail"], flush=True)
    result.wall = time.monotonic() - started
    return result


def print_table(results: list[Result]) -> None:
    print()
    titles = ("Python", "cases", *OUTCOMES, "failures", "slowest s", "wall s")
    print(COLUMNS.format(*titles))
    for result in results:
        counts = [result.outcomes[name] for name in OUTCOMES]
        cases = sum(result.outcomes.values())
        slowest, wall = f"{result.slowest[0]:.2f}", round(result.wall)
        row = (result.version, cases, *counts, len(result.failures), slowest, wall)
        print(COLUMNS.format(*row))
    for result in results:
        for kind, count in result.kinds().most_common(25):
            seeds = [one["seed"] for one in result.failures if one["kind"] == kind]
            print(f"{result.version}: {count:>5} x {kind}, seeds {seeds[:6]}")


def main() -> int:
    options = parse_arguments()
    wanted = options.versions.split(",") if options.versions else None
    found = find_interpreters(wanted)
    for version in missing_versions(found, wanted):
        print(f"Python {version}: not found, skipped", file=sys.stderr)
    results = [mutate(interpreter, options) for interpreter in found]
    print_table(results)
    return 1 if any(result.failures for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
