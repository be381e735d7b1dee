# min: 3.8
"""A constant was chosen before the compiler would have computed with it, and so it did not."""


def signs(t):
    return -(2j or 0 or 2 if 1 else t), +(2.5 or t), -(True or t), ~(True or t), not (2.5 or t)


def arms(t):
    return -(2.5 if 1 else t), ~(3 if 1 else t)


def numbers(t):
    return (2.5 if 1 else t) * 3, 3 * (2j if 1 else t) - 1, 7 // (2 or t), 6 & (3 or t)


def displays(t):
    return ("a" or t) + "b", (1, 2) + ((3,) if 1 else t), ("a" or t) * 3, b"a" + (b"b" or t)


def fields(t):
    return "<%3s>" % (3 if 1 else t,), "<%r>%s" % ((3 if 1 else t), ("a" or t))


print(signs(0), arms(0), numbers(0), displays(0), fields(0))
