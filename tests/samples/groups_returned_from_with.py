# min: 3.8
"""`a or (b and c) or d` returned from inside a statement: each value leaves on a way of its own."""
from contextlib import nullcontext


def from_with(a, b, c, d):
    with nullcontext():
        return a or (b and c) or d


def from_try(a, b, c, d):
    try:
        return a and (b or c) and d
    finally:
        d = 1


def from_several(a, b, c, d):
    with nullcontext():
        if a:
            return b or (c and d)
        return b or (c and d) or (d and c) or 3


def from_loop(a, b, c, d):
    for each in (a, b):
        with nullcontext():
            return each or (c and d) or d


for number in range(16):
    a, b, c, d = (number >> place & 1 for place in range(4))
    print([f(a, b, c, d) for f in (from_with, from_try, from_several, from_loop)])
