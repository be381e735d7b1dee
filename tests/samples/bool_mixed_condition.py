def f(a, b, c, d):
    if (a and b) or (c and not d):
        return 1
    if not (a or b) and (c or d):
        return 2
    if a and (b or (c and d)):
        return 3
    return 4

print([f(a, b, c, d) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)])
