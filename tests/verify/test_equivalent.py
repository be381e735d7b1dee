"""The equivalence checker, in every Python that is found, and its odd corners."""

from __future__ import annotations

import functools
import json
import subprocess
from pathlib import Path
from types import CodeType

import pytest
from checker_mutations import run_elsewhere
from interpreters import VERSIONS, environment, find_interpreters

from depyf.decompile.verify.equivalent import equivalent
from depyf.decompile.verify.proof import UNVERIFIED, prove
from depyf.decompile.verify.trust import Trust

FOUND = {python.version: python.command for python in find_interpreters()}
WORKER = Path(__file__).with_name("equivalent_worker.py")
MUTATIONS = 600


@functools.lru_cache(maxsize=None)
def failures(version: str) -> dict[str, list[str]]:
    answer = subprocess.run(
        [*FOUND[version], str(WORKER)], env=environment(), capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout.splitlines()[-1])


@pytest.mark.parametrize("check", ["proven", "refused", "exact_pairs", "stdlib", "rules"])
@pytest.mark.parametrize("version", VERSIONS)
def test_in_every_python(version: str, check: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} was not found")
    assert failures(version)[check] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_every_mutation_that_shows_is_objected_to(version: str) -> None:
    if version not in FOUND:
        pytest.skip(f"Python {version} was not found")
    outcome = run_elsewhere(FOUND[version], MUTATIONS, seed=1, checker="equivalent")
    assert sum(row["tried"] for row in outcome.values()) >= MUTATIONS
    assert [case for row in outcome.values() for case in row["missed"]] == []


def function(source: str) -> CodeType:
    module = compile(source, "<test>", "exec", dont_inherit=True)
    return next(c for c in module.co_consts if isinstance(c, CodeType))


def test_a_reason_names_both_places_and_events() -> None:
    result = equivalent(function("def f(a): return a.x"), function("def f(a): return a.y"))
    assert result.reason is not None
    assert "LOAD_ATTR x of (a) against LOAD_ATTR y of (a)" in result.reason
    assert result.reason.startswith("at offset ")


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("summed", ["y = x + 'b'", "x += 'b'; y = x"])
def test_a_computed_text_is_no_literal_where_objects_are_compared(summed: str) -> None:
    computed = function(f"def f(): x = 'a!'; {summed}; return y is 'a!b'")
    literal = function("def f(): return 'a!b' is 'a!b'")
    assert "identity of a text" in (equivalent(computed, literal).reason or "")


def test_nested_code_is_handed_back_in_pairs() -> None:
    original = function("def f(a):\n def g(): return 1\n a(g)\n return lambda: 2")
    candidate = function("def f(a):\n def g(): return 1\n t = a\n t(g)\n return lambda: 3")
    result = equivalent(original, candidate)
    assert result.reason is None
    names = [(one.co_name, other.co_name) for one, other in result.nested]
    assert sorted(names) == [("<lambda>", "<lambda>"), ("g", "g")]


def test_verdicts_are_given_level_by_level() -> None:
    original = function("def f(a):\n def g(): return a.x, 1\n return a.y(g)")
    candidate = function("def f(a):\n def g():\n  t = a.x\n  return t, 1\n return a.y(g)")
    assert [part.verdict for part in prove(original, candidate)] == ["exact", "equivalent"]
    other = function("def f(a):\n def g():\n  t = a.z\n  return t, 1\n return a.y(g)")
    assert [part.verdict for part in prove(original, other)] == ["exact", "unverified"]


def test_a_parent_with_its_functions_mixed_up_is_not_proven() -> None:
    """Both functions have a counterpart of their name, but the parent uses the other one."""
    original = function("def f(a):\n x = lambda: 1\n y = lambda: 2\n return a(x, y)")
    candidate = function("def f(a):\n x = lambda: 2\n y = lambda: 1\n t = a\n return t(x, y)")
    assert "unverified" in [part.verdict for part in prove(original, candidate)]


