"""Displays and calls with a choice inside a choice, where more follows behind the inner one."""


def f(*args, **names):
    print(args, names)
    return len(args)


def merged(a, b, c, d):
    return {**({"k": f(a if c else b), "m": 1} if d else {})}


def stored(a, b, c, d):
    x = {**({"k": f(a and b), "m": 1} if d else {}), "z": 1}
    return x


def keywords(a, b, c, d):
    f(x=1, **({"k": f(a if c else b), "m": 1} if d else {}))
    return 1


def last(a, b, c, d):
    f(x=1, **({"k": f(a if c else b), "m": 1} if d else {}))


def listed(a, b, c, d):
    return f([f(a or b), 1, 2] if d else {}, 3)


def twice(a, b, c, d):
    return f([f(a if c else b), 1, f(b if c else a), 2] if d else {}, 3)


for number in range(16):
    values = [number & bit for bit in (1, 2, 4, 8)]
    for function in (merged, stored, keywords, last, listed, twice):
        print(function.__name__, function(*values))
