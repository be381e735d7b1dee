"""Random programs, original against decompiled, in every Python found; prints a table.

Example: python tools/fuzz.py --count 20000 --seed 1 --jobs 2 --versions 3.8,3.13
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from interpreters import ROOT, Interpreter, find_interpreters, missing_versions
from supervise import run_seeds

WORKER = ROOT / "tests" / "fuzz" / "differential.py"
COLUMNS = "{:<8}{:>9}{:>9}{:>10}{:>10}{:>12}{:>12}{:>9}{:>12}"
VERDICTS = ("exact", "equivalent", "unverified")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20000, help="programs a version (20000)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--jobs", type=int, default=1, help="workers at the same time (1)")
    parser.add_argument("--versions", help="e.g. 3.8,3.13; all that are found without it")
    parser.add_argument("--rung", default="auto", help="force a rung of the ladder: dispatch")
    parser.add_argument("--samples", type=Path, default=None, help="folder for shrunk failures")
    parser.add_argument("--identity", action="store_true", help="test the generator alone")
    parser.add_argument("--no-shrink", action="store_true", help="show failures as they are")
    parser.add_argument("--per-kind", type=int, default=2, help="failures of a kind to show (2)")
    parser.add_argument("--stop-after", type=int, default=1000, help="failures a worker stops at")
    parser.add_argument("--notes", action="store_true", help="count the notes on the results")
    return parser.parse_args()


class Result:
    """What one version's run came to."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.counts: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()
        self.notes: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.unverified: list[int] = []
        self.failures: list[dict[str, Any]] = []

    def add(self, event: dict[str, Any]) -> None:
        if "failure" in event:
            self.failures.append(event["failure"])
            return
        summary = event["summary"]
        self.counts.update(programs=summary["programs"], lines=summary["lines"])
        self.verdicts.update(summary["verdicts"])
        self.notes.update(summary["notes"])
        self.seconds.update(summary["seconds"])
        self.unverified += summary["unverified"]

    def kinds(self) -> Counter[str]:
        return Counter(failure["kind"] for failure in self.failures)


def fuzz(interpreter: Interpreter, options: argparse.Namespace) -> Result:
    result = Result(interpreter.version)
    started = time.monotonic()
    for event in run_seeds(
        interpreter, WORKER, worker_arguments(options), options.seed, options.count, options.jobs
    ):
        result.add(event)
        if "failure" in event and result.kinds()[event["failure"]["kind"]] <= options.per_kind:
            show_failure(interpreter.version, event["failure"])
        if "summary" in event:
            done, failed = result.counts["programs"], len(result.failures)
            print(f"{interpreter.version}: {done} programs, {failed} failures", file=sys.stderr)
    result.seconds["wall"] = time.monotonic() - started
    return result


def worker_arguments(options: argparse.Namespace) -> list[str]:
    arguments = ["--rung", options.rung, "--stop-after", str(options.stop_after)]
    arguments += ["--per-kind", str(options.per_kind)]
    if options.samples:
        arguments += ["--samples", str(options.samples.resolve())]
    arguments += ["--identity"] * options.identity
    return arguments + ["--no-shrink"] * options.no_shrink


def show_failure(version: str, failure: dict[str, Any]) -> None:
    print(f"\n=== {version}, seed {failure['seed']}: {failure['kind']}")
    print(failure["detail"])
    for title in ("source", "decompiled"):
        if failure.get(title):
            print(f"--- {title}\n{failure[title]}")
    sys.stdout.flush()


def print_table(results: list[Result], options: argparse.Namespace) -> None:
    print()
    print(COLUMNS.format(
        "Python", "programs", "lines", "failures", "exact", "equivalent", "unverified", "wall s",
        "decompile s"))  # fmt: skip
    for result in results:
        verdicts = [result.verdicts[name] for name in VERDICTS]
        print(COLUMNS.format(
            result.version, result.counts["programs"], result.counts["lines"],
            len(result.failures), *verdicts, round(result.seconds["wall"]),
            round(result.seconds["decompile"], 1)))  # fmt: skip
    for result in results:
        for kind, count in result.kinds().most_common(25):
            seeds = [one["seed"] for one in result.failures if one["kind"] == kind]
            print(f"{result.version}: {count:>5} x {kind}, seeds {seeds[:6]}")
        if result.unverified:
            print(f"{result.version}: unverified in seeds {result.unverified[:10]}")
        if options.notes:
            for note, count in result.notes.most_common(15):
                print(f"{result.version}: {count:>7} x {note}")


def main() -> int:
    options = parse_arguments()
    wanted = options.versions.split(",") if options.versions else None
    found = find_interpreters(wanted)
    for version in missing_versions(found, wanted):
        print(f"Python {version}: not found, skipped", file=sys.stderr)
    results = [fuzz(interpreter, options) for interpreter in found]
    print_table(results, options)
    return 1 if any(result.failures for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
