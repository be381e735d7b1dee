def found(items, t, o):
    return [1 for x in items if t == t >= 1 <= (o or x) if t]


def decided(c, t, o):
    if t == t >= 1 <= (o or c) and t:
        return "first"
    elif t < o < (t if o else c) or t < (o and c) < o:
        return "second"
    while t < (o or c) and o in (c or t, t):
        o, t = o - 1, t + 1
    return t < (o or c) < 3 and t


def of_three(c, t, o):
    if c <= t <= (o and 2) != 3 and t:
        c += 1
    while c < 9 > (t or o) != c and o:
        c, o = c + 1, o - 1
    return [x for x in (1, 2) if c >= t < (o if c else t) != 5 if x], c > t > (o or c) < 7 or o


for number in range(27):
    digits = [number // 9, number // 3 % 3, number % 3]
    print(found([1, 2], *digits[1:]), decided(*digits), of_three(*digits))
