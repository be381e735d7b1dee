# min: 3.10
def f(x):
    match x:
        case 0:
            return "zero"
        case 1 | 2:
            return "one or two"
        case "s":
            return "str"
        case None | True:
            return "singleton"
        case -3 | 2.5 | 1j | b"b":
            return "others"
        case _:
            return "default"

print([f(x) for x in (0, 1, 2, "s", None, True, -3, 2.5, 1j, b"b", "?")])
