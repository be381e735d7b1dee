# min: 3.10
"""A guard in which the test of one arm decides nothing."""


def say(value):
    print("say", value)
    return value


def chosen(t, x):
    match x:
        case 1 if (t or 1 or say(t)) if say(t) else t:
            return 1
        case 2:
            return 3
    return 2


for first in (0, 1, 2):
    for second in (0, 1, 2):
        print(chosen(first, second))
