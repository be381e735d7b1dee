# min: 3.8
def f(xs):
    if all(x > 0 for x in xs) and any(x > 2 for x in xs):
        return tuple(x + 1 for x in xs)
    return all(x for x in xs), any(not x for x in xs), tuple(y for x in xs for y in [x])

print(f([1, 2, 3]), f([0, 1]))
