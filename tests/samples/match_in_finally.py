# min: 3.10
def f(x, out):
    try:
        if x == 3:
            return "early"
        out.append(1 // x)
    finally:
        match x:
            case 0:
                out.append("zero")
            case int(n) if n > 1:
                out.append("large")
            case _:
                out.append("other")
    return "late"

def safely(x, out):
    try:
        return f(x, out)
    except ZeroDivisionError:
        return "division"

out = []
print([safely(x, out) for x in (1, 2, 3, 0)], out)
