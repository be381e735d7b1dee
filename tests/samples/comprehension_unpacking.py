def f(ps):
    return [a + b for a, (b, *_) in ps], {k: v for k, *v in ps}, [x for x, in [(1,), (2,)]]

print(f([(1, (2, 3)), (4, (5,))]))
