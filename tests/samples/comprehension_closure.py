def f(n):
    fs = [lambda x, i=i: x + i + n for i in range(3)]
    gs = [(lambda: j) for j in range(2)]
    return [g(1) for g in fs], [g() for g in gs]

print(f(10))
