# min: 3.14
def f(x: Later, y: list[Later] = ()) -> Later:
    return x

class C:
    a: Later
    b: int = 3
    if b:
        c: str

m: Later = 5

class Later:
    pass

print(f.__annotations__["x"].__name__, sorted(C.__annotations__), f(1), __annotate__(1)["m"].__name__)
