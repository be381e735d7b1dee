def a(): return
def b(): return None
def c(): return 1, 2
def d(): return (),
def e(x):
    if x:
        return
    return 5
def f(x):
    if x:
        return None
    else:
        return x
def g(x):
    if x: return 1
    elif x is None: return 2
    else: return 3

print(a(), b(), c(), d(), e(0), e(1), f(0), f(1), g(1), g(None), g(0))
