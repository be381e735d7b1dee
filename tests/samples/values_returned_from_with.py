"""`return` of `and`, `or` and chains in `with` and `try`, where others leave too."""


def loop_first(m, s, a, b):
    with m:
        for i in s:
            return i
        return a or b


def condition_first(m, a, b, c):
    with m:
        if c:
            return False
        g()
        return a and b


def choice(m, a, b, c):
    with m:
        return a and b if c else m


def under_finally(a, b, x, y):
    try:
        if a:
            g()
            return x and y
    finally:
        g()


def alone(a, b):
    try:
        return a or b
    finally:
        g()


def chain_behind_loop(m, s, a, b):
    with m:
        for i in s:
            if i:
                return True
        return a < b < s


def loop_last(m, a, b):
    with a:
        if a:
            return a or b
        for x in a:
            return x


def behind_loop_else(a, x, b):
    with a:
        for z in a:
            break
        else:
            return x
        return a or b


def loop_under_finally(m, s, a, b):
    try:
        for i in s:
            return i
        return a or b
    finally:
        g()


def while_first(m, s, a, b):
    with m:
        while s:
            if a:
                return i.value
        return a.get(b) or None


def choice_in_parentheses(a, b, c, m):
    with m:
        return (a or b) if c else m


def twice(a, b, c, m):
    with m:
        if c:
            g()
            return a or b
        h()
        return a or b
