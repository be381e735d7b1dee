"""Free variables in comprehensions of a class body whose element nothing ever reaches."""


def read_before(c=5):
    class Body:
        a = c = [print(8) for v in (1, 2) if c for w in (3,) if False]

    return Body.a, Body.c


def with_variables_of_its_own(c=5):
    class Body:
        try:
            a = {v: w for v in (c,) if c and w and 0 for w in (c, v)}
        except NameError as error:
            a = type(error).__name__

    return Body.a


print(read_before(), with_variables_of_its_own())
