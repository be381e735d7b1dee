def f(items, t):
    for item in items:
        _ = 1, t
        break
    x = 1, (2, t)
    return item, _, x


print(f([1, 2], 3))
