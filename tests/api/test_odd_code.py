"""Code objects that no compiler makes: hand-made ones, and those of code generators."""

from __future__ import annotations

import json
import subprocess
import types
from pathlib import Path

import pytest
from interpreters import VERSIONS, environment, find_interpreters

from depyf import DecompilationError, Decompiler, decompile
from depyf.decompile import ladder, recompile
from depyf.decompile.api import examine
from depyf.decompile.pipeline import decompile_code

FOUND = {python.version: python.command for python in find_interpreters()}
WORKER = Path(__file__).with_name("odd_code_worker.py")


@pytest.mark.parametrize("version", VERSIONS)
def test_odd_names_and_constants_are_proven(version: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} is not installed")
    answer = subprocess.run(
        [*FOUND[version], str(WORKER)], env=environment(), capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout.splitlines()[-1]) == []


def named(name: str) -> types.CodeType:
    def f(a):
        for x in a:
            print(x)

    return f.__code__.replace(co_name=name)


@pytest.mark.parametrize("name", ["if", "\ufb01", "<lambda>", "<generated>"])
def test_a_function_whose_name_cannot_be_written_says_so(name: str) -> None:
    result = examine(named(name))
    assert result.source.startswith("def function(a):\n    for x in a:\n")
    assert result.notes == ("a name that is no identifier was replaced",)
    assert examine(named(name), name="chosen").notes == ()


def test_a_replaced_name_looks_like_it() -> None:
    made = named("f").replace(co_varnames=("a\u00b2", "\ufb01"))
    assert decompile(made) == "def f(a2_):\n    for fi_ in a2_:\n        print(fi_)\n"
    # What the compiler takes for its normal form is not what was meant.
    made = made.replace(co_varnames=("fi", "\ufb01"))
    assert decompile(made) == "def f(fi):\n    for fi_ in fi:\n        print(fi_)\n"


def as_dispatch_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    def lowest(code, indentation, temporary_prefix, name):
        return decompile_code(code, indentation, temporary_prefix, name, rung=ladder.DISPATCH)

    monkeypatch.setattr(recompile, "decompile_code", lowest)


def test_a_dispatch_loop_keeps_its_builtins(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(a):
        found = []
        for x in a:
            try:
                found.append(10 // x)
            except ZeroDivisionError:
                continue
        return found

    as_dispatch_loop(monkeypatch)
    made = Decompiler.decompile_and_compile_like(f, f)
    # Whatever the module calls by these names.
    names = ("iter", "next", "StopIteration", "BaseException")
    space = {"ZeroDivisionError": ZeroDivisionError, **dict.fromkeys(names)}
    assert types.FunctionType(made, space)([5, 0, 2]) == [2, 5]


def test_what_rests_on_builtins_is_refused_in_those_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(a):
        for x in a:
            next(x)

    as_dispatch_loop(monkeypatch)
    with pytest.raises(DecompilationError, match="it assumes that the builtins are meant by: next"):
        Decompiler.decompile_and_compile_like(f, f)
