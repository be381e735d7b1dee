# min: 3.10
def f(x):
    r = "no"
    match x:
        case 0 | 1 | "s" | None:
            r = "yes"
    return r

def g(x):
    match x:
        case 1 | 2 | 3:
            return True

print([f(x) for x in (0, 1, 2, "s", None)], g(3), g(4))
