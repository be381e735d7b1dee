"""A group of tests in parentheses whose outcome is tested again, in a handler."""


class Truth:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


async def names(action, a, b, c, d):
    try:
        action()
    except KeyError:
        ((a or b) or c) and d


async def constants(action, a, c, d):
    try:
        action()
    except KeyError:
        ((a or 1) or 1) and d
        ((a or 1) or c) and d


async def returned(action, a, b, c, d):
    try:
        action()
    except KeyError:
        return ((a or b) or c) and d


async def chosen(action, a, b, c):
    try:
        action()
    except KeyError:
        if (a and b) and c:
            return "all"
        while (a or b) or c:
            return "any"
        return "none"


def key():
    return {}["k"]


def run(coroutine):
    try:
        coroutine.send(None)
    except BaseException as error:
        return repr(error)


for first in (True, False, ValueError("a"), OSError("b")):
    for second in (True, False, TypeError("c")):
        values = Truth(first), Truth(second)
        print(run(names(key, *values, 0, 1)), run(constants(key, *values, 1)))
        print(run(chosen(key, *values, 1)), run(returned(key, *values, 0, 1)).split(".")[0])
