"""Random programs that had no statement for some way, shrunk: they are proven, not run."""


def ands_in_except(t):
    try:
        t()
    except ValueError:
        t and t.close()
        t()


def two_with_in_finally(t, o):
    try:
        t()
    finally:
        with t, t as o:
            pass
        t(o)


def break_out_of_with2(t, a):
    while 1:
        if go():
            raise t
        with t as c, t as d:
            break
        a //= 1
    return t


def break_out_of_with2b(t, a):
    while True:
        if go():
            raise t
        with t as c, t as d:
            if a:
                break
        a //= 1
    return t


def break_in_try(a, t):
    while 1:
        if go():
            return a
        try:
            if t():
                break
        except E as e1:
            pass
        t()
    t(1)


def continue_in_inner(t, d):
    while go():
        try:
            try:
                t()
            except A as e2:
                continue
            except B as e3:
                pass
            except C:
                continue
        except D as e5:
            pass
        else:
            d //= 1


def while_ternary_and(c, t, o):
    while go():
        if (((t() or 2) if c else t(1)) and t(2)):
            pass
        else:
            o **= 1


def while_ternary_and2(c, t, o):
    while go():
        if (t() if c else t(1)) and t(2):
            o += 1
        else:
            o **= 1


def e_g5(t):
    for d in t:
        try:
            t(d)
        except:
            with t:
                break
        t()


def e_g6(d, t):
    try:
        d or t()
        d = 1
    finally:
        t(2)


def e_g7(d, t):
    try:
        t()
    except E:
        d and t()
        t(1)


def e_g8(t, y):
    with t as a:
        try:
            t()
        except A as e1:
            for d in y:
                raise
            return 1
        except:
            pass


def e_g12(b, c):
    try:
        t()
    except E:
        b or c()
        c = 1
    finally:
        return c


def e_g14(t):
    while go():
        with t as a, t:
            break
    else:
        return
    raise t


def e_g15(t):
    try:
        t() and t(1)
        return t()
    finally:
        t(2) or t(3)


def e_g16(t):
    try:
        t() and t(1)
        t(0)
    finally:
        return


def j_f0(a, t):
    while 1:
        if go():
            raise t
        if t():
            try:
                t = t(1)
            except V:
                break
            finally:
                t(2)
            return t
        elif a:
            a -= t
            break
    t(3)


def j_f1(b, c, k, t):
    while not go() or k == (c or k) <= t >= 1:
        try:
            b = 1
            break
        except V:
            pass
    else:
        o = t
    return t


def j_f2(b, c, k, t):
    while not go() or k >= (k and t) <= c:
        if b:
            continue
        t()
    else:
        t(1)
        b = t(1)


def j_f5(a, t):
    try:
        return t
    except:
        try:
            a = t()
        finally:
            return t(1)
    finally:
        t(6)


def j_f7(a, t):
    try:
        try:
            while go():
                a = t()
                break
        finally:
            t(1)
    finally:
        yield


def k_f(a, t):
    while 1:
        if go():
            raise t
        if t():
            try:
                t = t(1)
            except V:
                break
            return t
        elif a:
            a -= t
            break
    t(3)


def r_f3(t, b, k):
    with t as c:
        try:
            d = t()
        except V as e6:
            t or (d >= t == k)


def r_f4(t, d, k):
    try:
        t()
    except V:
        pass
    else:
        t and k <= t() != 1
    finally:
        t(1)


def s_f1(k, b):
    try:
        k and b()
        b <<= 1
    finally:
        pass


def s_f2(k, b):
    try:
        k and b()
        b <<= 1
    finally:
        b()


def s_f3(a, t):
    with t, t as c, t:
        for d in t:
            try:
                t()
            except A as e4:
                return
            except B:
                continue
            except C as e25:
                pass
            a = t(1)
    t(4)


def s_f6(t, o):
    try:
        t()
    except E as e12:
        t() or t(2)
        o
    return t


def s_f7(t, o):
    try:
        t and t()
        return o
    finally:
        return


def s_f8(t, o):
    try:
        t and t()
        o.x = 1
    except E:
        t and t()
        o.x = 1
    else:
        t and t()
        o.x = 1
    finally:
        t and t()
        o.x = 1


def s_f9(t, o):
    with t:
        t and t()
        o.x = 1
    while t:
        t or o()
        o.x = 1
    for x in t:
        t or o()
        o.x = 1
    t or o() or x()
    del t


def x_f6(t, o):
    try:
        t()
    except E as e12:
        t() or t(2)
        o
    return t


def x_f7(t, o):
    try:
        t and t()
        return o
    finally:
        return


def y_f4(t, d, k):
    try:
        t()
    finally:
        t(1)
    t and k <= t() != 1


def q2_f(t, b):
    try:
        b = 1
    finally:
        x = [1 for v in t if {k: 3 for k in t if k}]


def q2_f2(t, b):
    try:
        b = 1
    finally:
        x = {a: [c for c in a] for a in t}


def i_g8(t, y):
    with t as a:
        try:
            t()
        except A as e1:
            for d in y:
                raise
            return 1
        except B:
            pass


def h1_f(numbers, log):
    for number in numbers:
        try:
            log(number)
        except E:
            with log:
                break
        log(1)
    return log
