def f(a, b, c, xs):
    a, b = b, a
    a, b, c = c, a, b
    xs[0], xs[1] = xs[1], xs[0]
    a, xs[a] = 1, "at"
    return a, b, c, xs

print(f(0, 1, 2, [10, 11, 12]))
