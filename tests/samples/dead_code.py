DEBUG = False

def f(x):
    if 0:
        print("never")
    if __debug__:
        x += 1
    while 1:
        if x > 3:
            break
        x += 1
    return x
    print("unreachable")

def g():
    return 1
    yield 2

def h():
    raise ValueError
    x = 1

print(f(0), list(g()))
