def f(xs):
    a, *b = xs
    *c, d = xs
    e, *g, h = xs
    [i, [j, *k]] = 1, (2, 3)
    (m,) = [9]
    return a, b, c, d, e, g, h, i, j, k, m

print(f([1, 2, 3, 4]))
