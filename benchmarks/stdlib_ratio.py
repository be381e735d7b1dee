"""Decompiling a function against compiling its source, over the whole standard library."""

from __future__ import annotations

import ast
import math
import textwrap
import time
from functools import partial
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import Callable, Iterator

from bars import Line

from depyf.decompile.pipeline import decompile_code

# Every so many functions of all: some 1,200, and some 70 for a quick look.
EVERY, EVERY_QUICK = 12, 200
# What nobody imports: tests, and folders that are no part of the library.
LEFT_OUT = frozenset(("test", "tests", "idle_test", "site-packages", "__pycache__"))
TURNS = 5


def measure(quick: bool) -> Iterator[Line]:
    functions = list(_functions(EVERY_QUICK if quick else EVERY))
    text: list[float] = []
    proven: list[float] = []
    for source, code in functions:
        compiling, writing, proving = _seconds(
            partial(compile, source, "bench", "exec", dont_inherit=True),
            partial(decompile_code, code, verify=False),
            partial(decompile_code, code),
        )
        text.append(writing / compiling)
        proven.append(proving / compiling)
    remark = f"{len(functions)} functions of the whole library, geometric mean"
    yield Line("text / compile()", _mean(text), 4, remark)
    yield Line("verified text / compile()", _mean(proven), 8, remark)


def _functions(every: int) -> Iterator[tuple[str, CodeType]]:
    """Functions and methods at the top of modules: their own source, and their code."""
    for text, node in islice(_nodes(), 0, None, every):
        source = textwrap.dedent(ast.get_source_segment(text, node, padded=True) or "")
        try:
            module = compile(source, "bench", "exec", dont_inherit=True)
        except SyntaxError:  # a string that dedenting broke
            continue
        yield source, next(c for c in module.co_consts if isinstance(c, CodeType))


def _nodes() -> Iterator[tuple[str, ast.FunctionDef]]:
    """All of them, and the text of the module that each stands in."""
    library = Path(ast.__file__).parent
    for path in sorted(library.rglob("*.py")):
        if not LEFT_OUT.isdisjoint(path.relative_to(library).parts):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:  # a sample for lib2to3
            continue
        for node in _definitions(ast.parse(text)):
            yield text, node


def _definitions(module: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in module.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for one in inner:
            # Decorators, defaults and type parameters may bring code objects of their own.
            if isinstance(one, ast.FunctionDef) and _is_plain(one):
                yield one


def _is_plain(node: ast.FunctionDef) -> bool:
    extra = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    if node.decorator_list or getattr(node, "type_params", None):
        return False
    return not any(isinstance(default, ast.Lambda) for default in extra)


def _seconds(*runs: Callable[[], object]) -> list[float]:
    """CPU time of one call of each: the best of several turns, so that noise hits all alike."""
    best = [math.inf] * len(runs)
    for _ in range(TURNS):
        for place, run in enumerate(runs):
            best[place] = min(best[place], _seconds_of_one(run))
    return best


def _seconds_of_one(run: Callable[[], object]) -> float:
    """Called until it took long enough for the clock."""
    count, start = 0, time.process_time()
    while True:
        run()
        count += 1
        spent = time.process_time() - start
        if spent > 0.002:
            return spent / count


def _mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))
