def outer(a):
    b = a + 1
    def mid(c):
        def inner(d):
            return a, b, c, d
        return inner
    adders = []
    for i in range(3):
        def add(x, i=i):
            return x + i + b
        adders.append(add)
    b = 100
    return mid(5)(6), [f(1) for f in adders]

print(outer(1))
