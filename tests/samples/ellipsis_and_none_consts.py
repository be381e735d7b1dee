def f(x=..., y=None):
    return x is ..., y is None, Ellipsis is ..., NotImplemented, __debug__

print(f())
