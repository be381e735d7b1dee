# min: 3.8
"""Constants in conditions: the test before one is made and decides nothing."""


def branch(a, b, c, d):
    if a and (d or (b and (c or 3))):
        return "all"
    if a or (d and (b or (c and 0))):
        return "some"
    return "none"


def loop(a, b, c, d):
    left, found = [0, 1, 2], []
    while left.pop() and (d or (b and (c or 3))):
        found.append(len(left))
    while left and left.pop() or (a and (b or (c and 0))):
        a = 0
    return found


def value(a, b, c, d):
    return [x for x in (1, 2) if a and (d or (b and (c or True)))], 1 if b or (c and 0) else 2


for number in range(16):
    a, b, c, d = (number >> place & 1 for place in range(4))
    print(branch(a, b, c, d), loop(a, b, c, d), value(a, b, c, d))
