"""Conditional expressions inside and, or and chains, where a function ends right after them."""


def returned(a, b, c, d):
    return a or (b if c else d)


def returned_and(a, b, c, d):
    return a and (b if c else d)


def returned_deep(a, b, c, d):
    return (a if b else c) and (d if a else b)


def nested(a, b, c, d):
    return ((a and b) if c else d) if a else b


def stored(a, b, c, d):
    x = a or (b if c else d)
    return x


def in_a_list(a, b, c, d):
    return [(a or b) and (c if d else a), 1]


def in_a_call(a, b, c, d):
    print((b or a) and (a if b else c), d)


def raised(a, b, c, d):
    raise ValueError(a or (b if c else d))


def raised_itself(a, b, c, d):
    error = ValueError(a)
    raise (a and error) or (error if b else error)


def yielded(a, b, c, d):
    yield a or (b if c else d)


def chained(a, b, c, d):
    return a < b < (c or d)


def chained_in_with(a, b, c, d):
    with Manager():
        return (d or c) and (a < b < c)


def chained_in_ternary(a, b, c, d):
    return (a < b < (c and d)) if d else b


def chained_loop(a, b, c, d):
    found = []
    while a < b < (c if d else 3):
        a += 1
        found.append(a)
    return found


def chained_in_comprehension(a, b, c, d):
    return [x for x in (a, b) if x < b < (c or d)]


def nested_call(a, b, c, d):
    print(b if (d and b) else (c if a else d))


class Manager:
    def __enter__(self):
        print("in")

    def __exit__(self, *args):
        print("out")


functions = (
    returned, returned_and, returned_deep, nested, stored, in_a_list, in_a_call, raised,
    raised_itself, chained, chained_in_with, chained_in_ternary, chained_loop,
    chained_in_comprehension, nested_call,
)
for number in range(16):
    values = [number >> i & 1 and i + 1 for i in range(4)]
    print(list(yielded(*values)))
    for function in functions:
        try:
            print(function.__name__, function(*values))
        except ValueError as error:
            print(function.__name__, repr(error))
