def f(a, b):
    x = a or b
    y = a and b
    x = x or y or "default"
    d = {"k": a and b, str(a or b): not a}
    return x, y, d, [a or 1, b and 2], (a or b)[0:1] if isinstance(a or b, list) else None

print(f(0, 0), f(1, 0), f(0, [5]), f([], [6]))
