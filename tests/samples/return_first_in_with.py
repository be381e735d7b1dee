# reads: as written
"""An early `return` in a `with` or `try … finally`, and a value that is returned at its end."""
from contextlib import contextmanager


@contextmanager
def shown(name):
    print("enter", name)
    yield name
    print("exit", name)


def value_behind(x, y):
    with shown("a"):
        if x is None:
            return None
        print(x)
        return y


def work_before(x, y):
    with shown("a"):
        if x:
            print("nothing")
            return None
        print(x)
        return y


def nothing_behind(x, y):
    with shown("a"):
        if x is None:
            return
        print(x)
        print(y)


def several(x, y):
    with shown("a"):
        if x is None:
            return None
        for each in x:
            if each:
                return each
        if y:
            return None
        return x


def in_finally(x, y):
    try:
        if x is None:
            return None
        print(x)
        return y
    finally:
        print("done")


def in_two(x, y):
    with shown("a"):
        with shown("b") as b:
            if x is None:
                return None
            print(b)
            return y


def in_with_and_finally(x, y):
    try:
        with shown("a"):
            if x is None:
                return None
            print(x)
        return y
    finally:
        print("done")


def empty(x):
    print(x)
    with shown("a"):
        pass


for x in (None, (), (0, 1)):
    for y in (0, 1):
        print(value_behind(x, y), work_before(x, y), nothing_behind(x, y), several(x, y))
        print(in_finally(x, y), in_two(x, y), in_with_and_finally(x, y), empty(x))
