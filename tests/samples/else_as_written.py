"""Branches that leave, with and without `else`: the instructions are the same, the columns not."""


def with_else(a):
    if a:
        return 1
    else:
        return a


def without(a):
    if a:
        return 1
    return a


def chain(a, b):
    if a is None:
        return b
    elif b is None:
        return a
    elif not a:
        return 0
    else:
        a()
        b()
    return b


def separate(a, b):
    if a is None:
        return b
    if b is None:
        return a
    if not a:
        return 0
    a()
    b()


def long_else(a, b):
    if a.b(1):
        raise ValueError
    else:
        c, d = b
        if c:
            d()
        for e in d:
            e()
        try:
            a()
        except ValueError:
            b()
        return c


def partly(a, b):
    if a == 1:
        raise ValueError
    else:
        a()
    assert a != b
    for e in b:
        e()


def in_loop(a, b):
    for i in a:
        if i == b:
            break
        else:
            i()
        b()
    for i in a:
        if i == b:
            break
        i()
        b()
    return b


def deeper(a, b, c):
    while a():
        if not b:
            if c:
                return 1
            else:
                return c()
        if (b or
                c):
            return 2
        del a.b
        assert b
