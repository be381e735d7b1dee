# min: 3.10
name = "outer"

def f(x):
    global name
    match x:
        case [name, 1]:
            pass
        case {"n": name}:
            pass

def g(x):
    found = None
    def inner(y):
        nonlocal found
        match y:
            case [found, *_]:
                return True
            case int() as found:
                return False
    return inner(x), found, (lambda: found)()

def h(x):
    match x:
        case [cell, *rest]:
            return lambda: (cell, rest)

f(["list", 1])
print(name)
f({"n": "mapping"})
print(name, g([1, 2]), g(3), g("s"), h([1, 2, 3])())
