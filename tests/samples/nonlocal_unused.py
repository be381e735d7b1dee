def f():
    a = 1
    def g():
        nonlocal a
    return g

print(f().__code__.co_freevars)
