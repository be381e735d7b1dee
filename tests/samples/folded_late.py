"""Slices and tuples that a compiler could make constants of, and does not."""


def bounds(x):
    x[: 1 << 3] = x[: 1 << 2]
    x[2 : 1 << 2] += [1]
    del x[: 1 << 1]
    return x[: 1 << 30], x[1 : 1 << 3 : 2], x[:3], x[-2:]


class Index:
    def __getitem__(self, index):
        return index


def pair(u):
    return 1 if u else 0, 0


def triple(u):
    return (1 if u else 0, 0, "a")


def nested(u, v):
    return ((1 if u else 2 if v else 3), None)


def argument(u, v):
    return str(((1 if u else 2 if v else 3), 0))


def both(u, v):
    return ((1 if u else 2), (3 if v else 4))


def inlined(u, v):
    return max(1, len(tuple(x for x in v) if u else ()))


def inlined_sum(u, v):
    z = 1 + (any(x for x in v) if u else 1)
    return z


print(bounds(list(range(12))), Index()[: 1 << 2, 0], Index()[:4, 0])
for first in (0, 1):
    print(pair(first), triple(first))
    for second in ((), (1, 2)):
        for function in (nested, argument, both, inlined, inlined_sum):
            print(function(first, second))
