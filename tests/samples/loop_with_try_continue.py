def f(xs):
    out = []
    for x in xs:
        try:
            v = 10 // x
        except ZeroDivisionError:
            out.append("zero")
            continue
        except TypeError:
            break
        else:
            out.append(v)
        finally:
            out.append("f")
    return out

print(f([1, 0, 2, "a", 3]))
