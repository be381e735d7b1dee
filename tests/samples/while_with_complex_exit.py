def f(a, b):
    out = []
    while a or b:
        if a:
            a -= 1
            if b and a == 2:
                out.append("x")
                break
            if not b:
                continue
        elif b:
            b -= 1
            out.append("b")
        out.append((a, b))
    else:
        out.append("done")
    return out

print(f(4, 2), f(3, 0), f(0, 2))
