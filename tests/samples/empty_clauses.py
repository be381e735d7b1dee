"""Clauses with nothing but `pass`, and more clauses behind them."""


def first(a, b):
    if a == 0:
        pass
    else:
        b()
    b()


def chain(a, b, c):
    if a:
        b()
    elif b == 0:
        pass
    elif c:
        a()
    else:
        c()
    a()


def in_while(a, b, c):
    while a():
        if b:
            pass
        elif c:
            continue
        else:
            b()
        c()
    return a


def in_for(a, b, c):
    for i in a:
        if i:
            pass
        elif b:
            break
        else:
            c()
        i()
    b()


def protected(a, b, c):
    try:
        if a:
            pass
        elif b:
            return 3
        else:
            c()
    finally:
        a()
    with a:
        if b is None:
            pass
        elif c:
            return 4
        else:
            b()
    c()


def in_handlers(a, b, c):
    try:
        a()
    except ValueError:
        if b:
            pass
        else:
            c()
    else:
        if c:
            pass
        else:
            b()
    if a and b or c:
        pass
    elif not a:
        b()
    c()


def leaves_loop(a, b, c):
    while True:
        if a() != b:
            c()
            break
        if c:
            break
    while True:
        if a != b:
            c()
            break
        b()
    return 1


class Body:
    if first:
        pass
    elif chain:
        x = 1
    y = 2
