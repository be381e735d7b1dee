"""Counts how many semantic mutations of bytecode a checker objects to.

    python tools/checker_mutations.py [--checker exact] [--count 1000] [--seed 0] [--python 3.X ...]

Runs in every supported Python that is found and prints a table; exit code 1 where one was missed.
The equivalence checker may accept a mutation that changes nothing observable, such as a store to
a variable that nobody reads: what it accepts is run on recording objects, and counts as missed
when the records differ, otherwise as harmless.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import warnings
from collections import Counter
from types import CodeType
from typing import Dict, Iterator, List

from bytecode_mutations import MUTATORS, Subject, mutate
from interpreters import environment, find_interpreters, missing_versions
from recorded_runs import difference
from stdlib_sample import all_code, sample_sources

LARGEST_CODE = 800  # bytes; the oracle is slow on longer code
MUTATIONS_PER_CODE = 6
RECORDED_RUNS = 60


def subjects(chance: random.Random) -> Iterator[Subject]:
    """Code of the standard library in random order, endlessly."""
    sources = list(sample_sources())
    while True:
        name, source = chance.choice(sources)
        module = compile(source, name, "exec", dont_inherit=True)
        codes = [code for code in all_code(module) if len(code.co_code) <= LARGEST_CODE]
        for code in chance.sample(codes, min(20, len(codes))):
            yield Subject(code)


def run_here(count: int, seed: int, checker: str) -> Dict[str, Dict[str, object]]:
    """Tries mutations in this interpreter until there are enough."""
    chance = random.Random(seed)
    tried: Counter[str] = Counter()
    harmless: Counter[str] = Counter()
    objected = OBJECTED[checker]
    missed: Dict[str, List[str]] = {}
    for subject in subjects(chance):
        for name in chance.sample(sorted(MUTATORS), MUTATIONS_PER_CODE):
            pair = mutate(subject, chance, name)
            if pair is None:
                continue
            tried[name] += 1
            if objected(*pair):
                continue
            why = "" if checker == "exact" else difference(*pair, range(RECORDED_RUNS))
            if why is None:
                harmless[name] += 1
            else:
                missed.setdefault(name, []).append(f"{_told(*pair)} {why}")
        if sum(tried.values()) >= count:
            break
    return {
        name: {
            "tried": tried[name], "harmless": harmless[name], "missed": missed.get(name, [])
        }
        for name in MUTATORS
    }  # fmt: skip


def _exact_objects(original: CodeType, changed: CodeType) -> bool:
    from depyf.decompile.verify.exact import compare

    return not compare(original, changed).exact


def _equivalence_objects(original: CodeType, changed: CodeType) -> bool:
    from depyf.decompile.verify.equivalent import equivalent

    return equivalent(original, changed).reason is not None


OBJECTED = {"exact": _exact_objects, "equivalent": _equivalence_objects}


def _told(original: CodeType, changed: CodeType) -> str:
    places = [at for at, (x, y) in enumerate(zip(original.co_code, changed.co_code)) if x != y]
    return f"{original.co_filename}:{original.co_firstlineno} {original.co_name} bytes {places}"


def run_elsewhere(
    command: List[str], count: int, seed: int, checker: str = "exact"
) -> Dict[str, Dict[str, object]]:
    arguments = ["--here", "--count", str(count), "--seed", str(seed), "--checker", checker]
    answer = subprocess.run(
        [*command, __file__, *arguments], env=environment(), capture_output=True, text=True
    )
    if answer.returncode:
        raise SystemExit(answer.stderr)
    return json.loads(answer.stdout.splitlines()[-1])


def print_table(version: str, outcome: Dict[str, Dict[str, object]]) -> int:
    missed = sum(len(row["missed"]) for row in outcome.values())
    tried = sum(row["tried"] for row in outcome.values())
    harmless = sum(row["harmless"] for row in outcome.values())
    print(f"Python {version:25} tried objected harmless missed")
    for name, row in outcome.items():
        if row["tried"]:
            lost, kept = len(row["missed"]), row["harmless"]
            found = row["tried"] - lost - kept
            print(f"  {name:30} {row['tried']:5} {found:8} {kept:8} {lost:6}")
            for case in row["missed"][:3]:
                print(f"      {case}")
    found = tried - missed - harmless
    print(f"  {'all':30} {tried:5} {found:8} {harmless:8} {missed:6}")
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checker", choices=sorted(OBJECTED), default="exact")
    parser.add_argument("--count", type=int, default=1000, help="mutations per Python")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--python", nargs="*", metavar="3.X", help="only these versions")
    parser.add_argument("--here", action="store_true", help="this interpreter only, as JSON")
    options = parser.parse_args()
    if options.here:
        warnings.simplefilter("ignore")
        print(json.dumps(run_here(options.count, options.seed, options.checker)))
        return 0
    found = find_interpreters(options.python)
    for version in missing_versions(found, options.python):
        print(f"Python {version} was not found: skipped")
    missed = 0
    for python in found:
        outcome = run_elsewhere(python.command, options.count, options.seed, options.checker)
        missed += print_table(python.version, outcome)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
