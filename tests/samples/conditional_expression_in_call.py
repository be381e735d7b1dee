def g(*args, **kw):
    return args, kw

def f(x):
    return g(1 if x else 2, *([3] if x else [4]), k="y" if x else "n")

print(f(0), f(1))
