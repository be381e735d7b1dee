# min: 3.10
def f(a, b):
    match a, b:
        case (1, x) | (x, 1):
            match x:
                case 1:
                    r = "both"
                case _:
                    r = "one", x
        case _, None:
            r = "none"
        case [a, b]:
            r = a, b
    return r

print(f(1, 1), f(1, 2), f(3, 1), f(2, None), f(4, 5))
