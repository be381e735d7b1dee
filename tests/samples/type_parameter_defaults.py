# min: 3.13
class C[T = int, **P = [int]]:
    pass

class D[*Ts = *tuple[int, str]]:
    pass

def f[T: int = bool](x: T) -> T:
    return x

print([p.__default__ for p in C.__type_params__ + D.__type_params__], f.__type_params__[0].__default__)
