def read_before(c, g, xs):
    c -= (c := g({x for x in xs if (c := x)}))
    d = c + (c := 4)
    return c, d, g([c, (c := 1), [(c := x) for x in xs], c])


def owners(a, i):
    a[i] += (i := 5)
    a[i - 4 : i] += (a := [i, (i := 7)])
    return a, i


def attribute(c):
    c.x += (c := 2)
    return c


class Holder:
    x = 1


def call(values):
    return sum(values)


def nested(c, xs):
    try:
        c += call([[(c := y) for y in (x, x + 1)][0] for x in xs]) + c
    finally:
        c -= (c := call({x: x for x in xs if (c := x)}))
    return c


held = Holder()
print(read_before(9, call, [3, 2]), owners([1, 2], 1), attribute(held), held.x, nested(1, [5, 6]))


def tuples(a, c):
    a, c = c, (c := 3)
    seen = [a, c]
    c, a = (c := 4), a
    a, b, c = (a := c), (b := 5), (c := 6)
    return seen, a, b, c


a, c = 1, (c := 2)
a, c = (d := c), (c := a)
print(tuples(1, 2), a, c, d)
