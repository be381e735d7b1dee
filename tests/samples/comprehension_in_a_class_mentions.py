# max: 3.13
"""Free variables that a comprehension in a class body mentions where nothing ever gets."""


def only_mentioned(c=5, d=6):
    class Body:
        a = [c + d for v in (1, 2) if False for w in (c,)]

    return Body.a


print(only_mentioned())
