def f(xs):
    out = []
    for x in xs:
        try:
            if x == 1:
                continue
            if x == 2:
                break
            if x == 3:
                return out, "ret"
            out.append(x)
        finally:
            out.append(-x)
    else:
        out.append("else")
    return out

print(f([5, 1, 6]), f([1, 2, 3]), f([4, 3]))
