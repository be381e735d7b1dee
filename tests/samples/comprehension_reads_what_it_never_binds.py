"""A variable of a comprehension that is read before its `for`, which nothing ever reaches."""

it = range
x = 1


def condition_never_true(d):
    return any(v2 for v1 in it(d) if v2 and not 1 for v2 in it(15))


def several(d):
    return any((x and v2) for v1 in it(d) if (v2 and x and 0) for v2 in it(15) for v3 in it(v2))


def not_read(d):
    return any(v2 for v1 in it(d) if not 1 for v2 in it(15))


for run in (condition_never_true, several, not_read):
    for size in (0, 1):
        try:
            print(run(size))
        except NameError as error:
            print(type(error).__name__)


def inlined(d):
    return [(v2, v3) for v1 in it(d) if v2 and x and 0 for v2 in it(15) for v3 in it(v2)]


def in_a_class(d):
    class Body:
        y = {v2 for v1 in it(d) if v2 and x and 0 for v2 in it(15) for v3 in it(v2)}

    return Body.y


for run in (inlined, in_a_class):
    for size in (0, 1):
        try:
            print(run(size))
        except NameError as error:
            print(type(error).__name__)
