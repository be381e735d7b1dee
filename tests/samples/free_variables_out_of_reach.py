"""Lambdas and comprehensions with free variables that only code out of reach reads."""


def choices(a, b, c):
    first = lambda x: (x if 2 else c)
    second = lambda *xs, **ys: (xs if 1 else a) or (b if 0 else ys)
    third = lambda: (a if 0 else (lambda: b if 1 else c))
    return first(1), second(2, k=3), third()()


def loops(a, b, d):
    one = [*(x for x in a if (1 if 2 else d))]
    two = list((x, y) for x in a if (0 and d) or x for y in a if (3 or b))
    three = dict((x, a) for x in [(a if 1 else (b, d))[0]])
    four = [(x and a) or (None if 0 else (b if 1 else d)) for x in a]
    five = {x: (a if 1 else d) for x in a if 3 or b}
    six = sum(x if 1 else (b, d) for x in a)
    return one, two, three, four, five, six


class Holder:
    size = 3

    def method(self, other):
        return lambda: super().__init__() if 1 else other, [*(1 if 5 else (other, x) for x in [2])]


print(choices(1, 2, 3))
print(loops([1, 2], 3, 4))
print(Holder().method(5)[0](), Holder().method(5)[1])
