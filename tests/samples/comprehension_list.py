def f(xs, k):
    return [x * k for x in xs], [x for x in xs if x > 1 if x < 4], [(x, y) for x in xs for y in range(x) if y]

print(f([1, 2, 3, 4], 2))
