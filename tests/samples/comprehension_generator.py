def f(xs):
    g = (x * x for x in xs if x)
    return sum(g), max((len(s) for s in map(str, xs)), default=0), any(x > 2 for x in xs), "".join(str(x) for x in xs)

print(f([0, 1, 2, 30]))
