# min: 3.10
def f(x):
    match x:
        case 1:
            return "one"
        case [a, b]:
            return a + b
        case {"k": v} if v:
            return v
    return "after"

def g(x):
    match x:
        case 1:
            return "one"
        case 2:
            raise ValueError(x)
        case _:
            return "default"

print(f(1), f([2, 3]), f({"k": 4}), f({"k": 0}), g(1), g(3))
try:
    g(2)
except ValueError as error:
    print(error)
