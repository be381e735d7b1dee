class O:
    pass

def f():
    o = O()
    o.a = o.b = 1
    d = {1: 2, 3: 4, 5: 6}
    xs = list(range(10))
    x = y = z = 0
    del o.a, d[1], xs[2:4], xs[::3]
    del x
    del (y, z)
    del d[3], [o.b]
    return vars(o), d, xs, sorted(locals())

print(f())
g1 = 1
del g1
print("g1" in globals())
