"""Decompiling a function against compiling its source, over functions of the standard library."""

from __future__ import annotations

import ast
import math
import textwrap
import time
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Callable, Iterator

from bars import Line

from depyf.decompile.pipeline import decompile_code

MODULES = (
    "argparse ast bdb calendar codecs configparser contextlib copy csv dataclasses difflib dis "
    "doctest enum fractions functools gzip heapq inspect ipaddress locale mailbox os pdb pickle "
    "platform plistlib pprint queue random selectors shlex shutil smtplib statistics string "
    "subprocess tarfile tempfile textwrap threading tokenize traceback typing uuid weakref zipfile"
).split()
TURNS = 5


def measure(quick: bool) -> Iterator[Line]:
    functions = list(_functions())
    functions = functions[:: 20 if quick else 4]
    text: list[float] = []
    proven: list[float] = []
    for source, code in functions:
        compiling, writing, proving = _seconds(
            partial(compile, source, "bench", "exec"),
            partial(decompile_code, code, verify=False),
            partial(decompile_code, code),
        )
        text.append(writing / compiling)
        proven.append(proving / compiling)
    remark = f"{len(functions)} functions, geometric mean"
    yield Line("text / compile()", _mean(text), 4, remark)
    yield Line("verified text / compile()", _mean(proven), 8, remark)


def _functions() -> Iterator[tuple[str, CodeType]]:
    """Functions and methods at the top of modules: their own source, and their code."""
    for name in MODULES:
        path = Path(ast.__file__).with_name(f"{name}.py")
        if not path.exists():
            continue
        text = path.read_text(encoding="utf-8")
        for node in _definitions(ast.parse(text)):
            source = textwrap.dedent(ast.get_source_segment(text, node, padded=True) or "")
            try:
                module = compile(source, str(path), "exec", dont_inherit=True)
            except SyntaxError:  # a string that dedenting broke
                continue
            yield source, next(c for c in module.co_consts if isinstance(c, CodeType))


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
