# min: 3.10
def f(x, ready):
    match x:
        case _ if ready:
            y = "ready"
        case 1 if not ready:
            y = "one"
        case z if z:
            y = "true"
        case 0:
            y = "zero"
    return y

def g(x):
    match x:
        case 0 if False:
            return "never"
        case 0:
            return "zero"
        case 1 if True:
            return "one"

print(f(5, True), f(1, False), f(7, False), f(0, False), g(0), g(1))
