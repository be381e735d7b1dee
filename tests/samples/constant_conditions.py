def f(x):
    if True:
        a = 1
    else:
        a = 2
    if x and True:
        a += 10
    if x or False:
        a += 100
    b = 3 if 1 else 4
    while not 0:
        break
    return a, b, x if None else "n"

print(f(0), f(1))
