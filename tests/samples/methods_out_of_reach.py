"""Classes none of whose methods is ever made, though the compiler knows that they use `super()`."""


class Never:
    x = 1
    if 0:

        def method(self):
            return super().x


def fails(call):
    class Inside:
        """Of which nothing is left."""

        for each in call:
            print(each)
        raise KeyError(each)

        def method(self):
            return super().method, call

    return Inside


class Made:
    def method(self):
        return __class__


print(Never.x, Made().method())
try:
    fails([1, 2])
except KeyError as error:
    print(repr(error))
