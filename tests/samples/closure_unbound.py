def f(x):
    if x:
        y = 1
    def g():
        return y
    try:
        return g()
    except NameError as e:
        return type(e).__name__

print(f(0), f(1))
