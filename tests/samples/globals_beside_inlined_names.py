"""A global that a nested function reads, and a comprehension with a variable of that name."""

from math import pi as x

y = 2


def in_generator(a):
    total = sum(each * x for each in a)
    return total, [x for x in a]


def in_lambda(a):
    read = lambda: x + y
    return [x for x in a], read(), [z for y, z in zip(a, a)]


def own_variable(a):
    x = 1
    return [x for x in a], (lambda: x)()


class Method:
    def read(self, a):
        read = lambda: x
        return [x for x in a], [function() for function in [lambda: x for x in a]], read()


print(in_generator([1, 2]), in_lambda([3]), own_variable([4]), Method().read([5, 6]), x)
