"""Chained comparisons with another one as their last operand, wherever the value goes."""


def say(value):
    print("say", value)
    return value


def stored(k, t):
    a = k == 1 != (k == 1 >= t)
    return a, 1


def stored_last(k, t):
    global seen
    seen = say(k) < 1 < (say(t) < 1 < say(2))


def argument(k, t):
    return say(say(k) <= 1 < (say(t) < 2 < say(3)))


def returned(k, t):
    return say(k) <= 1 <= (say(t) < 2 < say(3))


def dropped(k, t):
    say(k) <= 1 <= (say(t) < 2 < say(3))


def tested(k, t):
    if say(k) <= 1 <= (say(t) < 2 < say(3)):
        say("yes")
    return k


for first in (0, 1, 2):
    for second in (0, 1, 2):
        for function in (stored, stored_last, argument, returned, dropped, tested):
            seen = None
            print(function.__name__, function(first, second), seen)
