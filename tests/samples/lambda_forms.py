fs = [
    lambda: None,
    lambda x: x,
    lambda x, y=2: x + y,
    lambda *a, **k: (a, k),
    lambda x, /, y, *, z=3: (x, y, z),
    lambda x: lambda y: x + y,
    lambda x: x if x else -1,
    lambda x: (yield x),
]
print(fs[0](), fs[1](1), fs[2](1), fs[3](1, k=2), fs[4](1, 2), fs[5](1)(2), fs[6](0), list(fs[7](3)))
print(sorted("bca", key=lambda c: -ord(c)), (lambda: (1, 2))())
