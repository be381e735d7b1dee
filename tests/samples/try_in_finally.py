def f(x):
    try:
        y = x
    finally:
        try:
            1 / x
        except ZeroDivisionError:
            y = "zero"
    return y

print(f(0), f(2))
