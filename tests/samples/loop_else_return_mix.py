def f(xs, k):
    for x in xs:
        if x > k:
            if x % 2:
                break
            else:
                continue
        for y in range(x):
            if y == k:
                return "inner", x, y
        else:
            if x == 0:
                continue
            return "inner else", x
    else:
        return "outer else"
    return "broke", x

print(f([], 1), f([0, 0], 1), f([2], 1), f([1], 1), f([9], 3), f([8], 3))
