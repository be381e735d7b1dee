"""A variable that is assigned its own value, and a generator that never comes to its `yield`."""


def kept(a, c):
    x = a and (c := c)
    a != 1 <= (c := c)
    if a:
        a < 2 < (c := c)
    return x, c


def generator(a):
    try:
        pass
    except 1:
        if (yield 1):
            a != 1 <= (a := a)


print(kept(1, 2), kept(0, 2), list(generator(1)))
