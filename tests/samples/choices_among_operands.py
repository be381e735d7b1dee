# min: 3.8
"""The test of a choice is a choice itself, and other operands wait on the stack."""


def argument(d, t, x, o, c, a):
    return tuple((d, 1 if (x if t else o) else (c and a)))


def called(d, t, x, o, c, a):
    print(d, 1 if (x if t else o) else (c and a))


def augmented(d, t, x, o, c, a):
    d |= 1 if (x if t else o) else (c and a)
    d += 2 if (3 if t else o) else (c or a)
    return d


for number in range(32):
    t, x, o, c, a = (number >> place & 1 for place in range(5))
    called(argument(8, t, x, o, c, a), t, x, o, augmented(8, t, x, o, c, a), a)
