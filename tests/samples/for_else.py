def f(xs, y):
    for x in xs:
        if x == y:
            r = "found"
            break
    else:
        r = "missing"
    return r

print(f([1, 2], 2), f([1, 2], 3), f([], 1))
