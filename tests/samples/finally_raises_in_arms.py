"""`finally` bodies of which some arms raise and others just end."""


def chooses(call, value):
    try:
        call()
    finally:
        if value == 1:
            print("one")
        elif value == 2:
            raise
        else:
            raise KeyError(value)


def fails():
    raise ValueError("fails")


for call in (print, fails):
    for value in (1, 2, 3):
        try:
            chooses(call, value)
        except (ValueError, KeyError, RuntimeError) as error:
            print(repr(error))

try:
    print("body")
finally:
    if value == 3:
        print("three")
    else:
        raise KeyError
