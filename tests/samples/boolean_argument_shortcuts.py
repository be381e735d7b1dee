def g(*a, **k):
    return a, k

def f(a, b):
    return g(a and b, a or b, not a, k=a if b else None)[0], g(*(a or []), **(b or {}))

print(f([], {}), f([1], {"k": 2}))
