def f(xs):
    ys = [y for x in xs if (y := x * 2) > 2]
    total = 0
    partial = [total := total + v for v in xs]
    return ys, partial, total, y

print(f([1, 2, 3]))
