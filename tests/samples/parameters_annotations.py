def f(a: int, b: "str" = "x", *args: float, c: list = None, **kw: dict) -> tuple:
    return a, b, args, c, kw

print(f(1, 2, 3.0, c=[4], z=5), sorted(f.__annotations__.items(), key=lambda p: p[0]))
