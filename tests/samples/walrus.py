def f(xs):
    it = iter(xs)
    out = []
    while (x := next(it, None)) is not None:
        out.append(x)
    if (n := len(out)) > 2 and (m := n * 2):
        return n, m, out
    return n

print(f([1, 2, 3]), f([1]))
