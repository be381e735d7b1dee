# min: 3.8
def f(y):
    fs = [lambda: x for x in y]
    x = 5
    gs = [lambda: (x, z) for z in y]
    hs = [(lambda w=w: w + x) for w in y if (lambda: w)()]
    return [g() for g in fs], [g() for g in gs], [h() for h in hs]

def nested(y):
    return [[(lambda: (a, b)) for a in y] for b in y]

class C:
    fs = [lambda: i for i in range(2)]

print(f([1, 2]), [g() for row in nested([1, 2]) for g in row], [g() for g in C.fs])
