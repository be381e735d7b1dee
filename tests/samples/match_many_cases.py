# min: 3.10
def f(x):
    match x:
        case 0: return "a"
        case 1: y = "b"
        case 2: return "c"
        case 3: y = "d"
        case 4 | 5: y = "e"
        case 6 if x: return "f"
        case 7: pass
        case 8: pass
        case [9]: y = "g"
        case {"h": 10}: return "h"
        case "i": y = "i"
        case None: y = "j"
        case _: return "z"
    return y if x != 7 and x != 8 else "passed"

print([f(x) for x in (0, 1, 2, 3, 4, 5, 6, 7, 8, [9], {"h": 10}, "i", None, "?")])
