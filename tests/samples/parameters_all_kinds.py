def f(a, b=2, /, c=3, *args, d, e=5, **kw):
    return a, b, c, args, d, e, kw

def g(*, k):
    return k

def h(a, /):
    return a

print(f(1, d=4), f(1, 2, 3, 4, 5, d=6, z=7), g(k=1), h(2))
