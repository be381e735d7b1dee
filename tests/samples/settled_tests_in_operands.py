"""Tests that decide nothing: in an operand of more, in an arm of a test, and constants chosen."""


class Thing:
    y = 2


def say(value):
    print("say", value)
    return value


def cell(d, o):
    total = 0

    def add():
        nonlocal total
        total += d if (o or 2) else 1

    add()
    return total


def attribute(k, t):
    thing = Thing()
    thing.y **= k if t else k
    return thing.y


def attribute_last(k, t):
    Thing.y **= k if t else k


def item(k, t):
    values = [k, t]
    values[1] += k if (t or 2) else 1
    return values


def module(k, t):
    global count
    count += k if (t or 2) else 1


def local(k, t):
    k += t if (k or 2) else 1
    return k


def argument(k, t):
    return max(k, say(t) if (k or 2) else 1, 3)


def tested(k, t):
    count = 0
    for value in (k, t):
        if ((say(value) or 2) if k else say(t)) and say(2):
            pass
        else:
            count += 1
    return count


def never(k, t):
    if ((say(t) and 0) if k else say(t)) or say(k):
        return 1
    return 2


def arm_on_lines(k, t):
    if k:
        if say(t):
            pass
    elif t:
        say(k)
    return 2


def quotient(k, t):
    return max(1 / (t if 0 else 2), t), 7 - (k if 0 else 3)


def no_quotient():
    try:
        return 1 / 0
    except ZeroDivisionError:
        return 3


count = 0
for first in (0, 1, 2):
    for second in (0, 1, 2):
        for function in (cell, attribute, attribute_last, item, module, local, argument, tested):
            print(function.__name__, function(first, second), count)
        for function in (never, arm_on_lines, quotient):
            print(function.__name__, function(first, second))
print(no_quotient())
