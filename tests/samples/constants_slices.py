def f(x):
    x[1:2] = [5]
    del x[-1:]
    return x[:2], x[::2], x[1:], x[:], x[0:1:1]

print(f([1, 2, 3, 4]))
