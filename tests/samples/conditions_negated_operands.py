# reads: as written
"""Conditions with `and` and `or` over tests that are the negation of what the bytecode tests."""


def both(a, b):
    if a is not None and b is not None:
        print("both")


def first_of_two(a, b):
    for each in (a, b):
        if a and not b:
            continue
        print(each)


def nested(a, b, c):
    if a is not None and a < 0 or b is not None and b < 0 or c is not None and c < 0:
        raise ValueError


def asserted(a, b):
    assert a is None or b
    assert a is not None and not b or b


def filtered(rows, only):
    return [row for row in rows if row in only or row is not None and not only]


for a in (None, 0, 1, -1):
    for b in (None, 0, 1):
        both(a, b)
        first_of_two(a, b)
        for test in (lambda: nested(a, b, a), lambda: asserted(a, b)):
            try:
                test()
            except Exception as error:
                print(type(error).__name__)
        print(filtered([a, b], [a]))
