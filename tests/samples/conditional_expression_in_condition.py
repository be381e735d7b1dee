def f(a, b, c):
    if (a if b else c):
        return "yes"
    return "no"

print([f(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
