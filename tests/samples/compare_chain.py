def f(a, b, c, d):
    return a < b < c, a < b <= c != d, (a < b) < c

print(f(1, 2, 3, 4), f(3, 2, 1, 0), f(1, 1, 1, 1))
