class O:
    pass

def f():
    a = b = c = [0]
    o = O()
    d = {}
    o.x = d["k"] = e = 5
    (p, q), r = s = (1, 2), 3
    x = y, z = 7, 8
    return a is b is c, o.x, d, e, p, q, r, s, x, y, z

print(f())
