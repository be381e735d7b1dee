# min: 3.12
def f[T: Later, U: (Later, None)](x: "T") -> "U":
    return x

class C[T: Later]:
    pass

class D[T: (lambda: 5) if True else None]:
    pass

class Later:
    pass

bounds = [p.__bound__ for p in f.__type_params__ + C.__type_params__]
print(bounds, f.__type_params__[1].__constraints__, D.__type_params__[0].__bound__() )
