"""Runs random programs against their decompiled selves, in the interpreter that runs this file.

For each seed: generate, compile, run; decompile, compile that, run; the two logs must be equal.
What came out is written to standard output, a line `@<seed>` before each program and a JSON object
for each failure and for the summary, so that a parent can tell where a crash happened.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
import traceback
import types
import warnings
from collections import Counter
from typing import Any, Callable

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "src"), os.path.join(ROOT, "tests")]

from fuzz.limits import OutOfTime, cpu_limit  # noqa: E402
from fuzz.programs import generate  # noqa: E402
from fuzz.running import run_program  # noqa: E402
from fuzz.runtime import Hang  # noqa: E402
from fuzz.shrink import shrink  # noqa: E402

DECOMPILE_SECONDS = 10.0
RUN_SECONDS = 5.0
SHRINK_SECONDS = 1.5  # for one attempt; a smaller program that needs more is not taken

# What a decompiler is to this file: code in, (source, [(verdict, notes)]) out.
Decompile = Callable[[types.CodeType, str], Any]


class Failure(Exception):
    """What went wrong with one program: a kind that shrinking must keep, and the details."""

    def __init__(self, kind: str, detail: str, decompiled: str = "") -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail
        self.decompiled = decompiled


class Tally:
    """Counts and times over all programs of one run."""

    def __init__(self) -> None:
        self.programs = 0
        self.lines = 0
        self.verdicts: Counter = Counter()
        self.notes: Counter = Counter()
        self.unverified: list = []
        self.seconds: Counter = Counter()

    def as_json(self) -> dict:
        return {
            "programs": self.programs,
            "lines": self.lines,
            "verdicts": dict(self.verdicts),
            "notes": dict(self.notes),
            "unverified": self.unverified[:20],
            "seconds": {stage: round(spent, 3) for stage, spent in self.seconds.items()},
        }


def pipeline(rung: str) -> Decompile:
    """The real decompiler; with a rung other than auto everything is forced through it."""
    from depyf.decompile.pipeline import decompile_module

    options = {} if rung == "auto" else {"rung": rung}

    def decompile(code: types.CodeType, _source: str) -> Any:
        result = decompile_module(code, **options)
        return result.source, [(str(part.verdict), part.notes) for part in result.parts]

    return decompile


def identity(_code: types.CodeType, source: str) -> Any:
    """Hands the original back: every difference is then a fault of the generator or the runner."""
    return source, [("identity", ())]


def check(source: str, seed: int, decompile: Decompile, tally: Tally) -> None:
    """Raises `Failure` when the decompiled program does anything else than the original."""
    code = compile(source, "<original>", "exec", dont_inherit=True)
    expected = _timed(tally, "run", lambda: run_program(code, seed))
    text, parts = _timed(tally, "decompile", lambda: _decompile(decompile, code, source))
    tally.verdicts.update(verdict for verdict, _ in parts)
    tally.notes.update(str(note) for _, notes in parts for note in notes or ())
    if any(verdict == "unverified" for verdict, _ in parts):
        tally.unverified.append(seed)
    again = _timed(tally, "compile", lambda: _compile(text))
    found = _timed(tally, "run", lambda: _run(again, seed, text))
    # A program that prints an address, say, differs from itself: while shrinking such appear.
    if found != expected and run_program(code, seed) == expected:
        raise Failure("difference", first_difference(expected, found), text)


def _timed(tally: Tally, stage: str, action: Callable[[], Any]) -> Any:
    started = time.perf_counter()
    try:
        return action()
    finally:
        tally.seconds[stage] += time.perf_counter() - started


def _decompile(decompile: Decompile, code: types.CodeType, source: str) -> Any:
    try:
        with cpu_limit(DECOMPILE_SECONDS):
            return decompile(code, source)
    except OutOfTime:
        raise Failure("slow", "decompiling took more than %g s" % DECOMPILE_SECONDS) from None
    except Exception as error:
        raise Failure(_kind(error), _innermost_frames(error)) from None


def _innermost_frames(error: BaseException) -> str:
    """The error and its cause, without the frames of this file."""
    text = ""
    for one in (error.__cause__, error):
        if one is not None:
            text += "".join(
                traceback.format_exception(type(one), one, one.__traceback__, limit=-3, chain=False)
            )
    return text


def _kind(error: Exception) -> str:
    """What stays the same while the program shrinks: no numbers, no names of functions."""
    if type(error).__name__ == "DecompilationError":
        reason = getattr(error, "why", "") or str(error)
        return "DecompilationError: " + re.sub(r"\d+", "N", reason)[:100]
    place = traceback.extract_tb(error.__traceback__)[-1]
    return "%s in %s" % (type(error).__name__, place.name)


def _compile(text: str) -> types.CodeType:
    try:
        return compile(text, "<decompiled>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise Failure("does not compile", repr(error), text) from None


def _run(code: types.CodeType, seed: int, text: str) -> Any:
    try:
        with cpu_limit(RUN_SECONDS):
            return run_program(code, seed)
    except (Hang, OutOfTime):
        raise Failure("hang", "the decompiled program does not end", text) from None


def first_difference(expected: Any, found: Any) -> str:
    """The first place at which two logs part, with the step before it."""
    for number, (left, right) in enumerate(zip(expected, found)):
        if left != right:
            for step, (one, other) in enumerate(zip(left, right)):
                if one != other:
                    before = left[step - 1] if step else None
                    return "part %d, step %d, after %r:\n  original:   %r\n  decompiled: %r" % (
                        number, step, before, one, other)  # fmt: skip
            return "part %d: one of them goes on: %r" % (number, (left + right)[-1])
    return "a different number of parts: %d, %d" % (len(expected), len(found))


def failure_of(source: str, seed: int, decompile: Decompile, tally: Tally) -> Failure | None:
    try:
        check(source, seed, decompile, tally)
    except Failure as failure:
        return failure
    return None


def shrunk(source: str, seed: int, kind: str, decompile: Decompile) -> str:
    def still_fails(candidate: str) -> bool:
        try:
            with cpu_limit(SHRINK_SECONDS):
                failure = failure_of(candidate, seed, decompile, Tally())
        except (Exception, Hang, OutOfTime):  # the smaller original is no program of ours
            return False
        return failure is not None and failure.kind == kind

    return shrink(source, still_fails)


def report_failure(
    options: Any, seed: int, source: str, failure: Failure, decompile: Decompile
) -> None:
    small = source if options.no_shrink else shrunk(source, seed, failure.kind, decompile)
    failure = failure_of(small, seed, decompile, Tally()) or failure
    if options.samples:
        _write_sample(options.samples, seed, small, failure)
    emit({"failure": {"seed": seed, "kind": failure.kind, "detail": failure.detail, "source": small,
                      "decompiled": failure.decompiled}})  # fmt: skip


def _write_sample(folder: str, seed: int, source: str, failure: Failure) -> None:
    os.makedirs(folder, exist_ok=True)
    name = "seed_%d_py%d%d.py" % ((seed,) + sys.version_info[:2])
    head = ["# seed %d on Python %d.%d" % ((seed,) + sys.version_info[:2])]
    for line in ("%s\n%s" % (failure.kind, failure.detail)).splitlines():
        head.append("# " + line.encode("ascii", "backslashreplace").decode())
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write("\n".join(head) + "\n" + source)


def emit(event: dict) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="how many seeds")
    parser.add_argument("--samples", help="folder for shrunk failing programs")
    parser.add_argument("--rung", default="auto", help="force a rung of the ladder, e.g. dispatch")
    parser.add_argument("--identity", action="store_true", help="check the generator, not depyf")
    parser.add_argument("--no-shrink", action="store_true", help="report failures as they are")
    parser.add_argument("--per-kind", type=int, default=2, help="failures of a kind to shrink")
    parser.add_argument("--stop-after", type=int, default=1000, help="failures that end the run")
    parser.add_argument("--file", help="check this program instead of generated ones")
    return parser.parse_args()


def main() -> None:
    options = parse_arguments()
    # Some programs provoke warnings of the compiler, and await less than they create.
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(max(3000, sys.getrecursionlimit()))
    decompile = identity if options.identity else pipeline(options.rung)
    tally = Tally()
    kinds: Counter = Counter()
    for seed in range(options.start, options.start + options.count):
        sys.stdout.write("@%d\n" % seed)
        sys.stdout.flush()
        source = _program(options, seed, tally)
        tally.programs += 1
        tally.lines += source.count("\n")
        failure = failure_of(source, seed, decompile, tally)
        if failure is None:
            continue
        kinds[failure.kind] += 1
        if kinds[failure.kind] <= options.per_kind:
            report_failure(options, seed, source, failure, decompile)
        else:
            emit({"failure": {"seed": seed, "kind": failure.kind, "detail": ""}})
        if sum(kinds.values()) >= options.stop_after:
            break
    emit({"summary": tally.as_json()})


def _program(options: Any, seed: int, tally: Tally) -> str:
    if options.file:
        with open(options.file, encoding="utf-8") as file:
            return file.read()
    return _timed(tally, "generate", lambda: generate(seed, sys.version_info))


if __name__ == "__main__":
    main()
