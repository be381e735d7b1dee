# min: 3.10
def f(x):
    match x:
        case 1:
            pass
        case [_]:
            pass
        case {"a": _} if x:
            pass
    return x

def g(x):
    match x:
        case [1, y]:
            pass
        case _:
            pass

print(f(1), f([2]), f({"a": 1}), f(3), g([1, 2]), g(0))
