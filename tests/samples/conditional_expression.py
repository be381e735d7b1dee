def f(a, b):
    return a if b else -a

def nested(x):
    return "a" if x < 1 else "b" if x < 2 else "c"

print(f(1, 0), f(1, 1), [nested(i) for i in range(3)])


def threaded(t, d, a, c, b):
    x = ((b or a) if d else t) or c
    y = ((b and a) if d else (t and a)) and c
    if ((b or a) if d else t) and (t if d else b and a):
        return x, y
    return (t if d else b and a) and c


def returned(c, x):
    if c:
        return x


for number in range(32):
    bits = [number >> place & 1 for place in range(5)]
    print(threaded(*bits), returned(*bits[:2]))
