# min: 3.11
"""A `break` in an `except*` block, out of a loop that a `finally` ends in its first round."""


def left(go, call, c, d):
    try:
        call(1)
    except* ValueError:
        while go() and call(2):
            try:
                if d:
                    call(3)
                elif c:
                    break
                elif call(4):
                    call(5)
                c = call(6)
            finally:
                raise KeyError(7)
        c = call(8)
    return c


def behind(x):
    return x


def call(number):
    print(number)
    if number == 1:
        raise ValueError(number)
    return True


for c in (False, True):
    for d in (False, True):
        try:
            left(lambda: True, call, c, d)
        except* KeyError as group:
            print(repr(group.exceptions[0]), behind(c), behind(d))
