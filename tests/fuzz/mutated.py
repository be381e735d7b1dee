"""Decompiles damaged code objects and .pyc files, in the interpreter that runs this file.

Each must give source or `DecompilationError` within two seconds of CPU time; nothing is executed.
Prints `@<seed>` before each case and JSON for failures and the summary, like `differential`.
"""

from __future__ import annotations

import argparse
import json
import marshal
import os
import random
import re
import sys
import textwrap
import time
import traceback
import types
import warnings
from collections import Counter
from importlib.util import MAGIC_NUMBER
from typing import Any, Callable, Sequence

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "src"), os.path.join(ROOT, "tests")]

from depyf.errors import DecompilationError  # noqa: E402
from fuzz.limits import OutOfTime, cpu_limit  # noqa: E402
from fuzz.mutations import (  # noqa: E402
    live_code,
    mutated_fields,
    mutated_pyc,
    random_edits,
    random_pyc_edits,
    record,
)
from fuzz.programs import generate  # noqa: E402

CPU_SECONDS = 2.0
MEMORY = 3 << 30
FORMS = ("live", "live", "record", "record", "pyc", "pyc")
LARGEST = 3000  # bytes of code: what is damaged is small, so that much can be tried


class Case:
    """One damaged thing: what it was made of, and the edits."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.seed = seed
        self.form = chance.choice(FORMS)
        self.program = chance.randrange(4000)
        module = compile(generate(self.program, sys.version_info), "<original>", "exec")
        if self.form == "pyc":
            self.base: Any = MAGIC_NUMBER + bytes(12) + marshal.dumps(module)
            self.edits = random_pyc_edits(chance, len(self.base))
        else:
            codes = [code for code in all_code(module) if len(code.co_code) <= LARGEST]
            self.base = chance.choice(codes or [module])
            self.edits = random_edits(chance, len(self.base.co_code) // 2)

    def damaged(self, edits: list) -> Any:
        """The thing to decompile; None where the interpreter itself refuses it."""
        if self.form == "pyc":
            return mutated_pyc(self.base, edits)
        fields = mutated_fields(self.base, edits)
        return (live_code if self.form == "live" else record)(self.base, fields)

    def describe(self, edits: list) -> str:
        name = "<module>" if self.form == "pyc" else self.base.co_name
        what = "%s of program %d (%s), edits %r" % (name, self.program, self.form, edits)
        damaged = self.damaged(edits)
        code = damaged if self.form == "pyc" else getattr(damaged, "co_code", None)
        code = damaged.bytecode if code is None else code
        return "%s\n%s: %s" % (what, "file" if self.form == "pyc" else "code", code.hex()[:2000])


def all_code(code: types.CodeType) -> list:
    found = [code]
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found += all_code(const)
    return found


# What is done with a damaged thing -------------------------------------------------------------


def decompile(damaged: Any) -> Any:
    from depyf.decompile.decode.pyc import read_pyc
    from depyf.decompile.pipeline import decompile_code, decompile_module

    if isinstance(damaged, bytes):
        return decompile_module(read_pyc(damaged, "damaged.pyc"))
    name = getattr(damaged, "co_name", None) or getattr(damaged, "name", "")
    return decompile_module(damaged) if name == "<module>" else decompile_code(damaged)


def only_decode(damaged: Any) -> Any:
    """For work on the first stage alone."""
    from depyf.decompile.decode.code import Code, code_from_live
    from depyf.decompile.decode.normalise import normalise
    from depyf.decompile.decode.pyc import read_pyc

    if isinstance(damaged, bytes):
        damaged = read_pyc(damaged, "damaged.pyc")
    pending = [damaged if isinstance(damaged, Code) else code_from_live(damaged)]
    while pending:
        code = pending.pop()
        normalise(code)
        pending += [const for const in code.consts if isinstance(const, Code)]
    return None


def outcome(damaged: Any, action: Callable[[Any], Any]) -> tuple:
    """(what came of it, details of a failure): only the first two kinds are allowed."""
    try:
        with cpu_limit(CPU_SECONDS):
            result = action(damaged)
    except DecompilationError as error:
        return ("DecompilationError", "") if str(error) else ("failure", "an error without a word")
    except OutOfTime as error:
        return "failure: over %g s" % CPU_SECONDS, _tail(error)
    except BaseException as error:
        return "failure: %s in %s" % (type(error).__name__, _place(error)), _tail(error)
    return _judge(result, getattr(damaged, "co_freevars", ()))


_NONLOCAL = re.compile(r"^ *nonlocal (.*)$", re.MULTILINE)


def _judge(result: Any, free: Sequence[str]) -> tuple:
    if result is None:
        return "source", ""
    text = result.source
    if free:  # what it declares nonlocal belongs to a function around it
        names = {name for names in _NONLOCAL.findall(text) for name in names.split(", ")}
        text = "def around(%s):\n%s" % (", ".join(names), textwrap.indent(text, " "))
    try:
        compile(text, "<decompiled>", "exec", dont_inherit=True)
    except Exception as error:
        # Allowed as long as nothing is promised about it.
        if str(result.verdict) in ("exact", "equivalent"):
            return "failure: called %s, does not compile" % result.verdict, repr(error)
        return "invalid source", ""
    return "source", ""


def _place(error: BaseException) -> str:
    return traceback.extract_tb(error.__traceback__)[-1].name


def _tail(error: BaseException) -> str:
    return "".join(traceback.format_exception(type(error), error, error.__traceback__, limit=-6))


def fewest_edits(case: Case, kind: str, action: Callable[[Any], Any]) -> list:
    """Leaves out edits as long as the same failure remains."""
    edits = list(case.edits)
    for edit in list(edits):
        fewer = [kept for kept in edits if kept is not edit]
        damaged = case.damaged(fewer) if fewer else None
        if damaged is not None and outcome(damaged, action)[0] == kind:
            edits = fewer
    return edits


def limit_memory() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError, OSError):
        return


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="how many seeds")
    parser.add_argument("--only-decode", action="store_true", help="stop after the first stage")
    parser.add_argument("--stop-after", type=int, default=200, help="failures that end the run")
    return parser.parse_args()


def main() -> None:
    options = parse_arguments()
    warnings.simplefilter("ignore")
    limit_memory()
    action = only_decode if options.only_decode else decompile
    outcomes: Counter = Counter()
    slowest, failures = (0.0, -1), 0
    for seed in range(options.start, options.start + options.count):
        sys.stdout.write("@%d\n" % seed)
        sys.stdout.flush()
        case = Case(seed)
        damaged = case.damaged(case.edits)
        if damaged is None:  # the interpreter does not make such a code object
            case.form = "record"
            damaged = case.damaged(case.edits)
        started = time.process_time()
        kind, detail = outcome(damaged, action)
        slowest = max(slowest, (round(time.process_time() - started, 3), seed))
        outcomes[kind.split(":")[0]] += 1
        if kind.startswith("failure"):
            failures += 1
            _report(case, kind, detail, action)
            if failures >= options.stop_after:
                break
    _emit({"summary": {"outcomes": dict(outcomes), "slowest": slowest}})


def _report(case: Case, kind: str, detail: str, action: Any) -> None:
    edits = fewest_edits(case, kind, action)
    detail = "%s\n%s" % (case.describe(edits), detail)
    _emit({"failure": {"seed": case.seed, "kind": kind, "detail": detail}})


def _emit(event: dict) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
