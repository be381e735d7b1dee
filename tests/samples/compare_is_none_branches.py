def f(x, y):
    if x is None:
        return "x none"
    if y is not None:
        return "y some"
    while x is not None:
        x = None
    return "end"

print(f(None, 1), f(1, 1), f(1, None))
