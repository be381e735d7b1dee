# min: 3.11
# reads: as written
"""`except*` in the body or a handler of another statement, and clauses that end in `raise`."""
from contextlib import nullcontext


def fail(*kinds):
    if kinds:
        raise ExceptionGroup("several", [kind() for kind in kinds])


def in_body(kinds, more):
    try:
        try:
            fail(*kinds)
        except* KeyError:
            print("key")
        else:
            fail(*more)
    except* ValueError:
        print("value")


def in_handler(kinds, more):
    try:
        fail(*kinds)
    except ExceptionGroup as error:
        try:
            fail(*more)
        except* KeyError:
            print(error)
            raise OSError
        else:
            print("fine")


def raises_behind_with(kinds, more):
    try:
        fail(*kinds)
    except* KeyError as error:
        with nullcontext():
            print(error.exceptions)
        raise OSError


def raises_behind_try(kinds, more):
    try:
        fail(*kinds)
    except* KeyError:
        try:
            fail(*more)
        except* ValueError:
            print("value")
        raise OSError


def tell(error):
    kinds = getattr(error, "exceptions", ())
    return type(error).__name__, [tell(each) for each in kinds]


for function in (in_body, in_handler, raises_behind_with, raises_behind_try):
    for kinds in ((), (KeyError,), (ValueError,), (KeyError, ValueError)):
        for more in ((), (KeyError,), (ValueError, KeyError)):
            try:
                print(function.__name__, function(kinds, more))
            except Exception as error:
                print(function.__name__, tell(error))
