def f(x):
    if not x:
        return
    print(x)

f(0)
f(3)
