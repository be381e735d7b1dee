def f(n):
    try:
        raise ValueError(n)
    except ValueError as e:
        try:
            if e.args[0]:
                raise KeyError("inner")
        except KeyError as k:
            return repr(k), repr(e)
        return repr(e)

print(f(0), f(1))
