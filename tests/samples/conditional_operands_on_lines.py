"""Conditional expressions as operands of `and` and `or`, on one line and on several."""


def f(a, b, c, d, e):
    return a and (b or c) and (d if e else a)
def g(a, b, c, d, e):
    return a and (d if e else a)
def h(a, b, c, d, e):
    return a or b and (d if e else a)
def k(a, b, c, d, e):
    return (
        a
        and b
        and (
            d(a)
            if e
            else a
        )
    )
def m(a, b, c, d, e):
    x = a and (b or c) and (d if e else a)
    return x
