def f(a):
    print((b := a + 1), b)
    c = [d := a, d ** 2, (e := d) + e]
    return b, c, d, e, (g := lambda: (h := 3) + h)()

print(f(2))
