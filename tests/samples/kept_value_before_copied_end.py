"""A value that `and` may keep, stored in front of a `return` that the compiler copies."""


def stores_last(a, b):
    try:
        b = (a and int(b)) if b else 2
    except ValueError:
        return 3


def returns_it(a, b):
    try:
        b = (a and int(b)) if b else 2
    except ValueError:
        return 3
    return b


def in_a_chain(a, b):
    try:
        a.x() if a else b
        b = (a and int(b) and 1) if 0 <= len(b) == 1 else 2
    except (AttributeError, ValueError):
        return 3
    return b


for a in (None, 0, "a"):
    for b in ("", "1", "x"):
        print(stores_last(a, b), returns_it(a, b), in_a_chain(a, b))
