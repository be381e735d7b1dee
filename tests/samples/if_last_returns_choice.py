"""An `if` at the end of a function, with a `return` of `and` or `or` in it."""


def f(s):
    if len(s) > 0:
        x = s[0]
        return x.a is not None and not x.b
def g(s):
    if s:
        return s.a and not s.b
def h(s):
    if s:
        return s.a or s.b
def k(s):
    if s:
        return not s.a and not s.b
    print(3)
def m(s):
    if s:
        return 1 if s.a else 2


def n(s):
    return s.a or s.b if s else None
