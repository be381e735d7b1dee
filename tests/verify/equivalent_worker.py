"""Runs the checks of the equivalence checker inside one interpreter, without pytest.

Prints one JSON object: for each check the list of its failures.
"""

from __future__ import annotations

import dis
import json
import sys
import warnings
from pathlib import Path
from textwrap import indent
from types import CodeType

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).parents[2] / "tools")]

import equivalent_pairs  # noqa: E402
import source_pairs  # noqa: E402
from recorded_runs import difference  # noqa: E402
from stdlib_sample import all_code, sample_sources  # noqa: E402

from depyf.decompile.verify import opcode_kinds as kinds  # noqa: E402
from depyf.decompile.verify.equivalent import equivalent  # noqa: E402
from depyf.decompile.verify.machine import RULES  # noqa: E402
from depyf.decompile.verify.proof import UNVERIFIED, prove  # noqa: E402

# Pairs that the exact checker tells apart although nothing can be observed: other names of
# variables, and stores that nobody reads.
HARMLESS = frozenset({
    "chain", "comprehension order", "handler's name", "loop variable", "store", "unpacking order",
    "walrus", "with target",
})  # fmt: skip
RUNS = range(40)
EVERY_NTH_MODULE = 9


def function(body: str) -> CodeType:
    source = "def f(a, b, c, d):\n" + indent(body, " ")
    module = compile(source, "<pair>", "exec", dont_inherit=True)
    return next(c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == "f")


def pairs_of(entries: list) -> list:
    return [(name, function(one), function(other)) for name, one, other, *since in entries
            if not since or sys.version_info[:2] >= since[0]]  # fmt: skip


def objections(one: CodeType, other: CodeType) -> list:
    return [part.reason for part in prove(one, other) if part.verdict == UNVERIFIED]


def proven() -> list:
    """Both ways round, and no recorded run tells the two apart.

    Only the candidate may have variables of its own to delete.
    """
    failures = []
    for name, one, other in pairs_of(equivalent_pairs.PROVEN):
        failures += [f"{name}: {reason}" for reason in objections(one, other)]
        if "deleted" not in name:
            failures += [f"{name}, turned round: {reason}" for reason in objections(other, one)]
        told = difference(one, other, RUNS)
        failures += [f"{name}: they differ: {told}"] if told else []
    return failures


def refused() -> list:
    failures = []
    for name, one, other in pairs_of(equivalent_pairs.REFUSED):
        if equivalent(one, one).reason:
            failures.append(f"{name}: not even itself")
        for left, right in ((one, other), (other, one)):
            if not objections(left, right):
                failures.append(f"{name}: passed as equivalent")
    return failures


def exact_pairs() -> list:
    """What is exact is equivalent too, by the walk on symbols alone."""
    same = pairs_of(source_pairs.SAME)
    failures = [f"{name}: {reason}" for name, one, other in same
                for reason in [equivalent(one, other).reason] if reason]  # fmt: skip
    for name, one, other in pairs_of(source_pairs.DIFFERENT):
        if name not in HARMLESS and not objections(one, other):
            failures.append(f"{name}: passed as equivalent")
    return failures


def stdlib() -> list:
    """Code of the standard library is equivalent to itself: there is a rule for everything."""
    failures = []
    for name, source in list(sample_sources())[::EVERY_NTH_MODULE]:
        module = compile(source, name, "exec", dont_inherit=True)
        for code in all_code(module):
            reason = equivalent(code, code).reason
            if reason:
                failures.append(f"{name}.{code.co_name}: {reason}")
    return failures


# Never in a code object that can be run: caches, what the interpreter puts in by itself, and the
# start of a closure, which is read as a whole.
NOT_IN_CODE = frozenset(
    "CACHE RESERVED INTERPRETER_EXIT EXIT_INIT_CHECK ENTER_EXECUTOR COPY_FREE_VARS "
    "ANNOTATIONS_PLACEHOLDER".split()
)


def rules() -> list:
    """Every opcode of this Python has a rule, or is taken apart before the rules."""
    taken_apart = (kinds.SKIP, kinds.JUMP, kinds.PREFIX, kinds.PAIR, kinds.RETURN_CONST)
    return [
        f"no rule for {name}"
        for name, opcode in sorted(dis.opmap.items())
        if opcode < 256
        and name not in NOT_IN_CODE
        and not name.startswith("INSTRUMENTED_")
        and kinds.KIND[opcode] not in taken_apart
        and kinds.FAMILY_NAMES[kinds.FAMILY[opcode]] not in RULES
    ]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    checks = (proven, refused, exact_pairs, stdlib, rules)
    print(json.dumps({check.__name__: check() for check in checks}))
