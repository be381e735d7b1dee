"""CPython 3.14 leaves some truth tests inside of `try` uncovered: what they raise is not caught."""


class Truth:
    def __bool__(self):
        raise ValueError("no truth")


def conditional(a, b):
    try:
        call(1) if a else call(2)
        b = ((a and Truth() and a) and 1) if (call(1) >= b == call(1)) else 1
    except ValueError:
        return "caught"
    return b


def call(value):
    return value


try:
    print(conditional(1, 1))
except ValueError as error:
    print("not caught:", error)


def generator(a, b):
    """The whole body of a generator is covered: StopIteration may not leave it as such."""
    b = a and call(b)
    c = ((a or b) or (call(a) or Truth())) or (a and b and Truth()) and a
    yield b, c


print(list(generator(0, 1)), list(generator(1, 1)))
