"""Runs the checks of the exact checker inside one interpreter, without pytest.

Prints one JSON object: for each check the list of its failures.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from textwrap import indent
from types import CodeType

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).parents[2] / "tools")]

import source_pairs  # noqa: E402
from stdlib_sample import sample_sources  # noqa: E402

from depyf.decompile.verify import exact  # noqa: E402


def compiled(source: str) -> CodeType:
    return compile(source, "<pair>", "exec", dont_inherit=True)


def function(body: str) -> CodeType:
    module = compiled("def f(a, b, c, d):\n" + indent(body, " "))
    return next(c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == "f")


def pairs_of(functions: list, modules: list) -> list:
    chosen = [(name, function(one), function(other))
              for name, one, other, *since in functions if _runs_here(since)]  # fmt: skip
    return chosen + [(name, compiled(one), compiled(other)) for name, one, other in modules]


def _runs_here(since: list) -> bool:
    return not since or sys.version_info[:2] >= since[0]


def reasons(comparison: exact.Comparison) -> list:
    return [f"{part.original.co_name}: {part.reason}" for part in comparison.results if part.reason]


def same() -> list:
    """Both ways round, and by the walk alone: the short cut for equal bytes must not help."""
    failures = []
    for name, one, other in pairs_of(source_pairs.SAME, source_pairs.SAME_MODULES):
        for left, right in ((one, other), (other, one)):
            failures += [f"{name}: {reason}" for reason in reasons(walk(left, right))]
            failures += [f"{name}: {reason}" for reason in reasons(exact.compare(left, right))]
    return failures


def different() -> list:
    failures = []
    for name, one, other in pairs_of(source_pairs.DIFFERENT, source_pairs.DIFFERENT_MODULES):
        for left, right in ((one, other), (other, one)):
            if exact.compare(left, right).exact:
                failures.append(f"{name}: passed as exact")
        failures += [f"{name}: not even itself" for code in (one, other)
                     if not walk(code, code).exact]  # fmt: skip
    return failures


def walk(left: CodeType, right: CodeType) -> exact.Comparison:
    short_cut = exact.identical
    exact.identical = lambda *_: False
    try:
        return exact.compare(left, right)
    finally:
        exact.identical = short_cut


def stdlib() -> list:
    """Every module compiled twice, the second time further down, is the same at every level."""
    failures = []
    for name, source in sample_sources():
        one, other = compiled(source), compiled("\n\n" + source)
        for comparison in (walk(one, other), exact.compare(one, other)):
            failures += [f"{name}.{reason}" for reason in reasons(comparison)]
            failures += [f"{name}.{part.original.co_name}: never met"
                         for part in comparison.results if part.candidate is None]  # fmt: skip
    return failures


METHOD = """
class A:
    def f(self):
        class C:
            def g(self): return lambda: [x for x in self]
        def h(): return C
        return h
"""


def relocated() -> list:
    """A method compiled alone is the same, but its parts may not move against each other."""
    method = compiled(METHOD).co_consts[0].co_consts
    inside = next(c for c in method if isinstance(c, CodeType))
    alone = "\n".join(line[4:] for line in METHOD.splitlines()[2:])
    outside = compiled(alone).co_consts[0]
    failures = reasons(exact.compare(inside, outside))
    scaffold = compiled("def scaffold():\n" + indent(alone, " ")).co_consts
    within = next(c for c in scaffold if isinstance(c, CodeType)).co_consts
    framed = next(c for c in within if isinstance(c, CodeType))
    failures += reasons(exact.compare(inside, framed)) + reasons(exact.compare(framed, inside))
    renamed = METHOD.replace("class C", "class D").replace("return C", "return D")
    if exact.compare(compiled(METHOD), compiled(renamed)).exact:
        failures.append("a renamed class passed as exact")
    return failures


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps({check.__name__: check() for check in (same, different, stdlib, relocated)}))
