def both(a, b, leave):
    while a and not b:
        if leave:
            break
        a = a[1:]
    else:
        print("else")
    print("end")
    return a


def three(a, b, c):
    while a and not b and c:
        a = a[1:]
        if len(a) == 1:
            b = True
    return a, b, c


def either(a, b):
    seen = 0
    while not a or not b:
        seen += 1
        if seen > 1:
            a = True
        if seen > 2:
            b = True
    else:
        seen = -seen
    return seen


for flag in (True, False):
    print(both([1, 2], False, flag), both([1], True, flag), both([], flag, flag))
    print(three([1, 2, 3], flag, not flag), either(flag, not flag))
