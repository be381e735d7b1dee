"""Loops in both arms that return, loops that leave the loop around them, tests that only raise."""


def in_both_arms(a, found):
    if a:
        for each in a:
            if each == found:
                return
    else:
        for each in (1, 2):
            if each == found:
                return
    print("not found")


def in_nested_arms(a, found):
    if a:
        if found:
            for each in a:
                if each == found:
                    return
        else:
            for each in a:
                if not each:
                    return
        print("none")
    else:
        print("empty")


def breaks_into_the_next_round(a, found):
    while a:
        a = a[1:]
        for each in a:
            break
        else:
            return
    print("end")


def raises_when_set(a, found):
    while True:
        if a is not None:
            raise KeyError(found)
        a = found


def raises_when_not_in(a, found):
    while True:
        if found not in a:
            raise KeyError(found)
        a = a[1:]


def kept_for_nothing(a, found):
    for each in a:
        each and print(each)
    for each in a:
        if each == found:
            each or print("zero")
        else:
            each and print("other")
    while a:
        a and found and print(a)
        a = a[1:]


for function in (
    in_both_arms,
    in_nested_arms,
    breaks_into_the_next_round,
    raises_when_set,
    raises_when_not_in,
    kept_for_nothing,
):
    for a in ([], [1], [1, 2], [0, 2]):
        for found in (0, 2):
            try:
                print(function.__name__, a, found, function(a, found))
            except KeyError as error:
                print(function.__name__, a, found, repr(error))
