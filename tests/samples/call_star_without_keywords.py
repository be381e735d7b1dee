def f(*args, **kwargs):
    return args, kwargs

a = [1, 2]
k = {"x": 1}
print(f(*a), f(*a, **k), f(**k), f(*a, 3, *a), print(*a))
