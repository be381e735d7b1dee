def f():
    e = 1
    try:
        raise ValueError
    except ValueError as e:
        pass
    try:
        return e
    except UnboundLocalError:
        return "deleted"

print(f())
