# reads: as written
"""A `finally` body that always raises, over a `return` with a value, inside other blocks."""
from contextlib import suppress


def show(*what):
    print(*what)


def in_try(action, x):
    try:
        try:
            action()
        except KeyError:
            return x
        finally:
            show("finally")
            raise ValueError(x)
    except ValueError as error:
        show("raised", error)


def in_with(action, x):
    with suppress(ValueError):
        try:
            action()
        except KeyError:
            show("key")
            return x
        finally:
            show("finally")
            raise ValueError(x)
    show("behind")


def fail(kind):
    raise kind


for function in (in_try, in_with):
    for action in (int, lambda: fail(KeyError), lambda: fail(TypeError)):
        show(function(action, 1))
