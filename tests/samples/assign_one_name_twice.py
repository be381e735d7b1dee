"""Several targets of one name: newer compilers keep only the store that counts."""


def swapped(k):
    _, _, _ = k("a"), k("b"), k("c")
    return _


def first_differs(k):
    x, _, _ = k("a"), k("b"), k("c")
    return x, _


def last_differs(k):
    _, _, x = k("a"), k("b"), k("c")
    return x, _


def two(k):
    _, _ = k("a"), k("b")
    return vars(Noted(_))


def unpacked(k):
    _, _, x = k("abc")
    for _, _ in ["xy", "zw"]:
        print(_)
    return [_ for _, _ in ["xy"]], _, x


class Noted:
    def __init__(self, value):
        self.value = value


def noted(value):
    print("made", value)
    return value


for function in (swapped, first_differs, last_differs, two, unpacked):
    print(function.__name__, function(noted))
