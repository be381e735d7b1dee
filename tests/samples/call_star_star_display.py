def f(**k):
    return sorted(k.items())

def g(k):
    return f(**{"a": 1, **k}), f(**{**k}), f(x=1, **k), {"a": 1, **k, "b": 2}

print(g({"a": 2}))
