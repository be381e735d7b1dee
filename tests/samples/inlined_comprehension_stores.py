# min: 3.8
def f(y):
    x = [x for x in y]
    a, b = [p for p in y], {q for q in y}
    c = d = {u: v for u in y for v in y}
    [z for z in y]
    x, a = a, [x for x in a]
    return x, a, b, c, d

def g(y):
    x = 1
    r = [x for x in y]
    s = [[x for x in y] for _ in y]
    return x, r, s, [k for k in [j for j in [i for i in y]]]

print(f([1, 2]), g([3, 4]))
