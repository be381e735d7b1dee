# min: 3.10
def f(x, y):
    match x:
        case 0:
            match y:
                case 0:
                    return "both zero"
                case [a]:
                    return "list", a
                case _:
                    return "y"
        case 1:
            match y:
                case 1:
                    r = "both one"
                case _:
                    r = "one"
        case _:
            match y:
                case None:
                    r = "none"
                case 5:
                    return "five"
                case other:
                    r = other
    return r

print(f(0, 0), f(0, [1]), f(0, 2), f(1, 1), f(1, 2), f(2, None), f(2, 5), f(2, 6))
