def f(x, *args, k=1, **kw):
    def g():
        nonlocal x
        x += 1
        return x, args, k, kw
    return g

g = f(1, 2, k=3, z=4)
print(g(), g())
