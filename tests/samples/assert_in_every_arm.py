"""Asserts as the only statement of an arm, next to arms that leave."""


def raises_else(a, x, y):
    if a == 1:
        assert x
    elif a == 2:
        assert y
    else:
        raise KeyError(a)
    for each in (x, y):
        print(each)


def returns_else(a, x, y):
    if a == 1:
        assert x, "x"
    elif a == 2:
        assert y, "y"
    else:
        return a
    while x:
        x -= 1
    return "end"


def only_if(a, x, y):
    if a == 1:
        assert x
    else:
        raise KeyError(a)
    return y


def both(a, x, y):
    if a == 1:
        assert x
    else:
        assert y
    return a


def three(a, x, y):
    if a == 1:
        assert x
    elif a == 2:
        assert not y
    elif a == 3:
        assert x and y, a
    print("done")


for function in (raises_else, returns_else, only_if, both, three):
    for a in range(4):
        for x in range(2):
            for y in range(2):
                try:
                    print(function.__name__, a, x, y, function(a, x, y))
                except (KeyError, AssertionError) as error:
                    print(function.__name__, a, x, y, repr(error))
