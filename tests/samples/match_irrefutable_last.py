# min: 3.10
def f(x):
    match x:
        case 0:
            r = "zero"
        case other:
            r = "other"
            if other:
                r += "!"
    return r

def g(x):
    match x:
        case [y] | y:
            return y

def h(x):
    match x:
        case 1:
            return "one"
        case rest if rest:
            return rest
    return "nothing"

print(f(0), f(1), f(""), g([1]), g(2), h(1), h(2), h(0))
