"""Chained comparisons as statements at the end of a handler, a round or a function."""


class Loud:
    def __init__(self, number):
        self.number = number

    def __lt__(self, other):
        print(self.number, "<", other.number)
        return self.number < other.number


def in_handler(f, low, high):
    try:
        f()
    except TypeError:
        low < high < low
    return low.number


def in_named_handler(f, low, high):
    for _ in range(2):
        try:
            f()
        except TypeError as error:
            high < low < high


def at_the_end(low, high):
    for _ in range(2):
        low < high < low


one, two = Loud(1), Loud(2)
print(in_handler(None, one, two), in_handler(None, two, one), in_handler(int, one, two))
in_named_handler(None, one, two)
in_named_handler(None, two, one)
at_the_end(one, two)
try:
    None()
except TypeError:
    one < two < one
