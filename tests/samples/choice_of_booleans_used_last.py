# reads: as written
"""A choice between `a or b` and `c or d`, used in the last expression of a function."""


def called(f, a, b, c):
    return f(a or b if c else b or c)


def called_in_try(f, a, b, c):
    try:
        return f(a or b if c else b or c)
    except TypeError:
        return 0


def item(f, a, b, c):
    return f[a and b if c else b or c]


def two_calls(f, g, a, b, c):
    return f(a or b) if c else g(b or a)


def raised(f, a, b, c):
    raise f(a or b if c else b or c)


def chosen_twice(f, a, b, c):
    return f(a or b if c else (b or c if a else b or a))


for a in (0, 1):
    for b in (0, 2):
        for c in (0, 3):
            print(called(str, a, b, c), called_in_try(str, a, b, c), called_in_try(None, a, b, c))
            print(item([4, 5, 6, 7], a, b, c), two_calls(str, bool, a, b, c))
            print(chosen_twice(str, a, b, c))
            try:
                raised(KeyError, a, b, c)
            except KeyError as error:
                print(error)
