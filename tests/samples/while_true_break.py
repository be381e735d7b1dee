def f(it):
    it = iter(it)
    out = []
    while True:
        x = next(it, None)
        if x is None:
            break
        if x % 2:
            continue
        out.append(x)
    return out

print(f([1, 2, 3, 4]))
