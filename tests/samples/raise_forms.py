def f(n):
    if n == 0:
        raise ValueError
    if n == 1:
        raise ValueError("msg")
    if n == 2:
        raise KeyError("k") from None
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise RuntimeError("r") from e

for n in range(4):
    try:
        f(n)
    except Exception as e:
        print(repr(e), repr(e.__cause__), e.__suppress_context__)
