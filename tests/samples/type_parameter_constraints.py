# min: 3.12
def f[T: (int, str), U: "list"](x: T, y: U = None, *, z: T = 3) -> tuple[T, U]:
    return x, y, z

print(f(1), [p.__constraints__ for p in f.__type_params__], f.__type_params__[1].__bound__)
