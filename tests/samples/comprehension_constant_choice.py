"""Conditions of comprehensions in which an arm of a choice is a constant."""


def found(items, c, t):
    first = [v for v in items if (3 if c else t(v)) if t(2)]
    second = {v: w for v in items if t(v) for w in items if (0 if c else t(w)) if w}
    return first, second, list(v for v in items if (t(v) if c else 1) if v)


class Holder:
    items = [v for v in (1, 2, 3) if (3 if v == 1 else v > 2) for w in (v,) if w]


print(found([0, 1, 2], 0, bool), found([0, 1, 2], 1, bool), Holder.items)
