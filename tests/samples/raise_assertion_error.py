"""`raise AssertionError` beside `assert`, where 3.8 tells them apart: outside of functions."""

import os

if not os:
    raise AssertionError("a")
if not os:
    raise AssertionError
assert os, "b"
assert os


class C:
    if not os:
        raise AssertionError("a")
    assert os, 1 if os else 2
    x = AssertionError


def f(x):
    if not x:
        raise AssertionError("a")
    assert x
    raise AssertionError
