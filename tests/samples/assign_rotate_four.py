def f(a, b, c, d):
    a, b, c, d = d, c, b, a
    a, b, c, d = b, c, d, a
    return a, b, c, d

print(f(1, 2, 3, 4))
