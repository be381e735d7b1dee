"""Conditional expressions as operands of `and` and `or`, where the compiler passes tests by."""

from itertools import product


def stored(k, t, c, m):
    x = (k if t else (c and m)) or k
    y = (k if t else (c and m)) or 1
    return x, y


def between(t, a, b, c):
    d = e = t or (a if b else b and c) or a or t
    return d, e


def negated(t, a, b, c):
    x = t and (t or b if not a else c) and b
    return t or (a if not b else (b and c)) or x


def written_so(a, b, c, d):
    return a if not b else c, d if not (a and b) else c, (a if b else c) and (d if not b else a)


for values in product((0, "", "x", 2), repeat=4):
    print(stored(*values), between(*values), negated(*values), written_so(*values))
