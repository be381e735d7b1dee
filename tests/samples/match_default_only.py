# min: 3.10
def f(x):
    match x.append(1):
        case _:
            return x

def g(x):
    match x:
        case y:
            pass
    return y

print(f([]), g(3))
