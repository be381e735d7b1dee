"""Loops that never come round: only a `break` out of a `with` or `try` tells of them."""


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, *args):
        print("exit", kind)
        return kind is KeyError


def breaks_or_returns(test, call):
    while test():
        with Manager() as manager:
            call(0)
            break
        return "swallowed"
    return call("behind")


def breaks_in_handler(test, call):
    while test():
        try:
            try:
                value = call(1)
            except ValueError as error:
                break
        finally:
            print("last")
        return value
    print("behind")


def fails(kind):
    def call(number):
        raise kind(number)

    return call


def run(function, *arguments):
    try:
        print(function(*arguments))
    except Exception as error:
        print(repr(error))


for call in (print, fails(KeyError), fails(ValueError), fails(TypeError)):
    for test in (int, lambda: 1):
        run(breaks_or_returns, test, call)
        run(breaks_in_handler, test, call)

while int(1):
    with Manager() as outer, Manager() as inner:
        break
    while not int(1):
        pass
    raise ValueError
