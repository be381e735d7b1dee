def f(a, b, s):
    return a == b, a != b, a is b, a is not b, a in s, b not in s, a < b, a >= b, a is None, b is not None

print(f(1, 2, [1]), f(None, None, [2, None]) if False else f(2, 2, [3]))
