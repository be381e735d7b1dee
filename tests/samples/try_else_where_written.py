# reads: as written
# min: 3.11
"""What runs when nothing was raised, under `else` or behind a `try` whose clauses leave."""


def under_else(action, x):
    try:
        y = action(x)
    except ZeroDivisionError:
        return "zero"
    else:
        print(y)
        return y


def behind(action, x):
    try:
        y = action(x)
    except ZeroDivisionError:
        return "zero"
    print(y)
    return y


def some_under_else(action, x):
    try:
        y = action(x)
    except ZeroDivisionError as error:
        print(error)
        raise ValueError from error
    else:
        print(y)
        if y > 1:
            print("more")
    print("behind")


def with_finally(action, x):
    try:
        y = action(x)
    except ZeroDivisionError:
        return "zero"
    else:
        print(y)
    finally:
        print("done")


def inside_finally(action, x):
    try:
        try:
            y = action(x)
        except ZeroDivisionError:
            return "zero"
        print(y)
    finally:
        print("done")


def in_loop(action, x):
    for each in x:
        try:
            y = action(each)
        except ZeroDivisionError:
            print("zero")
            break
        else:
            print(y)
            print("next")
    print("behind")


def divide(x):
    return 2 / x


for function in (under_else, behind, some_under_else, with_finally, inside_finally):
    for x in (0, 1, 2):
        try:
            print(function.__name__, function(divide, x))
        except ValueError as error:
            print(repr(error))
in_loop(divide, (1, 0, 2))
