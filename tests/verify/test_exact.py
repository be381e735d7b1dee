"""The exact checker, in every Python that is found: what is the same, what is not, and oddities."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from pathlib import Path
from types import CodeType

import pytest
from interpreters import VERSIONS, environment, find_interpreters

from depyf.decompile.verify.exact import compare

FOUND = {python.version: python.command for python in find_interpreters()}
WORKER = Path(__file__).with_name("worker.py")


@functools.lru_cache(maxsize=None)
def failures(version: str) -> dict[str, list[str]]:
    answer = subprocess.run(
        [*FOUND[version], str(WORKER)], env=environment(), capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout.splitlines()[-1])


@pytest.mark.parametrize("check", ["same", "different", "stdlib", "relocated"])
@pytest.mark.parametrize("version", VERSIONS)
def test_in_every_python(version: str, check: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} was not found")
    assert failures(version)[check] == []


def function(source: str) -> CodeType:
    module = compile(source, "<test>", "exec", dont_inherit=True)
    return next(c for c in module.co_consts if isinstance(c, CodeType))


def test_a_reason_names_the_place_and_both_instructions() -> None:
    result = compare(function("def f(a): return a.x"), function("def f(a): return a.y")).results[0]
    assert result.reason is not None
    assert result.reason.startswith(f"at offset {result.offset}: LOAD_ATTR x")
    assert "against LOAD_ATTR y" in result.reason


def test_every_nested_code_has_a_result_even_after_a_mismatch() -> None:
    original = function("def f():\n x(1)\n def g(): return 1\n def h(): return 2\n return g, h")
    candidate = function("def f():\n x(2)\n def g(): return 1\n def k(): return 2\n return g, k")
    outcome = {r.original.co_name: r for r in compare(original, candidate).results}
    assert list(outcome) == ["f", "g", "h"]
    assert outcome["f"].reason is not None
    assert outcome["g"].reason is None
    assert outcome["h"].candidate is None and outcome["h"].reason is not None


def test_nested_code_is_judged_at_its_own_level() -> None:
    original = function("def f():\n def g(): return 1\n return g")
    candidate = function("def f():\n def g(): return 2\n return g")
    comparison = compare(original, candidate)
    assert [r.reason is None for r in comparison.results] == [True, False]
    assert not comparison.exact


def test_opaque_constants_are_the_same_object_or_what_the_hook_says() -> None:
    code = function("def f(): return 'here'")
    one, other = (
        code.replace(co_consts=tuple(Opaque() if c == "here" else c for c in code.co_consts))
        for _ in range(2)
    )
    assert compare(one, one).exact
    assert not compare(one, other).exact
    assert compare(one, other, consts_equal=lambda a, b: type(a) is type(b)).exact
    assert not compare(one, other, consts_equal=lambda a, b: False).exact


class Opaque:
    """A constant no source can spell, and that objects to being compared or shown."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("never compared")

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        raise ValueError("never shown")


@pytest.mark.parametrize("raw", [b"", b"\xff\xff", bytes(range(64)), b"\x64\xff" * 8])
def test_weird_bytecode_gives_a_reason(raw: bytes) -> None:
    code = function("def f(a):\n for x in a:\n  try: x()\n  except E: pass")
    weird = code.replace(co_code=raw)
    assert compare(code, weird).results[0].reason
    assert compare(weird, code).results[0].reason


def test_every_single_byte_change_is_survived() -> None:
    """Whatever a byte becomes, there is an answer and no exception."""
    code = function("def f(a, b):\n with a as x:\n  return [y for y in x if y is not b] or f'{a}'")
    for position in range(len(code.co_code)):
        for change in (1, 2, 127, 255):
            raw = bytearray(code.co_code)
            raw[position] ^= change
            compare(code, code.replace(co_code=bytes(raw)))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exception tables came with 3.11")
def test_a_broken_exception_table_is_survived() -> None:
    code = function("def f(a):\n try: a()\n except E: pass")
    for cut in range(len(code.co_exceptiontable)):
        shorter = code.replace(co_exceptiontable=code.co_exceptiontable[:cut])
        assert cut >= len(code.co_exceptiontable) - 5 or not compare(code, shorter).exact


def test_the_order_of_free_variables_counts_below_the_root() -> None:
    """The closure tuple is matched by position: swapping only the names swaps the variables."""
    outer = function("def f():\n x = y = 1\n def g(): return x, y\n return g")
    inner = next(c for c in outer.co_consts if isinstance(c, CodeType))
    swapped = inner.replace(co_freevars=inner.co_freevars[::-1])
    other = outer.replace(co_consts=tuple(swapped if c is inner else c for c in outer.co_consts))
    assert not compare(outer, other).exact


def test_loops_of_different_length_end_in_time() -> None:
    """Bodies of 97 and 101 equal calls pair up in nearly ten thousand ways."""
    one = function("def f(a):\n while True:\n" + "  a()\n" * 97)
    other = function("def f(a):\n while True:\n" + "  a()\n" * 101)
    result = compare(one, other).results[0]
    assert result.reason is None or "too many" in result.reason


def test_a_constant_nested_without_end_is_survived() -> None:
    deep: tuple = ()
    for _ in range(5_000):
        deep = (deep,)
    code = function("def f(): return 'here'")
    nested = code.replace(co_consts=(deep, deep))
    twin = code.replace(co_consts=((deep,), (deep,)))
    assert "too deeply" in str(compare(nested, twin).results[0].reason)
