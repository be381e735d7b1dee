def f(xs):
    return [x if x % 2 else -x for x in xs if x and x != 3 or x == 0], [a or b for a, b in zip(xs, xs[1:])]

print(f([0, 1, 2, 3, 4]))
