class O:
    pass

def f():
    o, d = O(), {}
    for o.x, (d["k"], *rest) in [(1, (2, 3, 4)), (5, "ab")]:
        print(o.x, d, rest)
    for i, (a, b) in enumerate(zip("ab", "cd")):
        print(i, a, b)

f()
