def f(a, b, c):
    x = (a or b) if c else (a and b)
    y = a and (b if c else not b)
    return x, y

print([f(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
