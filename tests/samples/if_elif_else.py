def f(x):
    if x < 0:
        r = "neg"
    elif x == 0:
        r = "zero"
    elif x < 10:
        r = "small"
    else:
        r = "big"
    return r

print([f(x) for x in (-1, 0, 5, 50)])
