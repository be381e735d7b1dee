def f(g, a):
    return g(-(1 if a else 2))


print(f(abs, 0), f(str, 1))


def others(g, a, b):
    if b:
        return g(~(3 if a else 4))
    return -(1 if a else 2 if b else 300)


print(others(abs, 0, 0), others(str, 1, 1), others(str, 1, 0))
