"""Decompiles and proves the standard library of every Python found: `make corpus`.

Or all modules below a folder, such as installed packages: nothing is known of these, so whatever
is not proven is told.

Each interpreter works on its own modules, in `corpus_worker.py`; here the work is shared out,
watched, added up and compared with the ratchet, the list of what is known not to be exact. A
whole run also writes the figures that the README shows.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
import time
from pathlib import Path

from corpus_figures import keep_figures
from corpus_ratchet import Ratchet
from corpus_run import list_modules, run_modules
from corpus_totals import HEADER, Totals
from interpreters import ROOT, Interpreter, find_interpreters, missing_versions

RATCHET = ROOT / "tests" / "corpus" / "ratchet.json"
# The variable that tells the workers.
FOLDER = "DEPYF_CORPUS_FOLDER"


def main() -> int:
    options = parse_arguments()
    wanted = options.versions.split(",") if options.versions else None
    found = find_interpreters(wanted)
    for version in missing_versions(found, wanted):
        print(f"Python {version} is not installed: left out.", file=sys.stderr)
    print(HEADER, flush=True)
    ratchet = Ratchet.read(RATCHET)
    if options.folder:
        os.environ[FOLDER] = str(options.folder.resolve())
        ratchet = Ratchet({}, expected="equivalent")
    failures: list[str] = []
    runs: list[Totals] = []
    worse = fixed = 0
    for interpreter in found:
        totals = measure(interpreter, options)
        runs.append(totals)
        print(totals.row(), flush=True)
        failures += totals.failure_lines()
        new, gone = ratchet.compare(totals)
        worse += report_new(totals, new, options.init)
        fixed += len(gone)
        if options.accept or options.init:
            ratchet.update(totals, grow=options.init)
    if options.accept or options.init:
        ratchet.write(RATCHET)
    elif fixed:
        print(f"{fixed} entries of the ratchet are fixed: --accept removes them.")
    if not (options.folder or options.modules or options.limit):
        keep_figures(runs)
    write_failures(failures, options)
    return 1 if worse else 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--versions", help="only these, such as 3.11,3.12")
    parser.add_argument("--folder", type=Path, help="all modules below it, not the library's")
    parser.add_argument("--modules", help="only modules that match, such as 'json/*' or ast.py")
    parser.add_argument("--limit", type=int, help="only so many modules, spread over all")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--failures", type=Path, help="write what is not exact, and why, there")
    parser.add_argument("--show", action="store_true", help="print what is not exact, and why")
    parser.add_argument("--accept", action="store_true", help="take what is fixed off the ratchet")
    parser.add_argument("--init", action="store_true", help="write the ratchet anew, even longer")
    options = parser.parse_args()
    if options.folder and not options.folder.is_dir():
        parser.error(f"there is no folder {options.folder}")
    if options.folder and (options.accept or options.init):
        parser.error("the ratchet is about the standard library, not about a folder")
    return options


def measure(interpreter: Interpreter, options: argparse.Namespace) -> Totals:
    modules = list_modules(interpreter)
    if options.modules:
        modules = [name for name in modules if matches(name, options.modules)]
    if options.limit and options.limit < len(modules):
        step = len(modules) / options.limit
        modules = [modules[int(index * step)] for index in range(options.limit)]
    totals = Totals(interpreter.version)
    start = time.monotonic()
    for report in run_modules(interpreter, modules, options.jobs):
        totals.add(report)
        show_progress(totals, len(modules), report["module"])
    totals.wall_seconds = time.monotonic() - start
    show_progress(totals, 0, "")
    return totals


def matches(module: str, patterns: str) -> bool:
    return any(fnmatch.fnmatch(module, pattern) for pattern in patterns.split(","))


def show_progress(totals: Totals, count: int, module: str) -> None:
    if sys.stderr.isatty():
        line = f"{totals.version}: {totals.seen} of {count}  {module}"[:78] if count else ""
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


def report_new(totals: Totals, new: dict[str, str], init: bool) -> int:
    """Print what the ratchet does not allow; how many there are."""
    if init:
        return 0
    for key, verdict in sorted(new.items())[:20]:
        print(f"  not known so far: {totals.version} {key} is {verdict}")
    if len(new) > 20:
        print(f"  ... and {len(new) - 20} more (--failures FILE lists them)")
    return len(new)


def write_failures(failures: list[str], options: argparse.Namespace) -> None:
    if options.show:
        print("\n".join(failures))
    if options.failures:
        options.failures.write_text("".join(line + "\n" for line in failures), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
