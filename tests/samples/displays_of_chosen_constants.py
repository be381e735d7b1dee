"""Displays of constants that no compiler could make one constant of."""


def pair(first=None, second=("pos" or "sem")):
    return first, second


def displays(names):
    x = (1 or 2 or 3, 2, 3)
    y = [1 or 2 or 3, 2, 3]
    z = {"normal", "inverse", "off", *names}
    u = [1, 2, 3, *names]
    v = {1, 2, *names, 3}
    w = {"normal", "inverse", "off", *(name for name in names if name), "last"}
    return x, y, sorted(z), u, len(v), sorted(w)


print(pair(), displays(["a", "b"]))
