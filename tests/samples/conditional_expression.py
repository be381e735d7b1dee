def f(a, b):
    return a if b else -a

def nested(x):
    return "a" if x < 1 else "b" if x < 2 else "c"

print(f(1, 0), f(1, 1), [nested(i) for i in range(3)])
