# reads: as written
"""A `finally` body that ends with a short statement behind an `if` inside an `if`."""


class Thing:
    def __init__(self, d, c):
        self.d = d
        self.c = c

    def __enter__(self):
        return self

    def __exit__(self, *error):
        print("exit", error[0])
        return True


def alone(a, f):
    try:
        f(a)
    finally:
        if a.d:
            if a.c:
                print("both")
            else:
                print("one")
        a.d = False


def in_with(a):
    with a as ctx:
        try:
            yield ctx
        finally:
            if a.d:
                if a.c:
                    print("both")
                else:
                    print("one")
            a.d = False


for d in (0, 1):
    for c in (0, 1):
        thing = Thing(d, c)
        print(list(in_with(thing)) == [thing], thing.d)
        thing = Thing(d, c)
        try:
            alone(thing, int)
        except TypeError as error:
            print(thing.d)
