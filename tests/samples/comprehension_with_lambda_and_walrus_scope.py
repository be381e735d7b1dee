def f(xs):
    return [(lambda y: y + x)(1) for x in xs if (last := x)], last, [[(x, y) for y in range(x)] for x in xs if x > 1]

print(f([1, 2, 3]))
