# min: 3.10
def f(xs):
    out = []
    for x in xs:
        match x:
            case 0:
                continue
            case 9:
                break
            case [a, b]:
                out.append(a + b)
            case str():
                return out, x
            case _:
                out.append(x)
        out.append("after")
    else:
        out.append("else")
    return out

print(f([0, 1, [2, 3]]), f([1, 9, 2]), f([1, "s"]))
