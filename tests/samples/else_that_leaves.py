"""What follows an `if` whose `else` leaves."""


def f(a, b, c, d, e):
    if a and b:
        a = 1
    else:
        return False
    if c or d:
        return False
    if not c:
        return a
    else:
        return b


def g(a, b):
    if a:
        if b:
            print(1)
        else:
            raise ValueError
        print(3)
    else:
        raise TypeError
    print(2)
    return 1


def h(a, b):
    for x in a:
        if b:
            print(x)
        else:
            return 2
        print(4)
    print(5)


def k(a, b):
    if a:
        x = 1
    elif b:
        x = 2
    else:
        raise ValueError
    return x


def m(a, b):
    if a:
        with b:
            x = 1
    else:
        raise ValueError
    print(x)
    return x


def n(a, b):
    if a:
        try:
            x = 1
        except E:
            x = 2
    else:
        raise ValueError
    print(x)
    return x


def o(a, b):
    while True:
        if a:
            x = 1
            break
        else:
            return 2
    print(x)


def p(a, b):
    if a:
        return 1
    else:
        print(b)
    print(a)


def q(a, b):
    if a:
        if b:
            return 1
    else:
        return 2
    print(3)


def r(a, b):
    if a:
        while b:
            b()
    else:
        return 2
    print(3)
