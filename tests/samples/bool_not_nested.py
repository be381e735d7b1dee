def f(a, b):
    return not (a and not b), not not a, not (a == b)

print([f(a, b) for a in (0, 1) for b in (0, 1)])
