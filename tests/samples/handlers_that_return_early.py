"""Returns in the arms of a handler that goes on, and loops whose body ends in `try` and `raise`."""


def nested_arms(a, b):
    try:
        a.missing
    except AttributeError:
        if a:
            if b:
                return
            print("inner")
        print("handler")


def named(a, b):
    try:
        a.missing
    except AttributeError as error:
        if a:
            if b:
                return
            print("inner", type(error))
        print("handler")
    print("behind")


def raises_behind_try(a, b):
    for x in range(a):
        for y in range(b):
            if y:
                try:
                    seen = x // (y - 1)
                except ZeroDivisionError:
                    pass
                raise KeyError(x)
    print("never raised")


def chained(a, b):
    for x in range(3):
        if not a == b == x:
            return
    print("all")


def finished_late(a, b):
    return dict(value=int(a or 0) if b else None), str(int(a and 1) if b else 5)


def called_with_choice(a, b):
    print(a if b else "other")


for function in (
    nested_arms,
    named,
    raises_behind_try,
    chained,
    finished_late,
    called_with_choice,
):
    for a in range(3):
        for b in range(3):
            try:
                print(function.__name__, a, b, function(a, b))
            except KeyError as error:
                print(function.__name__, a, b, repr(error))
