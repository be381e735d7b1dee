def show(value):
    print(value)

def f(x):
    show("yes" if x else "no")

def g(x, y):
    raise ValueError("%s and %s" % (y, "a" if x else "b"))

def h(c):
    return c.isdigit() or "a" <= c <= "f" or "A" <= c <= "F"

def k(a, b, c):
    return a or b and bool(c) or None

f(1)
f(0)
for x in (0, 1):
    try:
        g(x, 2)
    except ValueError as error:
        print(error)
print([h(c) for c in "0agZ"], k(0, 1, 2), k(0, 0, 1), k(3, 0, 0))
