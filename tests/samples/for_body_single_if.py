def f(xs):
    n = 0
    for x in xs:
        if x:
            n += 1
    return n

def g(xs):
    for x in xs:
        if x:
            print(x)
        else:
            print("no")

print(f([1, 0, 2]))
g([1, 0])
