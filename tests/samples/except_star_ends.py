# min: 3.11
"""Clauses of `except*` that always raise, and statements behind them that end the function."""


def goes_on(error):
    try:
        raise error
    except* ValueError as values:
        raise
    except* TypeError as types:
        if len(types.exceptions) > 1:
            raise KeyError(1)
        raise KeyError(2)
    print("never")


def has_else(f):
    try:
        while f():
            pass
    except* ValueError:
        pass
    else:
        print("nothing raised")


def under_if(f, other):
    if f:
        try:
            with other as o, other as p:
                print(o, p)
        except* ValueError as found:
            pass
    elif other:
        print("other")


def loops(items):
    for item in items:
        try:
            print(1 // item)
        except* ZeroDivisionError as error:
            raise
        else:
            print("no error")
            return item
        print("never")


class Manager:
    def __enter__(self):
        return 1

    def __exit__(self, *args):
        print("exit")


for error in (ValueError(1), TypeError(2), ExceptionGroup("two", [TypeError(3), TypeError(4)])):
    try:
        goes_on(error)
    except BaseException as raised:
        print(repr(raised))
has_else(int)
has_else(lambda: int("a"))
under_if(1, Manager())
under_if(0, 1)
print(loops([1]), loops([]))
try:
    loops([0])
except BaseException as raised:
    print(repr(raised))