def with_constant(value: object) -> CodeType:
    code = function("def f(a): return a('here')")
    return code.replace(co_consts=tuple(value if c == "here" else c for c in code.co_consts))


def test_code_in_a_tuple_is_compared() -> None:
    one, other = function("def g(): return 1"), function("def g(): return 2")
    same, changed = with_constant((one, 1)), with_constant((other, 1))
    assert {part.verdict for part in prove(same, same)} == {"exact"}
    assert "unverified" in [part.verdict for part in prove(same, changed)]


def test_opaque_constants_are_the_same_object_or_what_the_hook_says() -> None:
    one, other = object(), object()
    left, right = with_constant(one), with_constant(other)
    assert equivalent(left, left).reason is None
    assert equivalent(left, right).reason is not None
    assert equivalent(left, right, consts_equal=lambda a, b: a is one and b is other).reason is None
    assert equivalent(left, right, consts_equal=lambda a, b: False).reason is not None


def test_a_literal_may_stand_for_an_object() -> None:
    thing = object()
    left, right = with_constant(thing), with_constant("sentinel")
    assert equivalent(left, right).reason is not None
    stands_for = lambda a, b: a is thing and b == "sentinel"  # noqa: E731
    assert equivalent(left, right, consts_equal=stands_for).reason is None


@pytest.mark.parametrize("raw", [b"", b"\xff\xff", bytes(range(64)), b"\x64\xff" * 8])
def test_weird_bytecode_gives_a_reason(raw: bytes) -> None:
    code = function("def f(a):\n for x in a:\n  try: x()\n  except E: pass")
    weird = code.replace(co_code=raw)
    assert equivalent(code, weird).reason
    assert equivalent(weird, code).reason


def test_every_single_byte_change_is_survived() -> None:
    """Whatever a byte becomes, there is an answer and no exception."""
    code = function("def f(a, b):\n with a as x:\n  return [y for y in x if y is not b] or f'{a}'")
    for position in range(len(code.co_code)):
        for change in (1, 2, 127, 255):
            raw = bytearray(code.co_code)
            raw[position] ^= change
            equivalent(code, code.replace(co_code=bytes(raw)))


def test_many_branches_end_in_time() -> None:
    """Thirty tests in a row that nothing separates have a billion ways through."""
    tests = "".join(f" if b{i} is None: x = {i}\n" for i in range(30))
    arguments = ", ".join(f"b{i}" for i in range(30))
    code = function(f"def f(a, x, {arguments}):\n{tests} return x")
    result = equivalent(code, code)
    assert result.reason is None or "too many" in result.reason


LOOP = "def f(a, b):\n for x in a:\n  b(x)\n return 1"
LOOP_BY_HAND = """def f(a, b):
 t = iter(a)
 while True:
  try:
   x = next(t)
  except StopIteration:
   break
  b(x)
 return 1"""
CATCH = "def f(a, b):\n try:\n  a()\n except ValueError:\n  b()"
CATCH_BY_HAND = """def f(a, b):
 try:
  a()
 except BaseException as e:
  try:
   raise
  except ValueError:
   t = True
  except:
   t = False
  if not t:
   raise
  b()"""
TRUSTED = frozenset({"iter", "next", "BaseException", "StopIteration"})


@pytest.mark.parametrize("one, other", [(LOOP, LOOP_BY_HAND), (CATCH, CATCH_BY_HAND)])
def test_builtins_are_trusted_only_on_request(one: str, other: str) -> None:
    original, candidate = function(one), function(other)
    assert equivalent(original, candidate).reason is not None
    found = equivalent(original, candidate, trust=Trust(builtins=TRUSTED))
    assert found.reason is None
    assert found.assumes == tuple(sorted(TRUSTED & set(candidate.co_names)))


TWO_ENDS = """def f(a, b):
 try:
  next(a)
 except StopIteration as e1:
  try:
   next(b)
  except StopIteration as e2:
   return e1.value"""


