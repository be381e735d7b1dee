# min: 3.10
def f(items):
    out = []
    while items:
        match items.pop():
            case None:
                continue
            case "stop":
                break
            case int(n) if n > 5:
                out.append("big")
            case int():
                out.append("small")
            case _:
                pass
        out.append("next")
    else:
        out.append("end")
    return out

def g(items):
    while True:
        match items.pop():
            case 0:
                return "zero"
            case 1:
                break
            case [*_]:
                continue
    return "one"

print(f([9, 2, None, "x"]), f(["a", "stop", 1]), g([0]), g([1, [], 5]))
