"""Chained comparisons in handlers whose `finally` leaves by itself."""


def say(value):
    print("say", value)
    return value


def fail():
    raise ValueError


def returned(a, b):
    try:
        fail()
    except ValueError:
        return a != say(b) != 1
    finally:
        return 3


def left(a, b):
    while a:
        try:
            fail()
        except ValueError:
            return a != say(b) != 1
        finally:
            break
    return 4


def dropped(a, b):
    try:
        a != 1 >= say(b)
    except ValueError:
        say(a)
    finally:
        return 3


for first in (0, 1, 2):
    for second in (0, 1, 2):
        print(returned(first, second), left(first, second), dropped(first, second))
