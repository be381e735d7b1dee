def f(t):
    d = 1

    def listed(t):
        nonlocal d
        return [1 for v in t if (d := v)]

    def generated(t):
        nonlocal d
        return any((d := v) > 2 for v in t)

    def nested(t):
        nonlocal d
        return [[(d := w) for w in (v, 0)] for v in t]

    return listed(t), d, generated(t), d, nested(t), d


print(f([1, 2, 3]), f([0]))
