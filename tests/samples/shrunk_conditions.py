"""Random conditions that needed temporaries or a dispatch loop, shrunk: proven, not run."""


def aug_ternary_cell(d, o):
    total = 0
    def g():
        nonlocal total
        total += (1 if d else 2)
        total += (d if (o or 2) else 1)
    return g


def chain_nested(c, d, b):
    a = c() < 1 < (d() < 1 < b())
    return a


def const_div(t):
    return t(1 / (t if 0 else 2), t, 1)


def d_f1(lo, x, a, b, c):
    return lo <= x < (a if c else b)


def d_f2(lo, x, a, b, c):
    if lo <= x < (a if c else b):
        return 1
    y = lo <= x < (a if c else b)
    y = 0 <= 1 < (a if c else b)
    y = x == 1 == (a if c else b)


def d_f2b(lo, x, a, b, c):
    y = x > 1 != (a if c else b)


def d_f2c(lo, x, a, b, c):
    x > 1 != (a if c else b)


def d_f3(lo, x, a, b, c):
    y = lo <= x < (a or b)
    y = lo == x == (lo == x >= a)
    y = lo() == 1 == (lo == 1 >= a)


def d_f4(k, t):
    a = k == 1 != (k == 1 >= t)


def e_g1(k, t, c, m):
    x = (k if t else (c and m)) or k
    return x


def e_g2(k, t, c, m):
    x.y = (k if t else (c and m)) or k


def e_g2b(k, t, c, m):
    x = (k if t else (c and m)) or 1
    x = (k if t else (c and t)) or 1
    x = (k if t else (c and t())) or k()


def e_g3(t, a, b, c, d):
    c = b = t or (a if t else d and c) or a or t


def e_g3b(t, a, b, c, d):
    c = b = t or (a if t else (d and c)) or 1 or t


def e_g3c(t, a, b, c, d):
    return t or (a() if not d else (d and c)) or b()


def e_g4(b, t, k):
    t() and (t or b if not t else t) and k


def e_g4b(b, t, k):
    x = t() and (t or b if not t else t) and k


def e_g9(t, c, k, a):
    t() or (c and k())
    a = t(1)
    raise a


def r_f1(t, b, k):
    t() or (t(1) if b else k)


def r_f2(t, b, k):
    t or t() or (t if b else k())
    return t


def s_f4(a, d, t, k):
    b = a[d if t else k] = t()
    b = a[d if t(1) else k].x = t()


def s_f5(t, B):
    t() and t(2) and t(3)
    t
    raise B from t


def x_f5(t, B):
    t() and t(2) and t(3)
    t
    raise B from t


def y_f2(t, b, k):
    t or t() or (t if b else k())
    return t


def y_f5(t, k):
    t and k <= t() != 1


def y_f6(t, k):
    t and k <= t() != 1
    return t
