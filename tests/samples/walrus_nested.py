b = [(b := (c := 2)), 1]
print(b, c)
c %= (b := (c := 3))
print(b, c)


def f(t):
    return [(b := (c := t)), b, c], (d := (e := t and 1)), d, e


print(f(0), f(2))


def dropped(x):
    (y := (z := x))
    return y, z


print(dropped(4))
