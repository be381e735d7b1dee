def f(x):
    try:
        y = 10 / x
    except ZeroDivisionError:
        y = None
    else:
        y += 1
    return y

print(f(0), f(5))
