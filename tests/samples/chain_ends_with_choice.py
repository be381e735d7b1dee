"""Chained comparisons whose last operand is a choice: each arm has a copy of the comparison."""

from itertools import product


def returned(low, x, a, b, c):
    return low <= x < (a if c else b)


def tested(low, x, a, b, c):
    if low <= x < (a if c else b):
        return 1
    y = low <= x < (a if c else b)
    z = low == x == (a or b)
    return y, z


def stored(x, a, b, c):
    y = x > 1 != (a if c else b)
    return y


def last(x, a, b, c):
    global found
    found = 0 < x < (a if c else b if a else x)


for values in product((0, 1, 2), repeat=4):
    last(*values)
    print(found, returned(0, *values), tested(1, *values), stored(*values))
