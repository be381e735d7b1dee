"""Boolean operators that a constant decides, as statements and as operands of more."""


def say(value):
    print("say", value)
    return value


class Thing:
    a = 7


def statements(t):
    say(t)
    1 or say(12)
    0 and say(12)
    for x in (t, t):
        2j or say(x)
    return t


def text(t):
    "x" or say(t)
    return t


def grouped(t):
    Thing.a -= (1 or say(1) or 2) or say(2)
    return (0 and say(t)) and say(3)


def signs(t):
    return -(2 or t), ~(2 or t), +(2 or t), -3


def negated(t):
    return not (2 or t), not (0 and t)


for number in (0, 1):
    for function in (statements, text, grouped, signs, negated):
        print(function.__name__, function(number), function.__doc__, Thing.a)
