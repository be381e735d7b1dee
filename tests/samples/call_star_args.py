def f(*a, **k):
    return a, sorted(k.items())

xs, d = [1, 2], {"x": 1}
print(f(*xs), f(*xs, 3, *xs), f(**d), f(0, *xs, y=2, **d), f(*xs, **d, **{"z": 3}), f(k=1, *xs))
