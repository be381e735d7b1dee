"""Classes that mention variables of the function around them only where nothing gets."""


def behind_raise(x):
    class A:
        raise NotImplementedError

        def inner():
            return x

    return A


def read_behind_raise(x):
    class A:
        raise NotImplementedError
        z = x

    return A


def never(x):
    class A:
        if 0:
            z = x
        y = 1

    return A


def bound_in_class(x, w):
    class A:
        x = 1
        if 0:

            def z(self):
                return x, w

        y = 1

    return A


def comprehension(x, w):
    class A:
        class C:
            if 0:
                y = [w for i in x]
            y = 1

    return A


class Outer:
    def method(self):
        class C:
            if 0:
                z = __class__
            y = 1

        return C


def in_method(x, w):
    class C:
        """It says something."""

        def m(self, y):
            raise NotImplementedError

            def inner():
                return [w + y for i in x]

            return inner

    return C


for function in (behind_raise, read_behind_raise):
    try:
        function(1)
    except NotImplementedError as error:
        print(repr(error))
print(never(1).y, bound_in_class(1, 2).y, comprehension(1, 2).C.y, Outer().method().y)
try:
    in_method(1, 2)().m(3)
except NotImplementedError as error:
    print(repr(error))
