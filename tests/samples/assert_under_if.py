"""`if` around a single `assert`, which reads like one condition."""


def checked(a, b):
    if a:
        assert b, "x"


def never(a, b):
    if a:
        assert False, "never"


def never_and_on(a, b):
    if a:
        assert False
    print("on")


def chain(a, b):
    if a:
        assert 0, "a"
    elif b:
        assert False, b
    return 2


def in_loop(a, b):
    for each in (a, b):
        if each:
            assert False


def one_condition(a, b):
    assert not (a and b)
    assert not a or b


for function in (checked, never, never_and_on, chain, in_loop, one_condition):
    for a in range(2):
        for b in range(2):
            try:
                print(function.__name__, a, b, function(a, b))
            except AssertionError as error:
                print(function.__name__, a, b, repr(error))
