"""A conditional expression as the last operand in parentheses; 3.14 tells where they stood."""


class Stops:
    def __init__(self, value=None):
        self.value = value

    def __bool__(self):
        if self.value is None:
            raise StopIteration("asked")
        return self.value


def dropped(a, b, c, d):
    ((a or (b if c else d)) or 1)
    yield 1


def kept(a, b, c, d):
    x = (a or (b if c else d)) or 1
    yield x


def both(a, b, c, d):
    x = (a and (b if c else d)) and (a or (b and (c if d else a)))
    yield x


def tell(function, *values):
    try:
        return [getattr(each, "value", each) for each in function(*values)]
    except (StopIteration, RuntimeError) as error:
        return type(error).__name__


YES, NO, ASKED = Stops(True), Stops(False), Stops()
for function in (dropped, kept, both):
    print(function.__name__, tell(function, NO, NO, YES, YES), tell(function, YES, YES, NO, YES))
    if function is kept:
        print(tell(function, NO, ASKED, YES, YES), tell(function, NO, YES, ASKED, YES))