def test_ends_of_iterators_are_told_apart() -> None:
    trust = Trust(builtins=TRUSTED)
    assert equivalent(function(TWO_ENDS), function(TWO_ENDS), trust=trust).reason is None


EVALUATES = "def f(a):\n m = a(eval)\n x = 5\n for v in m:\n  return v"

WRONG_BY_HAND = [
    # the body's own StopIteration ends the loop
    (LOOP, LOOP_BY_HAND.replace("   x = next(t)\n", "   x = next(t)\n   b(x)\n").replace(
        "\n  b(x)\n return", "\n return")),
    # any failure of the iterator ends the loop
    (LOOP, LOOP_BY_HAND.replace("except StopIteration", "except BaseException")),
    # the iterator is made in each round
    (LOOP, LOOP_BY_HAND.replace("next(t)", "next(iter(a))")),
    (LOOP, LOOP_BY_HAND.replace("next(t)", "next(t, None)")),
    # the end of the loop runs while StopIteration is handled
    (LOOP.replace("1", "b()"), LOOP_BY_HAND.replace("break", "return b()")),
    # what was not wanted is lost
    (CATCH, CATCH_BY_HAND.replace("   raise\n  b()", "   return\n  b()")),
    (CATCH, CATCH_BY_HAND.replace("ValueError", "KeyError")),
    (CATCH, CATCH_BY_HAND.replace("if not t", "if t")),
    (CATCH, CATCH_BY_HAND.replace("   raise\n  except V", "   raise e from e\n  except V")),
    # each end of an iterator is an exception of its own
    (TWO_ENDS, TWO_ENDS.replace("e1.value", "e2.value")),
    (TWO_ENDS.replace("return e1.value", "raise e1"),
     TWO_ENDS.replace("return e1.value", "raise e2")),
    # what an iterator does may look at variables
    (EVALUATES, EVALUATES.replace("x = 5", "x = 6")),
    (EVALUATES.replace("for v in m:\n  return v", "return next(m)"),
     EVALUATES.replace("for v in m:\n  return v", "return next(m)").replace("x = 5", "x = 6")),
]  # fmt: skip


@pytest.mark.parametrize("one, other", WRONG_BY_HAND)
def test_trust_in_builtins_goes_no_further(one: str, other: str) -> None:
    assert (
        equivalent(function(one), function(other), trust=Trust(builtins=TRUSTED)).reason is not None
    )


def test_a_fixed_global_may_be_looked_up_at_any_time() -> None:
    original = function("def f(a):\n t = a()\n return rest(t)")
    candidate = function("def f(a):\n return rest(a())")
    assert equivalent(original, candidate).reason is not None
    assert equivalent(original, candidate, trust=Trust(fixed=frozenset({"rest"}))).reason is None


def test_code_inside_is_judged_with_what_takes_its_place() -> None:
    original = function("def f():\n return (lambda: 1), (lambda: 2)")
    codes = [const for const in original.co_consts if isinstance(const, CodeType)]
    swapped = dict(zip(map(id, codes), reversed(codes)))
    consts = tuple(swapped.get(id(const), const) for const in original.co_consts)
    assert {part.verdict for part in prove(original, original.replace(co_consts=consts))} != {
        "exact"
    }


CHOICE = """
def f(z):
    y = z
    if y:
        return h(lambda *a: w(lambda: p))
    return h(lambda *a: w(lambda: q))
"""
TURNED = """
def f(z):
    if not z:
        return h(lambda *a: w(lambda: q))
    return h(lambda *a: w(lambda: p))
"""


@pytest.mark.parametrize(
    ("text", "is_proven"), [(TURNED, True), (TURNED.replace("not z", "z"), False)]
)
def test_code_inside_is_judged_by_the_counterpart_that_was_found(
    text: str, is_proven: bool
) -> None:
    # In the order they stand in, each lambda would get the other one for a counterpart.
    parts = prove(compile(CHOICE, "a.py", "exec"), compile(text, "a.py", "exec"))
    assert all(part.verdict != UNVERIFIED for part in parts) == is_proven
