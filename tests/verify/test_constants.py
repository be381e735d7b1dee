"""Typed and deep equality of constants."""

from __future__ import annotations

import itertools

from depyf.decompile.verify.constants import same_constant

NAN = float("nan")
ALL_DIFFERENT = [
    0, 1, -1, True, False, None, Ellipsis, 0.0, -0.0, 1.0, NAN, float("inf"), 0j, -0j,
    complex(0.0, -0.0), complex(-0.0, 0.0), complex(0, NAN), "", "1", "a", b"", b"a", (), (0,),
    (False,), (0.0,), (-0.0,), ((),), (0, 0), frozenset(), frozenset({0}), frozenset({False}),
    frozenset({0.0}), frozenset({(0,)}), frozenset({(False,)}), frozenset({"a", 1}), slice(0),
    slice(0, 1), slice(False, 1), slice(0.0, 1),
]  # fmt: skip


def test_each_constant_is_like_itself_alone() -> None:
    for (i, one), (j, other) in itertools.product(enumerate(ALL_DIFFERENT), repeat=2):
        alike = i == j or repr(one) == repr(other)  # -0j is complex(-0.0, -0.0), and so on
        assert same_constant(one, other, None, []) == alike, (one, other)


def test_not_a_number_is_like_any_other() -> None:
    assert same_constant((NAN, 1), (float("nan"), 1), None, [])


def test_code_is_collected_and_not_compared() -> None:
    one, other = compile("1", "", "eval"), compile("2", "", "eval")
    found: list = []
    assert same_constant((one,), (other,), None, found)
    assert found == [(one, other)]


def test_a_hook_never_hears_of_literals() -> None:
    assert not same_constant((1, "a"), (2, "b"), lambda a, b: True, [])
