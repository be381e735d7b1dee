def f():
    out = []
    try:
        raise ValueError("a")
    except ValueError as e:
        g = lambda: e
        out.append(repr(g()))
    try:
        g()
    except NameError:
        out.append("gone")
    return out

print(f())
