"""Chained comparisons whose value is stored right before a function ends: compilers copy the end."""


def stored(a, b, c):
    x = a <= b <= c
    return x


def three(a, b, c):
    x = a <= b <= c <= 9
    return x


def behind_and(a, b, c):
    x = c and a <= b <= c
    return x


def before_and(a, b, c):
    x = a <= b <= c and b
    return x


def argument(a, b, c):
    x = repr((a < b < c, 1))
    return x, 2


def raised(a, b, c):
    raise ValueError(a < b < c)


def last_statement(a, b, c):
    global seen
    x = seen = a < b < c


def only_local(a, b, c):
    x = a <= b < c


def in_branches(a, b, c):
    if a:
        x = a < b < c
    else:
        x = a < c < b
    return x


def in_handlers(a, b, c):
    try:
        x = a < c < b
    except TypeError:
        x = b < c < b
    return {x: a < b < c}


def negated(a, b, c):
    x = not a <= b <= c
    return x, 2


def pairs(a, b, c):
    x, y = a < b < c, b < c < a
    return x, y


seen = None
for values in ((1, 2, 3), (3, 2, 1), (0, 2, 2), (1, 0, 5)):
    for function in (stored, three, behind_and, before_and, argument, raised, last_statement,
                     only_local, in_branches, in_handlers, negated, pairs):
        try:
            print(function.__name__, function(*values), seen)
        except ValueError as error:
            print(function.__name__, error)
