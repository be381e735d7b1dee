def f(g, a):
    return g(-(1 if a else 2))


print(f(abs, 0), f(str, 1))
