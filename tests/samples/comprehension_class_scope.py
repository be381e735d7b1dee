class C:
    n = 3
    xs = [i * 2 for i in range(n)]
    ys = list(x for x in xs)
    zs = {k: v for k, v in zip("ab", ys)}

print(C.xs, C.ys, C.zs)
