def value():
    print("value")
    return 7


def f(t, b, v):
    t[b and 1] = c = value()
    t[b or 1] = t[b if v else 2] = value()
    t[b < len(v) < 2] = c = value() + c
    t[b < len(v) < 2], c = value(), 1
    t[b or 1], c = value(), c
    t[(c := 1)] = d = value()
    t[(c := 2)], e = value(), 1
    t[b is None] = c = value()
    t[len([x for x in v])] = g = value() + c
    return t, c, d, e, g


t, b = {}, 0
t[b and 1] = c = value()
t[b or 1], c = value(), 1
print(f({}, 0, [1, 2]), f({}, 1, []), t, c)
