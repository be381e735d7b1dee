# min: 3.8
"""A `break` in a part of a loop that never comes round again, whatever stands behind the loop."""


def into_a_loop(g, a):
    seen = []
    while True:
        r = g(a)
        if r is None:
            if a == 1:
                break
            else:
                return seen
        elif r == 2:
            return 3
        else:
            if r in seen:
                raise ValueError(r)
            seen.append(a)
            a = r
    found = {}
    for each in seen:
        if each != 4:
            found[each] = 1
    return found


def into_a_block(g, a, lock):
    while True:
        if g(a):
            if a == 1:
                break
            return 7
        elif a <= 0:
            return 3
        a -= 1
    with lock:
        a += 1
    return a


def into_the_next_round(rows):
    total = []
    for row in rows:
        while True:
            if row > 5:
                if row > 7:
                    break
                elif row == 7:
                    return total
                raise KeyError(row)
            row += 3
        for each in range(row - 7):
            total.append(each)
    return total


def behind_a_test(g, a):
    while a:
        if g(a):
            if a == 1:
                break
            return 7
        a -= 1
    else:
        return None
    for each in range(3):
        a += each
    return a


def with_a_pass_beside(g, a):
    while True:
        if g(a):
            if a == 1:
                pass
            elif a == 2:
                break
            else:
                return a
            return 8
        a -= 1
    try:
        return g(a)
    finally:
        a = 0


class Lock:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


steps = {9: 8, 8: 1, 5: 2, 4: 4, 1: None, 6: None}
outcomes = []
for start in (9, 5, 4, 6, 1):
    try:
        outcomes.append(into_a_loop(steps.get, start))
    except ValueError as error:
        outcomes.append(str(error))
for limit in (1, 2, 3):
    for start in range(1, 5):
        outcomes.append(into_a_block(lambda a: a == limit, start, Lock()))
        outcomes.append(behind_a_test(lambda a: a == limit, start))
        outcomes.append(with_a_pass_beside(lambda a: a <= limit, start))
for rows in ([8, 9], [2, 9], [4], [6]):
    try:
        outcomes.append(into_the_next_round(rows))
    except KeyError as error:
        outcomes.append(repr(error))
